"""Messages are codes with parameters; their words are in one catalogue, English and Dutch."""

from foundry.messages.catalogue import (
    LANGUAGES,
    Face,
    Language,
    Message,
    Parameter,
    Words,
    choose_language,
    format_message,
    get_language,
    set_face,
    set_language,
    use_face,
    use_language,
)
