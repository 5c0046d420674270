"""The licences of all packages that movelo, its extras and its tests need, as installed here.

python tests/licences.py
"""

import re
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent

COMBINABLE = frozenset(
    (
        *("mit", "mit license", "mit-cmu", "isc", "isc license", "isc license (iscl)", "0bsd"),
        *("bsd", "bsd license", "bsd 2-clause license", "bsd-2-clause", "bsd-3-clause"),
        *("3-clause bsd license", "zlib", "cc0-1.0", "psf-2.0", "unlicense"),
        *("apache 2.0", "apache-2.0", "apache software license"),
        *("mpl-2.0", "mozilla public license 2.0 (mpl 2.0)"),
        *("lgpl-3.0-only", "lgpl-3.0-or-later"),
        *("gpl-3.0+", "gpl-3.0-or-later", "gnu general public license v3"),
        *("gnu general public license v3 (gplv3)",),
        *("gnu general public license v3 or later (gplv3+)", "agpl-3.0-or-later"),
    )
)
"""What may be combined with AGPL-3.0-or-later: permissive ones, MPL-2.0 (section 3.3), the GPL's
and the LGPL's third versions (AGPL, section 13). Not GPL-2.0-only, nor EPL or CDDL."""

READ = {
    "docutils": "public domain and BSD-2-Clause; an Emacs mode is GPL-3.0-or-later (COPYING)",
}
"""Packages whose own words are too short, and what a person found in them."""


def needed() -> dict[str, metadata.Distribution]:
    """Every installed package that something here asks for, by its name.

    Not everybody has every extra: what is not installed is left out.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    waiting = [Requirement(text) for texts in lists for text in texts]
    found: dict[str, metadata.Distribution] = {}
    done: set[str] = set()
    while waiting:
        wanted = waiting.pop()
        if str(wanted) in done or wanted.name == "movelo":
            continue
        done.add(str(wanted))
        if wanted.marker is None or wanted.marker.evaluate():
            try:
                installed = metadata.distribution(wanted.name)
            except metadata.PackageNotFoundError:
                continue
            found[wanted.name.lower()] = installed
            waiting += _asked_for_by(installed, wanted.extras)
    return found


def _asked_for_by(installed: metadata.Distribution, extras: set[str]) -> Iterator[Requirement]:
    for text in installed.requires or ():
        wanted = Requirement(text)
        marker = wanted.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            wanted.marker = None
            yield wanted


def licence_of(package: metadata.Distribution) -> str:
    """As the package states it: an SPDX expression, else its classifiers, else a word."""
    stated = package.metadata
    if "License-Expression" in stated:
        return stated["License-Expression"]
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in stated.get_all("Classifier", [])
        if line.startswith("License ::")
    ]
    return " AND ".join(classifiers) or _first_line(stated)


def _first_line(stated: metadata.PackageMetadata) -> str:
    return stated["License"].partition("\n")[0] if "License" in stated else ""


def is_combinable(licence: str) -> bool:
    """Whether movelo may be given away together with it: all parts, one of the alternatives."""
    either = re.split(r"\s+OR\s+", licence)
    return any(
        all(part.strip(" ()").lower() in _with_closed(COMBINABLE) for part in _parts(alternative))
        for alternative in either
    )


def _parts(alternative: str) -> list[str]:
    return re.split(r"\s+AND\s+", alternative)


def _with_closed(licences: frozenset[str]) -> frozenset[str]:
    """Brackets of an expression are stripped from both ends, and so from a name that ends so."""
    return licences | {licence.strip(" ()") for licence in licences}


if __name__ == "__main__":
    for name, package in sorted(needed().items()):
        print(f"{name} {package.version}: {licence_of(package)}")
