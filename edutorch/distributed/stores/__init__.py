"""Key-value stores shared by processes, for the rendezvous.

- `store.py`: the base class; `HashStore`, in a process; `PrefixStore`.
- `file_store.py`: in a file. `tcp_store.py`: in one of the processes, the server.
"""

from .file_store import FileStore
from .store import HashStore, PrefixStore, Store
from .tcp_store import TCPStore

__all__ = ["FileStore", "HashStore", "PrefixStore", "Store", "TCPStore"]
