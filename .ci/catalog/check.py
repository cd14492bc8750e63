"""Reads a catalogue of the real files with DuckDB, which shares nothing with the code that wrote it.

usage: check.py CATALOGUE CORPUS
"""

import hashlib
import json
import pathlib
import sys

import duckdb

catalogue, corpus = map(pathlib.Path, sys.argv[1:])
for table in ("files", "entries", "objects", "references", "hashes", "findings"):
    duckdb.sql(f'CREATE VIEW "{table}" AS SELECT * FROM \'{catalogue / table}/*.parquet\'')


def rows(sql):
    return duckdb.sql(sql).fetchall()


def truth(path):
    return json.loads((corpus / path).read_text())


failures = []


def same(what, found, expected):
    if found != expected:
        failures.append(f"{what}: {found!r} and not {expected!r}")


# What other programs counted, file by file.
counts = {file: list(counts) for file, *counts in rows("SELECT file, entries, objects FROM files")}
expected = {"spellforce/pakdata.dat": [59587, 0]}
for path in (corpus / "truth/virtools").glob("*.json"):
    header = json.loads(path.read_text())["header"]
    expected[f"virtools/{path.stem}"] = [header["object_count"]] * 2
for path in (corpus / "snpak").glob("*.snpak"):
    expected[f"snpak/{path.name}"] = [len(truth(f"snpak/{path.stem}.json")["assets"])] * 2
for name, file in truth("spellforce/reduced/manifest.json").items():
    # It also tells of files that are not there.
    if (corpus / "spellforce/reduced" / name).exists():
        expected[f"spellforce/reduced/{name}"] = [len(file["rows"]), sum(file["rows"].values())]
for edition, name in (("1.54_en", "GameData-1.54-en.cff"), ("1.54_ru", "GameData-1.54-ru.cff")):
    chunks = truth("truth/spellforce.json")["editions"][edition]["chunks"]
    expected[f"spellforce/{name}"] = [len(chunks), sum(chunk["rows"] for chunk in chunks)]
for file, wanted in expected.items():
    same(file, counts.get(file), wanted)

# Classes of objects, and assets by their ids and hashes.
classes = {}
for file, kind, count in rows("SELECT file, kind, count(*) FROM objects WHERE file LIKE 'virtools/%' GROUP BY ALL"):
    classes.setdefault(file, {})[kind] = count
for path in (corpus / "truth/virtools").glob("*.json"):
    file = f"virtools/{path.stem}"
    same(f"classes of {file}", classes.get(file), json.loads(path.read_text())["class_counts"])
assets = {}
for file, number, asset in rows("SELECT file, object, id FROM objects WHERE file LIKE 'snpak/%' ORDER BY ALL"):
    assets.setdefault(file, []).append(asset)
for path in (corpus / "snpak").glob("*.snpak"):
    ids = [asset["id"] for asset in truth(f"snpak/{path.stem}.json")["assets"]]
    same(f"assets of {path.name}", assets.get(f"snpak/{path.name}", []), ids)

# References of materials, of entities and of groups, as an independent decoder found them.
related = {}
for file, path, field, target in rows("""SELECT file, path, field, target FROM "references" WHERE file LIKE 'virtools/%' AND target IS NOT NULL"""):
    related.setdefault((file, path, field), []).append(target)
names = {(file, path): name for file, path, name in rows("SELECT file, path, name FROM objects WHERE file LIKE 'virtools/%'")}
for path in (corpus / "truth/virtools").glob("*.json"):
    file, known = f"virtools/{path.stem}", json.loads(path.read_text())
    for kind, field, key in (("materials", "texture", "texture"), ("entities", "parent", "parent")):
        for item in known[kind]:
            targets = related.get((file, f"#{item['index']}", field), [])
            found = [names[file, target] for target in targets]
            same(f"{field} of {item['name']} in {file}", found, [item[key]] if item[key] else [])
    for group in known["groups"]:
        members = related.get((file, f"#{group['index']}", "members"), [])
        same(f"members of {group['name']} in {file}", len(members), group["members"])
        same(f"first members of {group['name']} in {file}", [names[file, member] for member in members[:5]], group["first_members"])

# Contents, by the hash that all the world has.
compared = 0
for file, size, sha256 in rows("SELECT file, size, sha256 FROM hashes WHERE entry IS NULL"):
    path = corpus / file
    # Those that are stored as `.zst` were unpacked elsewhere.
    if path.exists():
        compared += 1
        same(f"hash of {file}", (size, sha256), (path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest()))
same("files without a hash to compare", max(len(expected) - 3 - compared, 0), 0)
same("hashes of files", rows("SELECT count(*) FROM hashes WHERE entry IS NULL"), rows("SELECT count(*) FROM files"))
same("hashes of the same bytes", rows("SELECT sha256 FROM hashes GROUP BY sha256 HAVING count(DISTINCT xxh3) > 1"), [])
same("hashes of other bytes", rows("""SELECT path FROM hashes JOIN entries USING (file, entry, path)
    WHERE entries.hash <> hashes.xxh3 OR entries.size <> hashes.size"""), [])

# The tables agree with each other, and texts, times and truth values come as such.
for table, column in (("entries", "entry"), ("objects", "object")):
    same(table, rows(f"""SELECT file FROM files LEFT JOIN (SELECT file, count(*) AS n, max({column}) AS last
        FROM {table} GROUP BY file) USING (file) WHERE coalesce(n, 0) <> {table} OR last <> n - 1"""), [])
same("findings without a file", rows("SELECT file FROM findings ANTI JOIN files USING (file)"), [])
same("objects without an entry", rows("SELECT path FROM objects ANTI JOIN entries USING (file, entry)"), [])
same("details that are no JSON", rows("SELECT path FROM entries WHERE NOT json_valid(details)"), [])
same("files without a time", rows("SELECT file FROM files WHERE modified < TIMESTAMPTZ '2000-01-01 00:00:00Z'"), [])
same("verdicts", rows("SELECT DISTINCT ok FROM files"), [(True,)])

print("\n".join(failures) or f"{len(counts)} files, {sum(map(sum, counts.values()))} entries and objects: right")
sys.exit(bool(failures or len(counts) < len(expected)))
