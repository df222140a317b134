"""What two sentences or cells state differently: one value, name or word where all else is the same.

Conflicts ask it of two sources, verification of a statement and its source. Rules decide only what
is exact: where a subject or a condition may differ too, no difference is certain.
"""

from foundry.craft.comparison.amounts import (
    Amount,
    compare_amounts,
    exclude,
    is_among,
    list_digits,
    read_amounts,
    strip_zeros,
)
from foundry.craft.comparison.sentences import (
    Difference,
    compare_cells,
    compare_lines,
    compare_stretch,
    join_differences,
)
