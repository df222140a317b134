"""Summaries by a language model: of a whole document, or of its parts and then of their summaries.

Summaries of parts are cached too, so a long document resumes where it was interrupted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from foundry.analysis.lexer import THINKING
from foundry.craft.prefixes import truncate_to_tokens
from foundry.craft.prompting import LANGUAGE_NAMES
from foundry.journeys.enrichment.budgeted_model import BudgetedModel
from foundry.journeys.enrichment.cache import find_cached_summary, save_cached_summary
from foundry.messages import Message
from foundry.models import map_calls
from foundry.ports import CountTokens, Progress, Step
from foundry.prompts import fill
from foundry.records import Estimate, Source
from foundry.text.spotlight import clean_lines, mark_lines
from foundry.workspace import Workspace

MAX_TEXT_TOKENS = 24_000
"""Tokens of text per request; longer documents go in parts even if the window is larger (a guess)."""

_FRAME_TOKENS = 64
_MARK_OVERHEAD = 1.1
"""What line marks add to summaries of parts in an estimate; prose has long lines."""
_REPLY_SHARE = 4
"""A summary may take 1/4 of the window, so summaries of parts are shorter than the parts."""
_MIN_TEXT_TOKENS = 300
_MAX_DEPTH = 40
_LONGEST_TOKEN = 16
"""Characters for each token of a part, of which a longer line takes several."""
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*(?=\s)")


@dataclass(frozen=True, slots=True)
class SummaryLimits:
    """Tokens of a summary, of the text in one request, and of the rest of the prompt."""

    summary: int
    text: int
    fixed: int


def find_limits(workspace: Workspace, model: BudgetedModel) -> SummaryLimits | None:
    """The limits within the model's window; None if it is too small."""
    fixed = workspace.count_tokens(workspace.templates.summary) + _FRAME_TOKENS
    summary = min(workspace.config.ingest.summary_max_tokens, model.room // _REPLY_SHARE)
    text = min(model.room - fixed - _compute_reply_limit(summary), MAX_TEXT_TOKENS)
    limits = SummaryLimits(summary, text, fixed)
    # Were two summaries longer than a request, there would always be two, and never a whole one.
    least = max(_MIN_TEXT_TOKENS, int(2 * summary * _MARK_OVERHEAD))
    return limits if limits.text >= least else None


def estimate_summaries(tokens: Iterable[int], limits: SummaryLimits) -> Estimate:
    """Calls and tokens for texts of so many marked tokens each, without their cost."""
    calls = prompt = reply = 0
    for whole in tokens:
        left = whole
        # Ends, as a request holds two summaries with their marks.
        while True:
            parts = max(1, -(-left // limits.text))
            calls, reply = calls + parts, reply + parts * limits.summary
            prompt += left + parts * limits.fixed
            if parts == 1:
                break
            left = int(parts * limits.summary * _MARK_OVERHEAD)
    return Estimate(calls, prompt, reply)


def write_summaries(
    workspace: Workspace,
    model: BudgetedModel,
    sources: Sequence[Source],
    limits: SummaryLimits,
    progress: Progress,
) -> int:
    """Ask for every source's summary and cache the replies; returns the number written."""
    most = workspace.config.models.max_concurrency
    writer = _SummaryWriter(workspace, model, limits)
    # All parts of long documents first, in parallel; then each source as a whole.
    for _ in map_calls(writer.write_part, writer.list_parts(sources), most):
        progress(Step("summaries", 0, len(sources), "sources"))
    written = 0
    waiting = (source for source in sources if model.stopped is None)
    for done, success in enumerate(map_calls(writer.write, waiting, most), 1):
        written += success
        progress(Step("summaries", done, len(sources), "sources"))
    return written


@dataclass(frozen=True)
class _SummaryWriter:
    workspace: Workspace
    model: BudgetedModel
    limits: SummaryLimits

    def list_parts(self, sources: Sequence[Source]) -> Iterator[tuple[str, str]]:
        """The parts of sources that do not fit into one request, with their language."""
        for source in sources:
            parts = self._cut(self.workspace.store.source_text(source.id))
            for part in parts if len(parts) > 1 else ():
                if self.model.stopped is not None:
                    return
                yield part, source.language

    def write_part(self, part: tuple[str, str]) -> bool:
        return self._summarise(*part) is not None

    def write(self, source: Source) -> bool:
        text = self.workspace.store.source_text(source.id)
        return self._summarise(text, source.language) is not None

    def _summarise(self, text: str, language: str, depth: int = 0) -> str | None:
        """The summary of a text, from the cache if possible."""
        summary = find_cached_summary(self.workspace, text, language)
        if summary is not None:
            return summary
        parts = self._cut(text)
        if depth > _MAX_DEPTH:
            self.model.note(Message("enrich-document-too-long"))
            return None
        if len(parts) == 1:
            summary = self._ask(parts[0], language)
        else:
            summary = self._combine(parts, language, depth)
        if summary is not None:
            save_cached_summary(self.workspace, text, language, summary)
        return summary

    def _combine(self, parts: Sequence[str], language: str, depth: int) -> str | None:
        """The summary of the parts' summaries; None as soon as one is missing."""
        summaries = []
        for part in parts:
            summary = self._summarise(part, language, depth + 1)
            if summary is None:
                return None
            summaries.append(summary)
        return self._summarise("\n\n".join(summaries), language, depth + 1)

    def _ask(self, text: str, language: str) -> str | None:
        template = self.workspace.templates.summary
        prompt = build_summary_prompt(
            template, text, language=language, max_tokens=self.limits.summary
        )
        reply = self.model.ask(prompt, max_tokens=_compute_reply_limit(self.limits.summary))
        if reply is None:
            return None
        summary = parse_summary(reply.text, self.limits.summary, self.workspace.count_tokens)
        if not summary:
            self.model.note(Message("enrich-empty"))
        return summary or None

    def _cut(self, text: str) -> list[str]:
        return cut_parts(text, self.limits.text, self.workspace.count_tokens)


def build_summary_prompt(template: str, text: str, *, language: str, max_tokens: int) -> str:
    """The request for a summary; each line of the text is marked as data."""
    values = {
        "document": mark_lines(text, "D"),
        "max_tokens": str(max_tokens),
        "language": LANGUAGE_NAMES.get(language, "the language of the document"),
    }
    return fill(template, values)


def parse_summary(reply: str, most: int, count: CountTokens) -> str:
    """The reply without reasoning, cleaned, cut after a whole sentence to ``most`` tokens."""
    text = clean_lines(THINKING.sub("", reply))
    if count(text) <= most:
        return text
    cut = truncate_to_tokens(text, most, count)
    ends = [match.end() for match in _SENTENCE_END.finditer(f"{cut} ")]
    return cut[: ends[-1]].rstrip() if ends else cut


def count_marked_tokens(text: str, count: CountTokens) -> int:
    """Tokens of a text in a prompt, counted as ``cut_parts`` does."""
    return sum(_count_marked(line, count) for line in text.splitlines() if line.strip())


def cut_parts(text: str, most: int, count: CountTokens) -> list[str]:
    """Parts of at most ``most`` tokens each once marked, cut between lines where possible.

    Returns at least one part; only empty lines are dropped.
    """
    parts: list[list[str]] = [[]]
    used = 0
    for line in _split_lines(text, most, count):
        takes = _count_marked(line, count)
        if parts[-1] and used + takes > most:
            parts.append([])
            used = 0
        parts[-1].append(line)
        used += takes
    return ["\n".join(lines) for lines in parts]


def _split_lines(text: str, most: int, count: CountTokens) -> Iterator[str]:
    """The non-empty lines; a line longer than a part is split."""
    for line in text.splitlines():
        start = 0
        while start < len(line):
            # Counting all that is left each time would take the square of a long line's length.
            rest = line[start : start + most * _LONGEST_TOKEN]
            if (takes := _count_marked(rest, count)) > most:
                rest = rest[: len(rest) * most // (2 * takes) or 1]
            if rest.strip():
                yield rest
            start += len(rest)


def _count_marked(line: str, count: CountTokens) -> int:
    return count(mark_lines(line, "D")) + 1


def _compute_reply_limit(summary: int) -> int:
    """Tokens of a reply: a quarter more than asked for, as models do not count exactly."""
    return int(summary * 1.25) + _FRAME_TOKENS
