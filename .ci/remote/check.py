"""What reading a large pack from a server takes, what writing to a store leaves there, and whom TLS trusts."""

import os
import pathlib
import random
import re
import subprocess
import sys

import boto3

program, work, http, https = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
store = boto3.client("s3", endpoint_url=os.environ["AWS_ENDPOINT"], region_name=os.environ["AWS_REGION"])
COUNT, SIZE = 20_000, 10_000
MULTIPLIERS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


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


# A pack of 200 MB, of assets that no codec makes smaller.
assets = work / "assets"
assets.mkdir()
source = random.Random(1)
for nth in range(COUNT):
    (assets / f"asset-{nth:05}.bin").write_bytes(source.randbytes(SIZE))
spelunk("pack", "assets", "-o", "large.snpak")
pack = work / "large.snpak"
head = pack.open("rb").read(180)
number = lambda at: int.from_bytes(head[at : at + 8], "little")
# Header, index and names.
tables = 180 + number(36) + number(52)
size = pack.stat().st_size

# Written in parts, and read again.
_, said = spelunk("rewrite", "large.snpak", "s3://files/out/large.snpak", "-v")
print("written to the store:", said.strip().splitlines()[-1])
for url in [f"{http}/large.snpak", "s3://files/out/large.snpak"]:
    _, said = spelunk("ls", url, "-v", "--json")
    requests, taken = traffic(said)
    print(f"ls of {size} bytes, {tables} of tables: {requests} requests, {taken:.0f} bytes")
    assert requests <= 6 and taken <= 1.2 * tables, (requests, taken, tables)
    asset, said = spelunk("cat", url, "asset-01234.bin", "-v")
    more, _ = traffic(said)
    assert asset == (assets / "asset-01234.bin").read_bytes()
    assert more <= requests + 1, (more, requests)
spelunk("rewrite", "s3://files/out/large.snpak", "back.snpak")
assert (work / "back.snpak").read_bytes() == pack.read_bytes(), "other bytes came back"

# What is there stays, unless that is asked for; the second is large, so that it goes in parts.
for file in ["files/samples/forest.snpak", "large.snpak"]:
    _, said = spelunk("rewrite", file, "s3://files/out/large.snpak", fails=True)
    assert "SP021" in said, said
spelunk("rewrite", "files/samples/level.nmo", "s3://files/out/large.snpak", "--force", "--backup=.old")
spelunk("rewrite", "s3://files/out/large.snpak.old", "back.snpak", "--force")
assert (work / "back.snpak").read_bytes() == pack.read_bytes(), "other bytes were kept"

# In place, and as a folder.
name = "s3://files/out/level.nmo"
change = ["CKMaterial/Wood/material.diffuse=0xff00ff00", "--in-place"]
spelunk("rewrite", "files/samples/level.nmo", name)
spelunk("rewrite", "files/samples/level.nmo", "level.nmo")
for file in [name, "level.nmo"]:
    spelunk("set", file, *change)
spelunk("rewrite", name, "changed.nmo")
assert (work / "changed.nmo").read_bytes() == (work / "level.nmo").read_bytes()
spelunk("extract", "files/samples/forest.snpak", "-C", "s3://files/out/forest/")
spelunk("extract", "files/samples/forest.snpak", "-C", "s3://files/out/forest/", fails=True)
spelunk("extract", "files/samples/forest.snpak", "-C", "forest")
for path in sorted(path for path in (work / "forest").rglob("*") if path.is_file()):
    within = path.relative_to(work / "forest").as_posix()
    there = store.get_object(Bucket="files", Key=f"out/forest/{within}")
    assert there["Body"].read() == path.read_bytes(), within

# A certificate that nobody knows is refused.
_, said = spelunk("info", f"{https}/files/samples/level.nmo", fails=True)
assert "SP202" in said and "ertificate" in said, said
print("a certificate that nobody knows:", said.strip().splitlines()[0])
