"""What ranklint_wheel.py packs."""

import hashlib
import unittest
import zipfile

from project import ROOT, Project, ranklint_wheel, write


class Wheels(unittest.TestCase):
    def setUp(self):
        project = Project()
        self.addCleanup(project.close)
        self.stage, self.into = project.scratch / "stage", project.scratch
        write(self.stage, {"bin/ranklint": "\0GLIBC_2.34\0GLIBC_2.4\0", "lib/ranklint/clang/include/stddef.h": "//\n"})

    def pack(self, name="one"):
        folder = self.into / name
        return folder / ranklint_wheel.write_wheel(self.stage, folder, ROOT)

    def test_the_name_says_the_newest_c_library_that_anything_in_it_asks_for(self):
        self.assertRegex(self.pack().name, r"^ranklint-[0-9.]+-py3-none-manylinux_2_34_\w+\.whl$")
        write(self.stage, {"lib/ranklint/ranklint_cpp.so": "\0GLIBC_2.35\0"})
        self.assertIn("manylinux_2_35", self.pack().name)

    def test_the_same_tree_gives_the_same_bytes(self):
        first, second = (hashlib.sha256(self.pack(name).read_bytes()).hexdigest() for name in ("one", "two"))
        self.assertEqual(first, second)

    def test_the_program_is_a_script_and_what_it_loads_lies_beside(self):
        names = zipfile.ZipFile(self.pack()).namelist()
        data = "ranklint-" + ranklint_wheel.version_of(ROOT) + ".data"
        self.assertIn(f"{data}/scripts/ranklint", names)
        self.assertIn(f"{data}/data/lib/ranklint/clang/include/stddef.h", names)

    def test_the_record_names_every_file_once(self):
        wheel = zipfile.ZipFile(self.pack())
        record = next(name for name in wheel.namelist() if name.endswith("/RECORD"))
        told = [line.split(",")[0] for line in wheel.read(record).decode().splitlines()]
        self.assertEqual(told, wheel.namelist())


if __name__ == "__main__":
    unittest.main()
