"""Agents: their files, and the project as an agent writes for it."""

from foundry.journeys.agents.catalogue import (
    AgentEntry,
    check_agent,
    create_agent,
    get_agent,
    list_agents,
    use_agent,
)
