"""The branch discipline of a git repository: which merges, commits, pushes and names it accepts.

``check_command`` judges a command line before a shell runs it, ``judge_hook`` what git is about to
do, and ``install_hooks`` has git ask. It reads git's own answers and knows nothing of projects.
"""

from foundry.governor.git_calls import check_command
from foundry.governor.hooks import (
    AGENTS,
    HOOKS,
    InstalledHook,
    configure_agent,
    find_command,
    install_hooks,
    judge_hook,
    render_agent_hook,
)
from foundry.governor.repository import Ruling
