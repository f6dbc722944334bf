"""Stems of words as PostgreSQL's full text search has them, so that one search finds all proven scripts."""

from collections.abc import Mapping

from sqlalchemy import Text, cast
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import Session, func, select

from library.catalog import Script
from library.match import Spoken, words_in


def spoken(session: Session, text: str, catalog: Mapping[str, Script]) -> Spoken:
    """What somebody asks for, with the stems of its words and of the words by which the catalog's scripts are found."""
    of_scripts = ((*one.words, *one.also, *one.does, *one.grouped, *words_in(one.says)) for one in catalog.values())
    words = {*words_in(text), *(word for found in of_scripts for word in found)}
    word = func.unnest(cast(sorted(words), ARRAY(Text))).column_valued("word")
    found = session.exec(select(word, func.tsvector_to_array(func.to_tsvector("english", word))))
    return Spoken(text, {str(one): frozenset(stems) for one, stems in found})
