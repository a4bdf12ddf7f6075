#!/usr/bin/env python3
"""The rules for ninja of docs/cache.md: what was read by itself is judged together, and only what changed is read again."""

import re
import unittest

from project import RANKLINT, ROOT, Project, findings_in


class Ninja(Project):
    def setUp(self):
        super().setUp()
        page = (ROOT / "docs/cache.md").read_text()
        self.write("build.ninja", re.search(r"```ninja\n(.*?)```", page, re.S).group(1))

    def build(self):
        path = f"{RANKLINT.parent}:/usr/local/bin:/usr/bin:/bin"
        output = self.run_in("ninja", "-v", PATH=path)
        return sorted(re.findall(r"ranklint (?:lower .*?(src/\S+)|check)", output))

    def test_the_page_s_rules_find_what_a_check_finds(self):
        self.assertEqual(self.build(), ["", "src/model.py", "src/train.py"])
        found = findings_in(self.folder / "findings.sarif")
        self.assertEqual(len(found), 1)
        self.assertEqual(found, self.found_by_check("src"))

    def test_only_what_changed_is_read_again(self):
        self.build()
        self.assertEqual(self.build(), [])
        self.write("src/model.py", "import torch.distributed as dist\n\n\ndef all_wait():\n    pass\n")
        self.assertEqual(self.build(), ["", "src/model.py"])
        self.assertEqual(findings_in(self.folder / "findings.sarif"), [])


if __name__ == "__main__":
    unittest.main()
