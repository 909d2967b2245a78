"""One file a chapter: each exercise's grader is a plain function with its hints."""

from __future__ import annotations

__all__: list[str] = []
