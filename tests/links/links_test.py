"""Whether each library names what it uses: a symbol that library A leaves undefined and library B defines means that A is
linked with B, directly or by the public links of what it is linked with. A program may link all the same, because it names B
itself, until one comes that does not.

    links_test.py LIBRARIES NM    LIBRARIES, a file that CMake writes: name, archive, links, public links, by tabs
"""

import subprocess
import sys
import unittest
from pathlib import Path


class Library:
    def __init__(self, links, public_links, uses=(), defines=()):
        self.links, self.public_links = set(links), set(public_links)
        self.uses, self.defines = set(uses), set(defines)


def links(text):
    return [name for name in text.split(",") if name]


def read_symbols(library, nm, archive):
    """What is inline is defined wherever it is used, as a weak symbol, and asks for no link."""
    listed = subprocess.run([nm, "--format=posix", archive], check=True, capture_output=True, text=True).stdout
    for line in listed.splitlines():
        name, _, rest = line.partition(" ")
        kind = rest[:1]
        if kind == "U":
            library.uses.add(name)
        elif kind and kind in "TDBR":
            library.defines.add(name)


def read_libraries(file, nm):
    libraries = {}
    for line in file.read_text().splitlines():
        name, archive, direct, public = line.split("\t")
        libraries[name] = Library(links(direct), links(public))
        if archive:
            read_symbols(libraries[name], nm, archive)
    return libraries


def reached(libraries, name):
    found, left = set(), list(libraries[name].links)
    while left:
        library = left.pop()
        if library in libraries and library not in found:
            found.add(library)
            left += libraries[library].public_links
    return found


def missing_links(libraries):
    defined_by = {}
    for name, library in libraries.items():
        for symbol in library.defines:
            defined_by.setdefault(symbol, set()).add(name)
    missing = set()
    for name, library in libraries.items():
        known = reached(libraries, name) | {name}
        for symbol in library.uses:
            owners = defined_by.get(symbol, set())
            if owners and not owners & known:
                missing.add((name, min(owners), symbol))
    return [f"{user} uses {symbol} of {owner}, which it does not link" for user, owner, symbol in sorted(missing)]


class Links(unittest.TestCase):
    maxDiff = None

    def test_each_library_names_what_it_uses(self):
        libraries = read_libraries(Path(sys.argv[1]), sys.argv[2])
        self.assertGreater(sum(bool(library.uses and library.defines) for library in libraries.values()), 30)
        self.assertEqual(missing_links(libraries), [])

    def test_a_missing_link_is_found_and_a_public_one_further_down_counts(self):
        libraries = {
            "low": Library([], [], defines={"f"}),
            "middle": Library(["low"], ["low"], uses={"f"}, defines={"g"}),
            "private": Library(["low"], [], uses={"f"}, defines={"p"}),
            "high": Library(["middle"], [], uses={"f", "g", "puts"}),
            "wrong": Library(["private"], [], uses={"f", "p"}),
        }
        self.assertEqual(missing_links(libraries), ["wrong uses f of low, which it does not link"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
