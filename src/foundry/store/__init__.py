"""The project's database behind ``ports.Store``.

Nothing outside this package sees SQL, a connection or an exception of a database
library.
"""

from foundry.store.adapters import open_store
