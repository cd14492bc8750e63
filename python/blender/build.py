"""Makes the extension that Blender installs: `python build.py WHEEL... -o FOLDER` puts the add-on and the wheels of the package for the
systems that it is for into one archive. numpy is Blender's own, so none goes in."""

from __future__ import annotations

import argparse
import re
import tomllib
import zipfile
from pathlib import Path

ADDON = Path(__file__).resolve().parent / "virtools"
PLATFORMS = {"linux_x86_64": "linux-x64", "win_amd64": "windows-x64", "macosx": "macos-arm64"}
"""Platforms of Blender, by what names of wheels have for them."""


def platform_of(wheel: Path) -> str:
    """The platform that a wheel is for."""
    name = wheel.name.replace("manylinux", "linux")
    found = [platform for key, platform in PLATFORMS.items() if re.search(key.replace("linux_", r"linux\w*_"), name)]
    if not found:
        raise SystemExit(f"{wheel.name} is for no system that Blender runs on")
    return found[0]


def build(wheels: list[Path], folder: Path) -> Path:
    """Writes the archive, and returns its path."""
    manifest = (ADDON / "blender_manifest.toml").read_text()
    listed = ", ".join(f'"./wheels/{wheel.name}"' for wheel in wheels)
    platforms = ", ".join(f'"{platform}"' for platform in sorted({platform_of(wheel) for wheel in wheels}))
    manifest = manifest.replace("wheels = []", f"wheels = [{listed}]\nplatforms = [{platforms}]")
    known = tomllib.loads(manifest)
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{known['id']}-{known['version']}.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("blender_manifest.toml", manifest)
        for path in sorted(ADDON.glob("*.py")):
            archive.write(path, path.name)
        for wheel in wheels:
            archive.write(wheel, f"wheels/{wheel.name}")
    return target


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheels", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path())
    given = parser.parse_args()
    print(build(given.wheels, given.output))


if __name__ == "__main__":
    main()
