// Which file an import means, by the folders of a project.
#include <catch2/catch.hpp>

#include <string>

#include "analyzer/ir/parse.h"
#include "analyzer/resolve/source_tree.h"

namespace ranklint {
namespace {

// A project of files that do nothing, but for one of them that imports something.
class Project {
 public:
  explicit Project(const std::vector<std::string>& paths, const std::string& importing = {},
                   const std::string& imports = {})
      : modules_(modules_of(paths, importing, imports)), tree_(modules_, {"accelerate", "torch"}) {}

  // The path of what `import dotted` in a file means; empty: nothing that is known.
  std::string absolute(const std::string& from, std::string_view dotted) const {
    return path_of(tree_.absolute(at(from), dotted, ImportReach::Everywhere));
  }
  std::string relative(const std::string& from, uint32_t level, std::string_view dotted) const {
    return path_of(tree_.relative(at(from), level, dotted));
  }

 private:
  static IdVector<ModuleKey, ir::Module> modules_of(const std::vector<std::string>& paths, const std::string& importing,
                                                    const std::string& imports) {
    IdVector<ModuleKey, ir::Module> modules;
    for (const std::string& path : paths) {
      const std::string text = "module \"" + path +
                               "\"\nlanguage \"python\" shares_objects numbers_are_values declares_no_types\n\n"
                               "func <module>() {\n^entry:\n" +
                               (path == importing ? "  " + imports + "\n" : std::string()) + "  return\n}\n";
      Result<ir::Module> module = ir::parse(text, path);
      INFO((module ? std::string() : module.error().message));
      REQUIRE(module);
      modules.push_back(std::move(*module));
    }
    return modules;
  }
  ModuleKey at(const std::string& path) const {
    for (ModuleKey m{0}; m.index < modules_.size(); ++m.index)
      if (modules_[m].path == path) return m;
    FAIL("no file " << path);
    return {};
  }
  std::string path_of(ModuleKey m) const { return m.valid() ? modules_[m].path : std::string(); }

  const IdVector<ModuleKey, ir::Module> modules_;
  const SourceTree tree_;
};

}  // namespace

TEST_CASE("a script sees the modules of its own folder before those of the folders around it") {
  const Project project({"utils.py", "one/train.py", "one/utils.py", "two/train.py"});
  CHECK(project.absolute("one/train.py", "utils") == "one/utils.py");
  CHECK(project.absolute("two/train.py", "utils") == "utils.py");
}

TEST_CASE("a file does not mean itself by its name") {
  const Project project({"examples/horovod.py", "logging.py"});
  CHECK(project.absolute("examples/horovod.py", "horovod").empty());
  CHECK(project.absolute("logging.py", "logging").empty());
}

TEST_CASE("a file in a package sees the folders that no package is in") {
  const Project project({"pkg/__init__.py", "pkg/a.py", "pkg/logging.py", "pkg/sub/__init__.py", "pkg/sub/b.py"},
                        "pkg/a.py", "from .logging import x");
  CHECK(project.absolute("pkg/sub/b.py", "pkg.a") == "pkg/a.py");
  CHECK(project.absolute("pkg/sub/b.py", "logging").empty());
  CHECK(project.absolute("pkg/a.py", "logging").empty());
}

TEST_CASE("a file of a package that imports nothing relatively may be a script") {
  const Project project({"pkg/__init__.py", "pkg/a.py", "pkg/helpers.py"});
  CHECK(project.absolute("pkg/a.py", "helpers") == "pkg/helpers.py");
}

TEST_CASE("a package in a package is found by its own name if its files call it so") {
  const std::vector<std::string> paths = {"main.py", "outer/__init__.py", "outer/inner/__init__.py", "outer/inner/a.py",
                                          "outer/inner/b.py"};
  CHECK(Project(paths).absolute("outer/inner/b.py", "inner.a").empty());
  const Project project(paths, "outer/inner/a.py", "from inner.b import x");
  CHECK(project.absolute("outer/inner/b.py", "inner.a") == "outer/inner/a.py");
  CHECK(project.absolute("main.py", "inner.a") == "outer/inner/a.py");
}

TEST_CASE("of several copies the nearest is meant, and none if two are equally near") {
  const Project project({"one/tests/t.py", "one/src/pkg/__init__.py", "one/src/pkg/a.py", "run/t.py",
                         "two/src/pkg/__init__.py", "two/src/pkg/a.py"});
  CHECK(project.absolute("one/tests/t.py", "pkg.a") == "one/src/pkg/a.py");
  CHECK(project.absolute("run/t.py", "pkg.a").empty());
}

TEST_CASE("a module that is no package is found around its importer only") {
  const Project project({"other/deep/utils.py", "scripts/train.py"});
  CHECK(project.absolute("scripts/train.py", "utils").empty());
}

TEST_CASE("what is called as an installed library is one where it is a package") {
  const Project project({"a.py", "own/x.py", "own/torch/distributed.py", "src/accelerate/__init__.py", "torch.py"});
  CHECK(project.absolute("own/x.py", "torch.distributed").empty());
  CHECK(project.absolute("a.py", "torch").empty());
  CHECK(project.absolute("a.py", "accelerate") == "src/accelerate/__init__.py");
}

TEST_CASE("a relative import means what lies there, and nothing else") {
  const Project project({"pkg/__init__.py", "pkg/a.py", "pkg/sub/__init__.py", "pkg/sub/b.py", "x/pkg/sub/c.py"});
  CHECK(project.relative("pkg/sub/b.py", 1, "") == "pkg/sub/__init__.py");
  CHECK(project.relative("pkg/sub/b.py", 2, "a") == "pkg/a.py");
  CHECK(project.relative("pkg/sub/b.py", 1, "c").empty());
  CHECK(project.relative("pkg/__init__.py", 1, "a") == "pkg/a.py");
  CHECK(project.relative("pkg/a.py", 4, "a").empty());
}

}  // namespace ranklint
