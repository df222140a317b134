"""Messages are codes with parameters; their words are in one catalogue, English and Dutch."""

from foundry.messages.catalogue import (
    LANGUAGES,
    Language,
    Message,
    Parameter,
    Words,
    choose_language,
    format_message,
    get_language,
    set_language,
    use_language,
)
