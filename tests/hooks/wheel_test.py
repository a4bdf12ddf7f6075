"""What ranklint_wheel.py packs."""

import hashlib
import unittest
import zipfile

from project import ROOT, Project, ranklint_wheel, write

X86_64, AARCH64 = 62, 183  # e_machine of ELF


class Wheels(unittest.TestCase):
    def setUp(self):
        project = Project()
        self.addCleanup(project.close)
        self.stage, self.into = project.scratch / "stage", project.scratch
        self.program(X86_64, b"\0GLIBC_2.14\0GLIBC_2.4\0")
        write(self.stage, {"lib/ranklint/clang/include/stddef.h": "//\n"})

    def program(self, machine, rest):
        (self.stage / "bin").mkdir(parents=True, exist_ok=True)
        (self.stage / "bin/ranklint").write_bytes(b"\x7fELF" + bytes(14) + machine.to_bytes(2, "little") + rest)

    def pack(self, name="one"):
        folder = self.into / name
        return folder / ranklint_wheel.write_wheel(self.stage, folder, ROOT)

    def test_the_name_says_the_newest_c_library_that_anything_in_it_asks_for_from_2_28_on(self):
        self.assertRegex(self.pack().name, r"^ranklint-[0-9.]+-py3-none-manylinux_2_28_x86_64\.whl$")
        write(self.stage, {"lib/ranklint/ranklint_cpp.so": "\0GLIBC_2.35\0"})
        self.assertIn("manylinux_2_35", self.pack().name)

    def test_the_name_says_which_machine_the_program_is_for_and_not_where_it_was_packed(self):
        self.program(AARCH64, b"\0GLIBC_2.17\0")
        self.assertTrue(self.pack().name.endswith("-py3-none-manylinux_2_28_aarch64.whl"))

    def test_what_is_no_program_for_linux_is_not_packed(self):
        write(self.stage, {"bin/ranklint": "#!/bin/sh\n"})
        self.assertRaisesRegex(SystemExit, "expected a program for x86_64 or aarch64", self.pack)

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
