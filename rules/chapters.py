"""The chapters that this version knows, by the names of their packs."""

from __future__ import annotations

from collections.abc import Mapping

from rules.pa58 import ch629a_chapter
from rules.ruling import Chapter

CHAPTERS: Mapping[str, Chapter] = {chapter.name: chapter for chapter in (ch629a_chapter.CHAPTER,)}
