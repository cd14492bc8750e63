"""What reading a large pack from a server takes, what writing to a store leaves there, and whom TLS trusts.

usage: check.py PROGRAM FOLDER HTTP HTTPS, where both servers have the folder, and AWS_ENDPOINT has the store.
"""

import contextlib
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

import boto3

program, work, http, https = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
store = boto3.client("s3", endpoint_url=os.environ["AWS_ENDPOINT"], region_name=os.environ["AWS_REGION"])
MULTIPLIERS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
# Many assets, so that the tables are large, and several parts of 8 MiB; no more than that, because the store copies all of an object for
# each part of it that is read.
MANY, SHORT = 10_000, 3_000
# A gigabyte, whose tables are still many times the 64 KiB that the first request of a file asks for.
FEW, LONG = 4_000, 1 << 18


@contextlib.contextmanager
def step(what):
    started = time.monotonic()
    yield
    print(f"{what}: {time.monotonic() - started:.1f} s", flush=True)


def spelunk(*args, fails=False):
    ended = subprocess.run([program, *map(str, args)], cwd=work, capture_output=True)
    said = ended.stderr.decode()
    assert (ended.returncode != 0) == fails, (args, ended.returncode, said)
    assert "hush" not in said, "credentials are printed"
    return ended.stdout, said


def traffic(said):
    """The requests and bytes that -v tells."""
    found = re.search(r"([\d,]+) requests?, ([\d.,]+) (\w+) of answers", said)
    return int(found[1].replace(",", "")), float(found[2].replace(",", "")) * MULTIPLIERS[found[3]]


def asset_name(nth):
    return f"asset-{nth:05}.bin"


def make_pack(name, count, write, *options):
    """A pack of so many assets, each written to a file first."""
    assets = work / "assets"
    assets.mkdir()
    for nth in range(count):
        with (assets / asset_name(nth)).open("wb") as file:
            write(nth, file)
    spelunk("pack", "assets", "-o", name, *options)
    shutil.rmtree(assets)


def write_noise(nth, file):
    # No codec makes it smaller.
    file.write(random.Random(nth).randbytes(SHORT))


def write_sparse(nth, file):
    # No two are the same, and only the pack takes room on the disk.
    file.write(random.Random(nth).randbytes(16))
    file.truncate(LONG)


def tables_of(pack):
    """Bytes of its header, index and names."""
    with pack.open("rb") as file:
        head = file.read(180)
    number = lambda at: int.from_bytes(head[at : at + 8], "little")
    return 180 + number(36) + number(52)


def read_over(url, name, nth, expected):
    """Lists the pack that lies there, and reads one asset of it: no more than tables and that asset may come."""
    pack = work / name
    size, tables = pack.stat().st_size, tables_of(pack)
    listed, said = spelunk("ls", url, "-v", "--json")
    requests, taken = traffic(said)
    print(f"ls of {size} bytes, {tables} of tables: {requests} requests, {taken:.0f} bytes")
    assert len(listed.splitlines()) == (MANY if name == "large.snpak" else FEW)
    assert requests <= 6 and taken <= 1.2 * tables, (requests, taken, tables)
    asset, said = spelunk("cat", url, asset_name(nth), "-v")
    more, _ = traffic(said)
    assert asset == expected
    assert more <= requests + 1, (more, requests)


def noise(nth):
    return random.Random(nth).randbytes(SHORT)


def same(name, other, about):
    assert (work / name).read_bytes() == (work / other).read_bytes(), about


def write_and_read_again():
    """Written in parts, and read again."""
    _, said = spelunk("rewrite", "large.snpak", "s3://files/out/large.snpak", "-v")
    print("written to the store:", said.strip().splitlines()[-1])
    read_over("s3://files/out/large.snpak", "large.snpak", 1234, noise(1234))
    spelunk("rewrite", "s3://files/out/large.snpak", "back.snpak")
    same("back.snpak", "large.snpak", "other bytes came back")


def keep_what_is_there():
    """What is there stays, unless that is asked for; the second is large, so that it goes in parts."""
    for file in ["files/samples/forest.snpak", "large.snpak"]:
        _, said = spelunk("rewrite", file, "s3://files/out/large.snpak", fails=True)
        assert "SP021" in said, said
    spelunk("rewrite", "files/samples/level.nmo", "s3://files/out/large.snpak", "--force", "--backup=.old")
    spelunk("rewrite", "s3://files/out/large.snpak.old", "back.snpak", "--force")
    same("back.snpak", "large.snpak", "other bytes were kept")


def change_in_place():
    name = "s3://files/out/level.nmo"
    spelunk("rewrite", "files/samples/level.nmo", name)
    spelunk("rewrite", "files/samples/level.nmo", "level.nmo")
    for file in [name, "level.nmo"]:
        spelunk("set", file, "CKMaterial/Wood/material.diffuse=0xff00ff00", "--in-place")
    spelunk("rewrite", name, "changed.nmo")
    same("changed.nmo", "level.nmo", "another change was made")
    assert (work / "changed.nmo").read_bytes() != (work / "files/samples/level.nmo").read_bytes()


def extract_and_pack():
    """A folder of the store, and the pack that it came from again."""
    folder = "s3://files/out/forest/"
    spelunk("extract", "files/samples/forest.snpak", "-C", folder)
    spelunk("extract", "files/samples/forest.snpak", "-C", folder, fails=True)
    spelunk("extract", "files/samples/forest.snpak", "-C", "forest")
    for path in sorted(path for path in (work / "forest").rglob("*") if path.is_file()):
        within = path.relative_to(work / "forest").as_posix()
        there = store.get_object(Bucket="files", Key=f"out/forest/{within}")
        assert there["Body"].read() == path.read_bytes(), within
    # From the store to the disk.
    spelunk("extract", "s3://files/samples/forest.snpak", "-C", "from-store")
    ended = subprocess.run(["diff", "-r", "forest", "from-store"], cwd=work, capture_output=True)
    assert ended.returncode == 0, ended.stdout


def refuse_a_stranger():
    """A certificate that nobody knows is refused."""
    _, said = spelunk("info", f"{https}/files/samples/level.nmo", fails=True)
    assert "SP202" in said and "UnknownIssuer" in said, said
    print("a certificate that nobody knows:", said.strip().splitlines()[0])


with step(f"a pack of {MANY} assets"):
    make_pack("large.snpak", MANY, write_noise)
with step("read over HTTP"):
    read_over(f"{http}/large.snpak", "large.snpak", 1234, noise(1234))
with step("written to the store and read again"):
    write_and_read_again()
with step("what is there is kept"):
    keep_what_is_there()
with step("in place"):
    change_in_place()
with step("a folder in the store"):
    extract_and_pack()
with step("TLS"):
    refuse_a_stranger()
with step(f"a pack of {FEW * LONG} bytes of assets"):
    make_pack("huge.snpak", FEW, write_sparse, "--compress", "none")
with step("read over HTTP"):
    read_over(f"{http}/huge.snpak", "huge.snpak", 2345, random.Random(2345).randbytes(16) + bytes(LONG - 16))
(work / "huge.snpak").unlink()
