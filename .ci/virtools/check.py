"""Judges Virtools files that tests left with a loader that shares nothing with this code, and compares what the loader makes of
them with what the command tells of them.

usage: check.py FOLDER LOADER COMMAND [FAULTS]

Files of the folder `fixtures` below FOLDER may have sections that engines pass over (`--tails` of the loader). FAULTS lists files
that are broken on purpose, one a line: the name, and the rules that are expected to be broken.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

folder, loader, command = map(pathlib.Path, sys.argv[1:4])
faults = {}
if len(sys.argv) > 4:
    for line in pathlib.Path(sys.argv[4]).read_text().splitlines():
        name, *rules = line.split("#")[0].split() or [""]
        if name:
            faults[name] = set(rules)
failures = []
# Classes that the loader calls otherwise.
NAMES = {name: f"{name}Object" for name in ("CKState", "CKSynchro", "CKCriticalSection")}


def lines(files, before, after, fine, at_once=50):
    """What a program prints, object by object, of some files at a time on all cores. It may exit with codes up to `fine`."""
    parts = [[*map(str, before), *files[at : at + at_once], *after] for at in range(0, len(files), at_once)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in pool.map(lambda part: subprocess.run(part, capture_output=True, text=True), parts):
            if done.returncode > fine:
                failures.append(done.stderr[-400:])
            yield from map(json.loads, done.stdout.splitlines())


def judged(files, *options):
    for told in lines(files, [sys.executable, loader, "--json", *options], [], 1):
        yield told["file"], told["loaded"], told["broken"]


def text(name):
    """A name as people read it, which the loader gives byte by byte."""
    if name is None:
        return ""
    page = lambda byte: bytes([byte]).decode("cp1252", "replace").replace("\ufffd", f"\\x{byte:02x}")
    return "".join(page(byte) for byte in name.encode("latin-1"))


def query(files, sql):
    """Rows of all files, by file."""
    found = collections.defaultdict(list)
    for row in lines(files, [command, "query", "--json"], [sql], 0):
        found[row.pop("file")].append(list(row.values()))
    return found


def cut(name):
    """Up to the first NUL, as engines take names."""
    return (name or "").split("\0")[0].split("%00")[0]


files = sorted(str(path) for path in folder.rglob("*.[ncv]m[os]"))
fixtures = [file for file in files if "fixtures" in pathlib.Path(file).relative_to(folder).parts]
sound, unjudged, expected = {}, 0, 0
for file, loaded, broken in [
    *judged([file for file in files if file not in fixtures]),
    *(judged(fixtures, "--tails") if fixtures else []),
]:
    path = pathlib.Path(file)
    # Behind the last hyphen of the stem is a hash of the content.
    name = path.stem.rpartition("-")[0] + path.suffix
    rules = {line.split()[0] for line in broken}
    if loaded is not None and "unjudged" in loaded:
        unjudged += 1
    elif rules != faults.get(name, set()):
        failures.append(f"{name}: {len(broken)} broken, {faults.get(name, 'none')} expected: {broken[:5]}")
    elif rules:
        expected += 1
    else:
        sound[file] = loaded
names = sorted(sound)

# What loaders make of each file, and what the command tells of it.
classes = query(names, "SELECT file, class, count(*) FROM virtools.objects GROUP BY file, class")
groups = query(
    names,
    "SELECT o.file, o.object, o.name, m.member_name FROM virtools.objects o LEFT JOIN group_members m "
    "ON m.file = o.file AND m.object = o.object WHERE o.class = 'CKGroup' ORDER BY o.file, o.object, m.rowid",
)
meshes = query(
    names,
    "SELECT m.file, m.object, m.name, m.vertices, m.faces FROM meshes m JOIN virtools.objects o "
    "ON o.file = m.file AND o.object = m.object WHERE o.class = 'CKMesh' ORDER BY m.file, m.object",
)
materials = query(names, "SELECT file, name, texture_name FROM materials ORDER BY file, object")
textures = query(names, "SELECT file, object, name, file_name FROM textures ORDER BY file, object, slot")
entities = query(
    names,
    "SELECT e.file, e.name, p.name, m.name, e.x, e.y, e.z FROM entities e LEFT JOIN virtools.objects p ON p.file = e.file "
    "AND p.object = e.parent LEFT JOIN virtools.objects m ON m.file = e.file AND m.object = e.mesh "
    # A place saves nothing of an entity.
    "WHERE e.class <> 'CKPlace' ORDER BY e.file, e.object",
)
included = query(names, "SELECT * FROM included_files")
# These take a run of the command for each file, or for each object: of some files in all folders.
sample = names[::8]
listed = collections.defaultdict(list)
for row in lines(sample, [command, "ls", "--json"], ["#*", "included/*"], 0, 1):
    listed[row["file"]].append(row)


def shown(file, row, field):
    """Values of a list of references, or of numbers, as `show` prints them."""
    told = subprocess.run([command, "show", "--json", file, row["path"]], capture_output=True, text=True)
    fields = [one for line in told.stdout.splitlines() for one in json.loads(line)["fields"]]
    return [one["value"] for one in fields if re.fullmatch(field, one["path"])]


def same(what, file, found, wanted):
    if found != wanted:
        differ = [pair for pair in zip(found, wanted) if pair[0] != pair[1]] if isinstance(wanted, list) else [found]
        failures.append(
            f"{pathlib.Path(file).name}: {what} differ: {len(found)} and {len(wanted)}, {str(differ[:2])[:600]}"
        )


def known(file, told, wanted):
    """Of materials and entities of old data versions, which fixtures have, the loader tells nothing."""
    return [one for one in told if one in wanted] if file in fixtures else told


for file, loaded in sound.items():
    wanted = {NAMES.get(name, name): count for name, count in loaded["classes"].items()}
    same("classes", file, dict(classes[file]), wanted)
    members = {}
    for at, name, member in groups[file]:
        entry = members.setdefault(at, (cut(name), []))
        if member is not None:
            entry[1].append(cut(member))
    same(
        "groups",
        file,
        [members[at] for at in sorted(members)],
        [(text(group["name"]), [text(member) for member in group["members"]]) for group in loaded["groups"]],
    )
    same(
        "meshes",
        file,
        [(cut(name), vertices, faces) for _, name, vertices, faces in meshes[file]],
        [(text(mesh["name"]), mesh["vertices"], mesh["faces"]) for mesh in loaded["meshes"]],
    )
    told = [(cut(name), cut(texture)) for name, texture in materials[file]]
    wanted = [(text(one["name"]), text(one["texture"])) for one in loaded["materials"]]
    same("materials", file, known(file, told, wanted), wanted)
    pictures = {}
    for at, name, picture in textures[file]:
        entry = pictures.setdefault(at, (cut(name), []))
        if picture:
            entry[1].append(cut(picture))
    wanted = [(text(one["name"]), [text(name) for name in one["files"]]) for one in loaded["textures"]]
    # Those without a slot are in no row.
    same("textures", file, sorted(pictures.values()), sorted(one for one in wanted if one[1] or one in pictures.values()))
    near = lambda place: [float(f"{number:.5g}") for number in place]
    told = [(cut(name), cut(up), cut(mesh), near(place)) for name, up, mesh, *place in entities[file]]
    wanted = [
        (text(one["name"]), text(one["parent"]), text(one["mesh"]), near(one["position"])) for one in loaded["entities"]
    ]
    same("entities", file, known(file, told, wanted), wanted)
    found = [cut(row[0]) for row in included[file]]
    wanted = [text(name) for name in loaded["included"]] + [text(name) for name in [loaded.get("uncounted")] if name]
    same("included files", file, found, wanted)
    if file not in listed:
        continue
    objects = [row for row in listed[file] if "class" in row]
    same("listed classes", file, dict(collections.Counter(row["class"] for row in objects)), dict(classes[file]))
    behind = [(cut(row["name"]), row["counted"]) for row in listed[file] if "counted" in row]
    counted = [(text(name), True) for name in loaded["included"]]
    same("listed files", file, behind, counted + [(name, False) for name in wanted[len(counted) :]])

for file in sample[::8]:
    loaded, objects = sound[file], [row for row in listed[file] if "class" in row]
    called = {row["index"]: cut(row["name"]) for row in objects}
    of_class = lambda name: [row for row in objects if row["class"] == name]
    told = [[called.get(at) for at in shown(file, row, r"group\.members\[\d+\]") if at is not None] for row in of_class("CKGroup")]
    same("shown members", file, told, [[text(member) for member in group["members"]] for group in loaded["groups"]])
    told = [len(shown(file, row, r"faces\.faces\[\d+\]\.a")) for row in of_class("CKMesh")]
    same("shown faces", file, told, [mesh["faces"] for mesh in loaded["meshes"]])

print(f"{len(sound)} files load whole and are what the command tells; {expected} are broken as they should be, {unjudged} of FileVersion below 8 are not judged")
for line in failures[:40]:
    print(line)
sys.exit(bool(failures) or not sound)
