"""Rows that add up others are told by their words, or by adding up, whichever way a table is read."""

import contextlib

import pytest

from tests import inside

kit = inside.kit()


@pytest.fixture
def read_table(tmp_path):
    def give(data: bytes, **reader):
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "a.csv").write_bytes(data)
        inside.begin(tmp_path / "in", {"readers": {"default": reader}})
        return kit.read_csv(kit.inputs()[0])

    with contextlib.chdir(tmp_path):
        yield give


TOTALS = [
    "Total,,{0},{1}",
    "Total:,,{0},{1}",
    "GRAND TOTAL,,{0},{1}",
    "Totalt,,{0},{1}",
    "Sum,,{0},{1}",
    "Summe:,,{0},{1}",
    "2026-09-09,Total (NOK),{0},{1}",
    "2026-09-09,Total 2026,{0},{1}",
    ",Total for all subsidiaries,{0},{1}",
    ",Итого,{0},{1}",
    "2026-09-09,,{0},{1}",
    "2026-09-09,Bergen,{0},{1}",
]


@pytest.mark.parametrize("line", TOTALS)
@pytest.mark.parametrize("way", ["plain", "row by row"])
def test_a_row_that_adds_up_the_others_is_never_summed(read_table, line, way):
    rows = "".join(f"2026-09-0{n},c{n},{n}.50,{n}.25\n" for n in range(1, 7))
    total = line.format("24.00", "22.50")
    end = "\r\n" if way == "row by row" else "\n"  # what duckdb itself does not read as it is
    data = f"day,name,a,b\n{rows}{total}\n".replace("\n", end).encode()
    table = read_table(data, header=["day", "name", "a", "b"])

    with pytest.raises(kit.Surprise) as raised:
        table.sql("SELECT sum(a), sum(b) FROM rows", ["a", "b"])

    assert raised.value.name == "TotalRow"
    assert "totals" in raised.value.expected


ENDS = ["Oslo Total,1.00,", "Nord Ergebnis,1.00,", "東京 集計,1.00,", "Linz (AT) Gesamt,,9"]
WORDS = ["Gesamtergebnis", "Eindtotaal", "Totalsumma", "Genel Toplam", "Общий итог", "Végösszeg", "総計", "Total geral"]


@pytest.mark.parametrize("line", [*WORDS, *ENDS])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_words_tell_a_total_wherever_it_stands_and_whatever_it_adds_up(read_table, line, end):
    total = line if "," in line else f"{line},1.00,2.00"
    data = f"name,a,b\nx,5.00,1\n{total}\ny,2.00,3\n".replace("\n", end).encode()

    with pytest.raises(kit.Surprise) as raised:
        read_table(data, header=["name", "a", "b"]).sql("SELECT sum(a) FROM rows", ["a", "b"])

    assert raised.value.name == "TotalRow"


NAMES = ["Total Energies", "Summer", "Sumatra", "Totally fine", "Samlet AS, Bergen", "Colgate Total", "Lump sum"]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_begin_like_totals_are_names(read_table, name):
    table = read_table(f'name,a\n"{name}",1\nx,5\ny,2\n'.encode(), header=["name", "a"])

    assert table.sql("SELECT sum(a) FROM rows", ["a"])[0][0] == 8


def test_two_equal_rows_are_no_total_of_each_other(read_table):
    table = read_table(b"name,a,b\nx,1,1\ny,1,1\n", header=["name", "a", "b"])

    assert table.sql("SELECT sum(a) FROM rows", ["a", "b"])[0][0] == 2


def test_a_number_that_was_cut_off_shows_by_its_digits(read_table):
    table = read_table(b"name,a\nx,1.50\ny,2", header=["name", "a"], final_newline=False, decimals={"a": 2})

    with pytest.raises(kit.Surprise) as raised:
        table.sql("SELECT sum(a) FROM rows", ["a"])

    assert raised.value.name == "OddNumber"
