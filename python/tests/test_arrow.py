"""Tables in the hands of others, by Arrow."""

from __future__ import annotations

from pathlib import Path

import pytest

import spelunk

SQL = "SELECT class, count(*) AS n, avg(size) AS mean, NULL AS absent FROM objects GROUP BY class ORDER BY class"


@pytest.fixture
def answer(level: Path) -> spelunk.Table:
    return spelunk.open(level).query(SQL)


def test_without_any_of_them(answer: spelunk.Table) -> None:
    assert answer.columns == ["class", "n", "mean", "absent"]
    assert answer.types["n"] == "Int64"
    assert answer.types["mean"] == "Float64"
    assert answer[0]["absent"] is None
    assert [row["class"] for row in answer] == sorted(row["class"] for row in answer)
    assert answer[-1] == answer[len(answer) - 1] == list(answer)[-1]
    assert answer[:2] == [answer[0], answer[1]]
    with pytest.raises(IndexError):
        answer[len(answer)]


def test_polars(answer: spelunk.Table) -> None:
    polars = pytest.importorskip("polars")
    once, twice = polars.DataFrame(answer), polars.DataFrame(answer)
    assert once.equals(twice), "a stream can be taken twice"
    assert once.to_dicts() == list(answer)


def test_pyarrow(answer: spelunk.Table) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(answer)
    assert table.to_pylist() == list(answer)
    assert pyarrow.schema(answer) == table.schema


def test_pandas(answer: spelunk.Table) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame.from_arrow(answer)
    assert list(frame["n"]) == [row["n"] for row in answer]


def test_duckdb(answer: spelunk.Table) -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    total = duckdb.sql("SELECT sum(n) FROM answer").fetchall()[0][0]  # It finds tables by the names of variables.
    assert total == sum(row["n"] for row in answer)


def test_an_answer_without_rows(level: Path) -> None:
    empty = spelunk.open(level).query("SELECT name, class FROM objects WHERE name = 'nobody'")
    assert (len(empty), empty.columns) == (0, ["name", "class"])
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(empty).shape == (0, 2)


def test_values_of_several_types(level: Path) -> None:
    mixed = spelunk.open(level).query("SELECT 1 AS v UNION ALL SELECT 'two' UNION ALL SELECT 2.5 UNION ALL SELECT NULL")
    assert [row["v"] for row in mixed] == ["1", "two", "2.5", None]
    numbers = spelunk.open(level).query("SELECT 1 AS v UNION ALL SELECT 2.5")
    assert [row["v"] for row in numbers] == [1.0, 2.5]


def test_columns_of_one_name(level: Path) -> None:
    twice = spelunk.open(level).query("SELECT 1 AS a, 2 AS a, 3 AS b")
    assert twice.columns == ["a", "a:1", "b"]
    assert twice[0] == {"a": 1, "a:1": 2, "b": 3}
