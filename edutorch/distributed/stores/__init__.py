"""Dictionaries that processes share, by which they find each other.

- `store.py`: what all of them can do; within a process, and parts of others.
- `file_store.py`: in a file. `tcp_store.py`: in one of the processes.
"""

from .file_store import FileStore
from .store import HashStore, PrefixStore, Store
from .tcp_store import TCPStore

__all__ = ["FileStore", "HashStore", "PrefixStore", "Store", "TCPStore"]
