"""The files of agents: their keys, and those that Foundry brings (``en/`` and ``nl/``)."""

from foundry.agents.agent_file import (
    AGENT_NAME,
    AgentKeys,
    AgentSectionKeys,
    build_agent,
    find_shipped_text,
    list_shipped_names,
)
