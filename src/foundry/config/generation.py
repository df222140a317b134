"""The keys of writing: which model writes in each mode and for each agent, and how much it reads."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import Field, model_validator

from foundry.config.section import KeySection, make_rule_error

Profile = Literal["cheap", "balanced", "premium"]


class ProfileModels(KeySection):
    """The models of the profiles that agents ask for."""

    cheap: str | None = Field(
        None, min_length=1, description="The generator of agents with profile: cheap."
    )
    balanced: str | None = Field(
        None,
        min_length=1,
        description="That of profile: balanced; a profile may name another one, such as cheap.",
    )
    premium: str | None = Field(None, min_length=1, description="That of profile: premium.")

    @model_validator(mode="after")
    def _lead_to_models(self) -> ProfileModels:
        for name in PROFILES:
            chain = [name]
            while (following := getattr(self, chain[-1])) in PROFILES:
                if following in chain:
                    raise make_rule_error("config-profile-cycle", names=[*chain, following])
                chain.append(following)
        return self

    def get_model(self, profile: Profile) -> str | None:
        """The model of a profile; None if it has none."""
        model: str | None = getattr(self, profile)
        while model in PROFILES:
            model = getattr(self, model)
        return model

    def list_models(self) -> dict[str, str]:
        """Profile → model, for those that have one."""
        found = {name: self.get_model(name) for name in PROFILES}
        return {name: model for name, model in found.items() if model}


PROFILES: tuple[Profile, ...] = get_args(Profile)


class ModeModels(KeySection):
    """The generators of one mode."""

    model: str | None = Field(None, description="The generator in this mode.")
    profiles: ProfileModels = Field(
        ProfileModels(), description="Those of agents; without any, agents use the mode's."
    )


class GenerationConfig(KeySection):
    """Which model writes, and how much it reads."""

    model: str | None = Field(None, description="The generator of modes that set none.")
    offline: ModeModels = Field(ModeModels(), description="Used with mode: offline.")
    online: ModeModels = Field(ModeModels(), description="Used with mode: online.")
    budget_tokenizer: str = Field(
        "cl100k_base", description="The tokenizer that counts all budgets, in both modes."
    )
    token_budget: int = Field(
        8192, ge=0, le=2_000_000, description="Maximum tokens of evidence in a prompt."
    )
    max_source_summaries: int = Field(
        10, ge=0, le=1000, description="Maximum summaries in a prompt."
    )
    max_tokens: int = Field(
        2048, ge=16, le=200_000, description="Maximum tokens of a model's reply."
    )
    temperature: float = Field(0.2, ge=0, le=2, description="0 gives the most repeatable replies.")
    language: Literal["question", "nl", "en"] = Field(
        "question", description="Language of answers: that of the question, or always nl or en."
    )
