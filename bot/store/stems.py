"""Stems of words as PostgreSQL's full text search has them, so that one search finds all proven scripts."""

from collections.abc import Mapping

from sqlalchemy import Text, cast
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import Session, func, select

from library.catalog import Script
from library.match import Spoken, words_in


def spoken(session: Session, text: str, catalog: Mapping[str, Script]) -> Spoken:
    """What somebody asks for, with the stems of its words and of the words by which the catalog's scripts are found."""
    words = {*words_in(text), *(word for script in catalog.values() for word in (*script.words, *script.also))}
    word = func.unnest(cast(sorted(words), ARRAY(Text))).column_valued("word")
    found = session.exec(select(word, func.tsvector_to_array(func.to_tsvector("english", word))))
    return Spoken(text, {str(one): frozenset(stems) for one, stems in found})
