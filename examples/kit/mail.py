"""A message in Markdown → an e-mail file as a mail program saves it."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path

from examples.kit.manuscript import moment, read_front_matter


def render_eml(path: Path) -> bytes:
    """The message as bytes, with a fixed date and id."""
    about, body = read_front_matter(path.read_text(encoding="utf-8"))
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Cc"] = about["from"], about["to"], about["cc"]
    message["Subject"] = about["subject"]
    message["Date"] = format_datetime(moment(about["sent"]))
    message["Message-ID"] = f"<{about['message_id']}>"
    message.set_content(body, cte="quoted-printable")
    return message.as_bytes()
