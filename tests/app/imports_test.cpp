#include <catch2/catch.hpp>

#include "app/check/sources.h"
#include "app/files/import_search.h"
#include "tests/app/world.h"

using namespace ranklint;
using namespace ranklint::app;
using namespace ranklint::test;
using Catch::Contains;

namespace {

using Paths = std::vector<std::string>;

std::string one(std::string_view text) {
  std::string out;
  for (const Import& import : imports_of(text)) {
    out += std::string(import.level, '.') + import.module + ":";
    for (const std::string& name : import.names) out += " " + name;
    out += ";";
  }
  return out;
}

}  // namespace

TEST_CASE("imports are read wherever a statement begins") {
  CHECK(one("import a.b as c, d\n") == "a.b:;d:;");
  CHECK(one("from a . b import c as d, e\n") == "a.b: c e;");
  CHECK(one("from . import x\nfrom ..p import *\n") == ".: x;..p: *;");
  CHECK(one("from .import x\n") == ".: x;");
  CHECK(one("from a import (  # why\n    b,\n    c as d,\n)\nimport e\n") == "a: b c;e:;");
  CHECK(one("from a import \\\n  b\n") == "a: b;");
  CHECK(one("try: import a\nexcept ImportError: pass\nx = 1; import b\n") == "a:;b:;");
  CHECK(one("def f():\n\timport a\n") == "a:;");
}

TEST_CASE("what is no import is none") {
  CHECK(one("'''\nimport a\n'''\n# import b\nx = 'import c'\n").empty());
  CHECK(one("yield from it\nfromage = 1\nimporter()\n").empty());
  CHECK(one("import\nfrom\nfrom . \nimport .\n").empty());
  CHECK(one("s = 'open\nimport a\n") == "a:;");
}

TEST_CASE("half a file is no trouble") {
  // The scan reads the text, and no byte after its end.
  for (const std::string text :
       {"from a import (", "from a import b as", "import a.", "'''", "'", "\\", "from a import (b, #", "from ."})
    for (size_t n = 0; n <= text.size(); ++n) {
      const std::string half = text.substr(0, n);
      INFO(half);
      const std::vector<Import> found = imports_of(half);
      CHECK(found.size() <= 1);
      for (const Import& import : found) {
        CHECK(half.find(import.module) != std::string::npos);
        for (const std::string& name : import.names) CHECK(half.find(name) != std::string::npos);
      }
    }
  CHECK(one("from a import (b, #") == "a: b;");
  CHECK(one("import a") == "a:;");
}

TEST_CASE("an import is looked for where Python may be started: the package's parent, the folder, those above, src") {
  const TempFolder folder;
  for (const char* path : {".git/HEAD", "tools/train.py", "tools/near.py", "common/metrics.py", "src/pkg/__init__.py",
                           "src/pkg/sub/__init__.py", "src/pkg/sub/deep.py", "src/pkg/util.py", "near.py"})
    folder.write(path, "");
  const std::string top = folder.path();
  ImportSearch search("/elsewhere");
  const auto files = [&](const std::string& from, const std::string& text) {
    std::string out;
    for (const std::string& file : search.files_of(imports_of(text).at(0), top + "/" + from))
      out += file.substr(top.size() + 1) + " ";
    return out;
  };
  CHECK(files("tools/train.py", "import near") == "tools/near.py ");
  CHECK(files("tools/train.py", "from common.metrics import mean") == "common/metrics.py ");
  CHECK(files("tools/train.py", "from common import metrics") == "common/metrics.py ");
  CHECK(files("tools/train.py", "import pkg.sub.deep") ==
        "src/pkg/__init__.py src/pkg/sub/__init__.py src/pkg/sub/deep.py ");
  CHECK(files("src/pkg/sub/deep.py", "from ..util import f") == "src/pkg/util.py src/pkg/__init__.py ");
  CHECK(files("src/pkg/sub/deep.py", "from pkg import util") == "src/pkg/__init__.py src/pkg/util.py ");
  CHECK(files("tools/train.py", "import torch").empty());
}

TEST_CASE("what a file imports stays in a folder that is a whole project, and not in a part of one") {
  const TempFolder folder;
  for (const char* path : {"project/setup.py", "project/train.py", "project/tools/run.py", "project/pkg/__init__.py",
                           "project/pkg/sub/__init__.py", "project/pkg/sub/deep.py", "project/vendored/.git/HEAD",
                           "project/vendored/lib/__init__.py", "project/vendored/lib/code.py"})
    folder.write(path, "");
  const auto stays = [&](const std::string& in, const std::string& file) {
    return ImportSearch("/elsewhere").stays_in({folder.path() + "/" + in}, folder.path() + "/" + file);
  };
  CHECK(stays("project", "project/train.py"));
  CHECK(stays("project", "project/pkg/sub/deep.py"));
  CHECK(stays("project", "project/vendored/lib/code.py"));
  CHECK_FALSE(stays("project/tools", "project/tools/run.py"));       // it may import train
  CHECK_FALSE(stays("project/pkg/sub", "project/pkg/sub/deep.py"));  // and this pkg
  CHECK(stays("project/vendored", "project/vendored/lib/code.py"));
  CHECK_FALSE(stays("project/vendored/lib", "project/vendored/lib/code.py"));
}

TEST_CASE("a file that is named is checked with what it imports, and only it is reported") {
  const World world;
  world.folder.write("train.py", "import metrics\nBUG\n");
  world.folder.write("metrics.py", "from far import x\nLOOP\n");
  world.folder.write("far.py", "fine\n");
  world.folder.write("other.py", "BUG\n");
  const Outcome outcome = world.run({"check", "train.py", "--verbose"});
  CHECK(outcome.log.read_paths == Paths{"far.py", "metrics.py", "train.py"});
  CHECK(outcome.log.reported_paths == Paths{"train.py"});
  CHECK_THAT(outcome.err, Contains("files read besides: 2\n"));
  CHECK_THAT(outcome.out, !Contains("LOOP"));
}

TEST_CASE("what comes from standard input imports from the folder of its name") {
  World world;
  world.folder.write("lib/metrics.py", "fine\n");
  world.stdin_text = "import metrics\n";
  CHECK(world.run({"check", "-", "--stdin-filename", "lib/train.py"}).log.read_paths ==
        Paths{"lib/metrics.py", "lib/train.py"});
}

TEST_CASE("what was left out of a folder, or is excluded, is not read for being imported") {
  const World world;
  world.folder.write("a/train.py", "import left\nimport common.x\n");
  world.folder.write("a/left.py", "fine\n");
  world.folder.write("common/x.py", "fine\n");
  world.folder.write(".git/HEAD", "");
  CHECK(world.run({"check", "a", "--exclude", "left.py"}).log.read_paths == Paths{"a/train.py", "common/x.py"});
  CHECK(world.run({"check", "a", "--exclude", "common"}).log.read_paths == Paths{"a/left.py", "a/train.py"});
}

TEST_CASE("a folder of a package is walked, and what it imports from above it is read") {
  const World world;
  for (const char* name : {"a/__init__.py", "a/b/__init__.py", "a/b/c/__init__.py", "a/x.py", "a/b/y.py"})
    world.folder.write(name, "fine\n");
  world.folder.write("a/b/c/train.py", "from a import x\nfrom ..y import f\n");
  world.folder.write("a/b/.git/HEAD", "");
  CHECK(world.run({"check", "a/b"}).log.read_paths ==
        Paths{"a/__init__.py", "a/b/__init__.py", "a/b/c/__init__.py", "a/b/c/train.py", "a/b/y.py", "a/x.py"});
  CHECK(world.run({"check", "a/b/c"}).log.read_paths ==
        Paths{"a/__init__.py", "a/b/__init__.py", "a/b/c/__init__.py", "a/b/c/train.py", "a/b/y.py", "a/x.py"});
}

TEST_CASE("so many files are read for being imported, and no more without a word") {
  const World world;
  std::string imports;
  for (size_t i = 0; i <= kMostImported; ++i) {
    world.folder.write("m" + std::to_string(i) + ".py", "");
    imports += "import m" + std::to_string(i) + "\n";
  }
  world.folder.write("train.py", imports);
  const Outcome outcome = world.run({"check", "train.py"});
  CHECK(outcome.log.read_paths.size() == kMostImported + 1);
  CHECK_THAT(outcome.err, Contains("the nearest 500 files were read"));
}
