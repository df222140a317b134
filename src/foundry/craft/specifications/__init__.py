"""Feature specifications: what the text of ``features/NAME.md`` asks for, and its approval.

The approval is kept in the front matter of the file itself, so it travels with the project and
shows in a diff. Nothing here reads or writes a file, or checks whether a pattern matches a source.
"""

from foundry.craft.specifications.fields import (
    read_wants,
    replace_body,
    replace_keys,
    replace_wants,
)
from foundry.craft.specifications.front_matter import Unreadable
from foundry.craft.specifications.specification import (
    build_broken_specification,
    check_name,
    parse_specification,
    render_template,
    replace_approval,
)
