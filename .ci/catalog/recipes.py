"""Runs what docs/guides/catalog.md shows, on a catalogue of samples, on the disk and over HTTP, and compares the answers.

usage: recipes.py PROGRAM FOLDER URL, where FOLDER has the folder `samples`, and a web server has it at URL
"""

import contextlib
import hashlib
import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from collections import Counter

import duckdb

program, work, url = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3].rstrip("/")
guide = pathlib.Path(__file__).parents[2] / "docs/guides/catalog.md"
QUESTIONS = ["copies", "missing", "damaged"]
# What a run that goes on has written into a store.
STRAY = "part-00000-0000000000000000.parquet"


def sections():
    """The blocks of SQL and Python below each heading of the guide."""
    found = {}
    for section in guide.read_text().split("\n## ")[1:]:
        blocks = re.findall(r"^```(\w+)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
        found[section.partition("\n")[0]] = [text for language, text in blocks if language in ("sql", "python")]
    return found


@contextlib.contextmanager
def step(what):
    started = time.monotonic()
    yield
    print(f"{what}: {time.monotonic() - started:.1f} s", flush=True)


def make_catalogue():
    """Of samples, a copy of one, and some that are cut off; a second one has more parts than its manifest."""
    tree = work / "recipes/tree"
    shutil.copytree(work / "samples", tree / "samples")
    shutil.copy(tree / "samples/level.nmo", tree / "again.nmo")
    for name, of, size in [("cut.nmo", "level.nmo", 300), ("shorter.nmo", "level.nmo", 280), ("cut.snpak", "forest.snpak", 3000)]:
        (tree / name).write_bytes((tree / "samples" / of).read_bytes()[:size])
    # Its files are damaged, and that is said.
    subprocess.run([program, "catalog", "recipes/tree", "-o", "recipes/disk"], cwd=work, capture_output=True)
    for part in shutil.copytree(work / "recipes/disk", work / "recipes/store").glob("*/*.parquet"):
        shutil.copy(part, part.parent / STRAY)
    return tree


def known_copies(tree):
    """Files that are there more than once, by another hash than the command's."""
    count = Counter()
    for path in tree.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            count[hashlib.sha256(content).hexdigest(), len(content)] += 1
    return {content: copies for content, copies in count.items() if copies > 1}


def check_known(answers, tree):
    """What was put into the tree is what the answers are."""
    copies = {(sha256, size): count for sha256, size, count, _ in answers["copies"]}
    known = known_copies(tree)
    assert known and all(copies[content] == count for content, count in known.items()), copies
    firsts = {(sha256, size): first for sha256, size, _, first in answers["copies"]}
    level = (tree / "samples/level.nmo").read_bytes()
    assert firsts[hashlib.sha256(level).hexdigest(), len(level)] == "recipes/tree/again.nmo", firsts
    # As the sample was made: what a level would like to have is in no pack.
    assert answers["missing"] == [("textures/moss", 2, 2)], answers["missing"]
    assert [row[:3] for row in answers["damaged"]] == [("VT008", 2, 2), ("SN007", 1, 1)], answers["damaged"]


def placed(text, folder):
    """A block, with a catalogue that is there."""
    text = text.replace("https://example.org/catalogue", f"{url}/recipes/store")
    return text.replace("DIR/", f"{work}/recipes/{folder}/").replace('"DIR"', f'"{work}/recipes/{folder}"')


def on_views(query, quote):
    """A question that names files, with the names of tables."""
    named = re.sub(r"'DIR/(\w+)/\*\.parquet'", lambda found: f"{quote}{found[1]}{quote}", query)
    assert named != query, query
    return named


def by_duckdb(connection, queries):
    return dict(zip(QUESTIONS, (connection.sql(query).fetchall() for query in queries), strict=True))


def by_polars(*blocks):
    names = {}
    for block in blocks:
        exec(block, names)
    return {question: names[question].rows() for question in QUESTIONS}


def rows_of_spark(frame):
    return [tuple(row) for row in frame.collect()]


def by_spark(spark, queries):
    return dict(zip(QUESTIONS, (rows_of_spark(spark.sql(query)) for query in queries), strict=True))


def extension():
    """The file of DuckDB's extension for HTTP, where the package that has it could be installed."""
    try:
        files = importlib.metadata.files("duckdb-ext-httpfs")
    except importlib.metadata.PackageNotFoundError:
        return None
    return next(file.locate() for file in files if file.name.endswith(".duckdb_extension"))


def start_spark():
    """A session that the guide's `getOrCreate` then gets; nothing where Java or Spark are missing."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        return None
    if not shutil.which("java"):
        return None
    # Nobody else is asked, and small tables need no more tasks than one.
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.warehouse.dir": f"{work}/recipes/warehouse",
    }
    builder = SparkSession.builder.master("local[1]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def spark_answers(spark, blocks, queries, folder):
    """What the first block opens, asked all questions; and what the second asks in Python, if there is one."""
    names = {}
    for block in blocks:
        exec(placed(block, folder), names)
    answers = by_spark(spark, queries)
    if "copies" in names:
        assert rows_of_spark(names["copies"]) == answers["copies"], "the guide's own question has another answer"
    for view in ["hashes", "references", "findings"]:
        spark.catalog.dropTempView(view)
    return answers


found = sections()
questions = found.pop("DuckDB")
with step("a catalogue"):
    tree = make_catalogue()
with step("DuckDB"):
    expected = by_duckdb(duckdb.connect(), [placed(query, "disk") for query in questions])
    check_known(expected, tree)

http = found.pop("DuckDB, over the network")
if extension():
    with step("DuckDB over HTTP"):
        connection = duckdb.connect(config={"extension_directory": f"{work}/recipes/extensions"})
        for block in http:
            assert "INSTALL httpfs;" in block
            connection.sql(placed(block, "store").replace("INSTALL httpfs;", f"INSTALL '{extension()}';"))
        assert by_duckdb(connection, [on_views(query, '"') for query in questions]) == expected
else:
    print("DuckDB's extension for HTTP could not be installed: DuckDB was not tried over HTTP", file=sys.stderr)

disk, recipes = found.pop("Polars")
with step("Polars"):
    assert by_polars(placed(disk, "disk"), recipes) == expected
with step("Polars over HTTP"):
    assert by_polars(*(placed(block, "store") for block in found.pop("Polars, over the network")), recipes) == expected

on_disk, on_store = found.pop("Spark"), found.pop("Spark and a store")
with step("Spark begins"):
    spark = start_spark()
if spark:
    queries = [on_views(query, "") for query in questions]
    with step("Spark"):
        assert spark_answers(spark, on_disk, queries, "disk") == expected
    with step("Spark, with a manifest"):
        assert spark_answers(spark, on_store, queries, "store") == expected
    spark.stop()
else:
    print("there is no Java, or no Spark could be installed: Spark was not tried", file=sys.stderr)
assert not found, f"sections of {guide.name} that nothing runs: {list(found)}"
# What a glob would say of that folder is another thing, so that the list of parts was what was read.
doubled = by_duckdb(duckdb.connect(), [placed(query, "store") for query in questions])
assert all(doubled[question] != expected[question] for question in QUESTIONS), doubled
print("answers:", ", ".join(f"{len(expected[question])} {question}" for question in QUESTIONS))
shutil.rmtree(work / "recipes")
