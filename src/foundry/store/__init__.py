"""The project's database.

A journey gets a ``StoreView``: the project as one role sees it. The whole ``Store`` is for wiring and
maintenance. Nothing outside this package sees SQL, a connection or an exception of a database
library.
"""

from foundry.store.adapters import open_store
from foundry.store.relational.evaluation import EvaluationStore, EvaluationView
from foundry.store.relational.store import MOST_ATTEMPTS, AccessStore, Store
from foundry.store.relational.view import StoreView
