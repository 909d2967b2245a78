"""Modules on several devices."""

from __future__ import annotations

from .modules.parallel import DataParallel

__all__ = ["DataParallel"]
