#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <random>

#include "app/files/discover.h"
#include "tests/app/world.h"

using namespace ranklint;
using namespace ranklint::test;
namespace fs = std::filesystem;

namespace {

using Paths = std::vector<std::string>;

Paths found_in(const World& world, const Paths& args = {}) {
  Paths all{"check"};
  all.insert(all.end(), args.begin(), args.end());
  return world.run(all).log.read_paths;
}

}  // namespace

TEST_CASE("folders are walked in order, and only Python files are taken") {
  const World world;
  for (const char* name : {"b.py", "a/z.py", "a/b.pyw", "c.pyi", "d.txt", "e.ipynb", "a.py"})
    world.folder.write(name, "");
  CHECK(found_in(world) == Paths{"a.py", "a/b.pyw", "a/z.py", "b.py"});
}

TEST_CASE("C and C++ are found in folders by each of their suffixes") {
  const World world;
  const Paths sources{"a.C", "a.c", "a.c++", "a.cc", "a.cpp", "a.cppm", "a.cu", "a.hip"};
  for (const std::string& name : sources) world.folder.write(name, "");
  for (const char* name : {"a.h", "a.hpp", "a.cs", "ac"}) world.folder.write(name, "");
  CHECK(found_in(world) == sources);
}

TEST_CASE("a file that is named and is no source is an error, unless such files are to be left out") {
  const World world;
  for (const char* name : {"a.py", "notes.txt", "n.ipynb", "x.hpp"}) world.folder.write(name, "");
  const Outcome alone = world.run({"check", "n.ipynb"});
  CHECK(alone.status == 2);
  CHECK_THAT(alone.err, Catch::Contains("n.ipynb: not a file that ranklint reads"));
  const Outcome beside = world.run({"check", "a.py", "notes.txt"});
  CHECK(beside.status == 2);
  CHECK(beside.log.read_paths == Paths{"a.py"});
  CHECK_THAT(beside.err, Catch::Contains("notes.txt: cannot be read: not a file that ranklint reads"));
  CHECK(world.run({"check", "--force-exclude", "a.py", "notes.txt"}).status == 0);
  const Outcome header = world.run({"check", "x.hpp"});
  CHECK(header.status == 2);
  CHECK_THAT(header.err, Catch::Contains("x.hpp: a header, read with the sources that include it"));
  CHECK(world.run({"check", "--force-exclude", "x.hpp"}).status == 0);
  CHECK(world.run({"check", "--force-exclude", "n.ipynb"}).status == 0);  // a hook names what changed
}

TEST_CASE("a script that is named is taken without a suffix, and once") {
  const World world;
  world.folder.write("script", "");
  world.folder.write("pkg/a.py", "");
  CHECK(found_in(world, {"script", "pkg", "pkg/a.py", "./pkg/../pkg/a.py"}) == Paths{"pkg/a.py", "script"});
}

TEST_CASE("files outside the current folder are shown with their absolute path") {
  World world;
  world.folder.write("a.py", "");
  world.folder.write("sub/b.py", "");
  world.subfolder = "sub";
  CHECK(found_in(world, {"..", "b.py"}) == Paths{world.folder.path() + "/a.py", "b.py"});
}

TEST_CASE("built and fetched code is left out, unless it is a package") {
  const World world;
  for (const char* name : {".venv/a.py", "node_modules/a.py", "build/a.py", "dist/a.py", "__pycache__/a.py",
                           "myenv/a.py", "myenv/pyvenv.cfg", "pkg/build/__init__.py", "pkg/build/a.py"})
    world.folder.write(name, "");
  CHECK(found_in(world) == Paths{"pkg/build/__init__.py", "pkg/build/a.py"});
  CHECK(found_in(world, {"build"}) == Paths{"build/a.py"});
}

TEST_CASE("the flag --exclude stands in for the default, --extend-exclude adds to it") {
  const World world;
  for (const char* name : {"build/a.py", "tests/a.py", "src/a.py", "src/old/a.py"}) world.folder.write(name, "");
  CHECK(found_in(world, {"--extend-exclude", "tests,src/old"}) == Paths{"src/a.py"});
  CHECK(found_in(world, {"--exclude", "tests"}) == Paths{"build/a.py", "src/a.py", "src/old/a.py"});
}

TEST_CASE("a path that is named is checked although it is excluded, unless --force-exclude") {
  const World world;
  world.folder.write("tests/a.py", "");
  CHECK(found_in(world, {"--extend-exclude", "tests", "tests/a.py"}) == Paths{"tests/a.py"});
  CHECK(found_in(world, {"--extend-exclude", "tests", "--force-exclude", "tests/a.py"}).empty());
  world.folder.write("build/a.py", "");
  CHECK(found_in(world, {"--force-exclude", "build/a.py"}).empty());
}

TEST_CASE(".gitignore files are honoured, also those above, unless told otherwise") {
  World world;
  fs::create_directory(world.folder.path() + "/.git");
  world.folder.write(".gitignore", "*.gen.py\n/top.py\n");
  world.folder.write("sub/.gitignore", "!kept.gen.py\nlocal/\n");
  for (const char* name : {"top.py", "sub/top.py", "sub/a.gen.py", "sub/kept.gen.py", "sub/local/a.py"})
    world.folder.write(name, "");
  CHECK(found_in(world) == Paths{"sub/kept.gen.py", "sub/top.py"});
  CHECK(found_in(world, {"--no-respect-gitignore"}).size() == 5);
  world.subfolder = "sub";
  CHECK(found_in(world) == Paths{"kept.gen.py", "top.py"});
}

TEST_CASE("what git leaves out is left out by --force-exclude where it is named") {
  World world;
  fs::create_directory(world.folder.path() + "/.git");
  world.folder.write(".gitignore", "*.gen.py\n");
  world.folder.write("sub/.gitignore", "!kept.gen.py\nlocal/\n");
  world.folder.write(".git/info/exclude", "mine.py\n");
  const Paths named{"sub/a.gen.py", "sub/b.py", "sub/kept.gen.py", "sub/local/a.py", "sub/mine.py"};
  for (const std::string& name : named) world.folder.write(name, "");
  const auto with = [&](Paths flags) {
    flags.insert(flags.end(), named.begin(), named.end());
    return found_in(world, flags);
  };
  CHECK(with({}) == named);
  CHECK(with({"--force-exclude"}) == Paths{"sub/b.py", "sub/kept.gen.py"});
  CHECK(with({"--force-exclude"}) == found_in(world, {"sub"}));
  CHECK(with({"--force-exclude", "--no-respect-gitignore"}) == named);
  world.stdin_text = "BUG\n";
  CHECK(world.run({"check", "--force-exclude", "-", "--stdin-filename", "sub/a.gen.py"}).status == 0);
  CHECK(world.run({"check", "-", "--stdin-filename", "sub/a.gen.py"}).status == 1);
}

TEST_CASE("the user's own file of patterns for git counts below the repository's") {
  World world;
  world.folder.write(".git/HEAD", "ref: refs/heads/main\n");
  fs::create_directories(world.folder.path() + "/.git/objects");
  fs::create_directories(world.folder.path() + "/.git/refs");
  world.folder.write(".gitignore", "!kept.py\n");
  world.folder.write("home/git/ignore", "kept.py\nscratch*.py\n");
  for (const char* name : {"kept.py", "scratch1.py", "a.py"}) world.folder.write(name, "");
  world.environment = {{"XDG_CONFIG_HOME", world.folder.path() + "/home"}};
  CHECK(found_in(world) == Paths{"a.py", "kept.py"});
  CHECK(found_in(world, {"--force-exclude", "scratch1.py", "kept.py"}) == Paths{"kept.py"});
  CHECK(found_in(world, {"--no-respect-gitignore"}).size() == 3);
  world.folder.write(".git/config", "[core]\n\texcludesFile = " + world.folder.path() + "/other\n");
  world.folder.write("other", "a.py\n");
  CHECK(found_in(world) == Paths{"kept.py", "scratch1.py"});
}

TEST_CASE("links to folders are not followed, links to files count when the file is not found") {
  const World world;
  world.folder.write("pkg/a.py", "");
  world.folder.write("outside.txt", "");
  fs::create_directory_symlink(world.folder.path(), world.folder.path() + "/pkg/loop");
  fs::create_symlink("a.py", world.folder.path() + "/pkg/same.py");
  fs::create_symlink("../outside.txt", world.folder.path() + "/pkg/other.py");
  CHECK(found_in(world, {"pkg"}) == Paths{"pkg/a.py", "pkg/other.py"});
}

TEST_CASE("a link that leads nowhere is told") {
  const World world;
  fs::create_symlink("gone", world.folder.path() + "/dangling.py");
  CHECK_THAT(world.run({"check"}).out, Catch::Contains("dangling.py:0:0 RL903 can not be read: no such file"));
}

namespace {

// A small language in which random trees and random .gitignore files often meet.
class RandomTree {
 public:
  explicit RandomTree(unsigned seed) : random_(seed) {}

  std::string path() {
    std::string path;
    for (unsigned depth = pick(3); depth > 0; --depth) path += folder() + "/";
    return path + one_of(std::array<const char*, 4>{"a", "b", "ab", "c x"}) + ".py";
  }

  std::string folder() { return one_of(std::array<const char*, 4>{"a", "b", "ab", "foo"}); }

  std::string pattern() {
    std::string text = pick(4) == 0 ? "!" : "";
    if (pick(5) == 0) text += "/";
    const unsigned parts = 1 + pick(3);
    for (unsigned i = 0; i < parts; ++i) {
      if (i != 0) text += "/";
      text += one_of(std::array<const char*, 16>{"a", "b", "ab", "foo", "*", "**", "a*", "*b", "?", "[ab]", "[!a]*",
                                                 "***", "a.py", "*.py", "**b*", "\\a"});
    }
    if (pick(4) == 0) text += "/";
    if (pick(8) == 0) text += one_of(std::array<const char*, 5>{" ", "\\ ", "\r", "#", "[a"});
    return text + "\n";
  }

  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }

 private:
  template <size_t N>
  std::string one_of(const std::array<const char*, N>& words) {
    return words[pick(N)];
  }
  std::mt19937 random_;
};

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  while (const size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), got);
  ::pclose(pipe);
  return text;
}

// The files that git would not ignore.
Paths kept_by_git(const World& world) {
  const std::string git = "cd '" + world.folder.path() +
                          "' && GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git -c core.quotePath=false";
  const std::string text = output_of(git + " ls-files --others --exclude-standard -z");
  Paths paths;
  for (size_t at = 0; at < text.size(); at = text.find('\0', at) + 1) paths.emplace_back(text.c_str() + at);
  std::erase_if(paths, [](const std::string& path) { return !path.ends_with(".py"); });
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

TEST_CASE("random trees under random .gitignore files are read as git reads them") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    RandomTree tree(seed);
    const World world;
    output_of("git -C '" + world.folder.path() + "' init -q 2>&1");
    for (int i = 0; i < 12; ++i) world.folder.write(tree.path(), "");
    std::string ignores;
    for (unsigned file = 0; file < 3; ++file) {
      std::string text;
      for (unsigned i = 1 + tree.pick(4); i > 0; --i) text += tree.pattern();
      const std::string name =
          (file == 0 ? "" : tree.folder() + "/") + (file == 2 ? tree.folder() + "/" : "") + ".gitignore";
      world.folder.write(name, text);
      ignores += name + ":\n" + text;
    }
    INFO("seed " << seed << "\n" << ignores);
    CHECK(found_in(world) == kept_by_git(world));
  }
}
