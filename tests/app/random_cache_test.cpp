// Checks with a cache held against checks without one, edit by edit, byte for byte: the text of files, their names and
// modes, folders, links, headers, compile commands, models, rules of the user, settings, git's patterns, the
// environment, flags, the program's build, and the cache itself. Now and then the project is as it was before, so that
// what was kept then is asked for. RANKLINT_CACHE_EDITS says how many; the edits follow from the seed alone.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/run.h"
#include "app/engine/engine.h"
#include "tests/app/world.h"

namespace ranklint::test {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

const std::string kStep =
    "import torch.distributed as dist\nfrom lib.sync import wait\n\n\ndef step(loss):\n    if dist.get_rank() == 0:\n"
    "        wait()\n";

// What each file of the project may be; a file that is not there is as good a state as any.
const std::map<std::string, Texts>& choices() {
  static const std::map<std::string, Texts> kChoices{
      {"train.py",
       {kStep, kStep + "    wait()\n", kStep + "        x = (\n", kStep + "\n\ndef f():\n    \"\xff\"\n",
        "import torch.distributed as dist\n\n\ndef step(loss):\n    if dist.get_rank() == 0:\n"
        "        dist.barrier()  # ranklint: ignore[RL101] one node\n",
        "from lib import sync  # ranklint: ignore[no-such-rule]\nsync.wait()\n"}},
      {"lib/sync.py",
       {"import torch.distributed as dist\n\n\ndef wait():\n    dist.barrier()\n", "def wait():\n    pass\n",
        "import torch.distributed as dist\nimport ours\n\n\ndef wait():\n    ours.meet()\n"}},
      {"lib/__init__.py", {"", "from lib.sync import wait\n"}},
      {"other.py",
       {"import torch.distributed as dist\n\n\ndef save(x):\n    if dist.get_rank() == 0:\n        "
        "dist.all_reduce(x)\n",
        "import time\n"}},
      {"run.sh", {"torchrun --nproc_per_node 4 train.py\n", "torchrun --nproc_per_node 1 train.py\n", "echo\n"}},
      {"sub/main.c",
       {"#include \"comm.h\"\nint main(int c, char** v) {\n  MPI_Init(&c, &v);\n  meet();\n  MPI_Finalize();\n}\n",
        "#include <mpi.h>\nint main(int c, char** v) {\n  MPI_Init(&c, &v);\n#ifdef APART\n  int r;\n"
        "  MPI_Comm_rank(MPI_COMM_WORLD, &r);\n  if (r == 0) MPI_Barrier(MPI_COMM_WORLD);\n#endif\n  "
        "MPI_Finalize();\n}\n"}},
      {"include/comm.h",
       {"#include <mpi.h>\nstatic void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }\n",
        "#include <mpi.h>\nstatic void meet(void) {\n  int r;\n  MPI_Comm_rank(MPI_COMM_WORLD, &r);\n"
        "  if (r == 0) MPI_Barrier(MPI_COMM_WORLD);\n}\n"}},
      {"sub/comm.h", {"#include <mpi.h>\nstatic void meet(void) {}\n"}},
      {"models.json",
       {R"({"models": [{"name": "ours.meet", "kind": "collective", "op": "barrier", "group": "world"}]})",
        R"({"models": []})", "{"}},
      {"rules.json",
       {R"({"rules": [{"id": "no-wait", "code": "TEAM1", "summary": "a wait", "call": "lib.sync.wait", "message": "waits"}]})",
        R"({"rules": [{"id": "no-wait", "code": "TEAM1", "summary": "a wait", "call": "*.barrier", "message": "meets"}]})"}},
      {"ranklint.toml",
       {"", "models = [\"models.json\"]\n", "rules = [\"rules.json\"]\n", "ignore = [\"RL101\"]\n",
        "select = [\"ALL\"]\nmin-confidence = \"possible\"\n", "extend-exclude = [\"lib/\"]\n", "src = [\"lib\"]\n",
        "[per-file-ignores]\n\"train.py\" = [\"RL1\"]\n", "strict = true\n", "compile-commands = \"out\"\n",
        "nonsense\n"}},
      {"pyproject.toml", {"[tool.ranklint]\nmin-severity = \"info\"\nselect = [\"ALL\"]\n"}},
      {".gitignore", {"lib/\n", "*.c\n", "other.py\n"}},
      {".git/HEAD", {""}},
      {"compile_commands.json",
       {R"([{"directory": "/", "file": "sub/main.c", "command": "cc -DAPART -c sub/main.c"}])", "{"}},
      {"out/compile_commands.json",
       {R"([{"directory": "/", "file": "sub/main.c", "command": "cc -DAPART -c sub/main.c"}])"}},
  };
  return kChoices;
}

const std::vector<Texts>& flags() {
  static const std::vector<Texts> kFlags{
      {},
      {},
      {},
      {"--threads", "1"},
      {"--threads", "3"},
      {"--select", "ALL"},
      {"--min-confidence", "possible"},
      {"--no-respect-gitignore"},
      {"--isolated"},
      {"train.py"},
      {"train.py", "sub/main.c", "include/comm.h"},
      {"sub", "-p", "out"},
      {"lib", "--src", "."},
      {"--models", "models.json"},
      {"--rules", "rules.json"},
      {"--output-format", "sarif"},
      {"--output-format", "full", "--show-suppressed", "--statistics"},
      {"--diff", "--unsafe-fixes"},
      {"--diff", "--add-ignore", "one node"},
  };
  return kFlags;
}

struct Told {
  int status = 0;
  std::string out, err;
  friend bool operator==(const Told&, const Told&) = default;
};

class RandomProject {
 public:
  explicit RandomProject(uint32_t seed) : random_(seed) {
    for (const auto& [path, texts] : choices())
      if (!path.ends_with("toml") && !path.starts_with(".git") && !path.ends_with("commands.json")) put(path, texts[0]);
  }

  // Changes something; says what.
  std::string edit() {
    auto file = choices().begin();
    std::advance(file, below(choices().size()));
    const auto& [path, texts] = *file;
    switch (below(16)) {
      case 0: return remove(path);
      case 1: return rename(path);
      case 2: return touch(path);
      case 3: return link(path);
      case 4: return go_back();
      case 5: return damage();
      case 6: build_ = "build " + std::to_string(below(3)); return build_;
      case 7: variables_["CPATH"] = below(2) == 0 ? "" : root() + "/include"; return "CPATH";
      case 8: subfolder_ = below(3) == 0 ? "/sub" : ""; return "run in " + subfolder_;
      case 9:
      case 10:
      case 11: flags_ = flags()[below(flags().size())]; return flags_.empty() ? "no flags" : flags_.back();
      default: put(path, texts[below(texts.size())]); return "write " + path;
    }
  }

  Told check(bool uses_cache) {
    std::ostringstream out, err;
    std::map<std::string, std::string> variables = variables_;
    if (!uses_cache) variables["RANKLINT_NO_CACHE"] = "1";
    app::Io io{.read_stdin = [] { return std::string(); },
               .out = out,
               .err = err,
               .environment =
                   [&](const std::string& name) {
                     const auto found = variables.find(name);
                     return found == variables.end() ? std::nullopt : std::optional(found->second);
                   },
               .cwd = root() + subfolder_};
    ::setenv("CPATH", variables_["CPATH"].c_str(), 1);  // Clang asks the process
    fs::create_directories(io.cwd);
    app::Engine engine = app::real_engine();
    engine.identity += build_;
    engine.analyze = [this, real = engine.analyze](std::vector<SourceFile> files, const Models& models,
                                                   const Frontend& frontend, const AnalysisOptions& options) {
      ++analyses_;
      return real(std::move(files), models, frontend, options);
    };
    std::vector<std::string> args{"check", "--show-incomplete"};
    args.insert(args.end(), flags_.begin(), flags_.end());
    const int status = app::run(args, io, engine);
    return {status, out.str(), err.str()};
  }

  size_t analyses() const { return analyses_; }

 private:
  struct State {
    std::map<std::string, std::string> texts;
    Texts flags;
  };

  std::string root() const { return folder_.path(); }
  size_t below(size_t n) { return random_() % n; }
  // A link may lead to itself.
  bool is_there(const std::string& path) const {
    std::error_code ignored;
    return fs::exists(root() + "/" + path, ignored);
  }

  void put(const std::string& path, const std::string& text) {
    fs::remove(root() + "/" + path);  // it may be a link
    folder_.write(path, text);
    texts_[path] = text;
    if (below(4) == 0) past_.push_back({texts_, flags_});
  }

  std::string remove(const std::string& path) {
    fs::remove(root() + "/" + path);
    texts_.erase(path);
    return "remove " + path;
  }

  std::string rename(const std::string& path) {
    const std::string to = below(2) == 0 ? "other.py" : "moved/" + path;
    if (!is_there(path)) return "nothing";
    fs::create_directories(fs::path(root() + "/" + to).parent_path());
    fs::rename(root() + "/" + path, root() + "/" + to);
    texts_[to] = texts_[path];
    texts_.erase(path);
    return "move " + path + " to " + to;
  }

  // Another time or another mode, and the same bytes.
  std::string touch(const std::string& path) {
    if (!is_there(path)) return "nothing";
    if (below(2) == 0)
      fs::last_write_time(root() + "/" + path, fs::file_time_type::clock::now() - std::chrono::hours(below(99)));
    else
      fs::permissions(root() + "/" + path, below(2) == 0 ? fs::perms::owner_all : fs::perms::owner_read);
    return "touch " + path;
  }

  std::string link(const std::string& path) {
    fs::remove(root() + "/" + path);
    texts_.erase(path);
    fs::create_directories(fs::path(root() + "/" + path).parent_path());
    fs::create_symlink(root() + (below(2) == 0 ? "/train.py" : "/include/comm.h"), root() + "/" + path);
    return "link " + path;
  }

  std::string go_back() {
    if (past_.empty()) return "nothing";
    const State state = past_[below(past_.size())];
    for (const auto& entry : fs::directory_iterator(root()))
      if (entry.path().filename() != ".ranklint_cache") fs::remove_all(entry.path());
    texts_ = state.texts;
    flags_ = state.flags;
    for (const auto& [path, text] : texts_) folder_.write(path, text);
    return "go back";
  }

  // An entry is cut off, or one of its bytes is another.
  std::string damage() {
    const std::string cache = root() + "/.ranklint_cache";
    if (!fs::exists(cache)) return "nothing";
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(cache)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    const std::string name = ".ranklint_cache/" + names[below(names.size())];
    std::string bytes = folder_.read(name);
    if (bytes.empty() || below(2) == 0)
      bytes.resize(bytes.size() / 2);
    else
      bytes[below(bytes.size())] ^= 4;
    folder_.write(name, bytes);
    return "damage " + name;
  }

  std::mt19937 random_;
  TempFolder folder_;
  std::map<std::string, std::string> texts_, variables_;
  std::vector<State> past_;
  Texts flags_;
  std::string build_, subfolder_;
  size_t analyses_ = 0;
};

}  // namespace

TEST_CASE("after each of many random edits, a check with a cache tells what one without tells") {
  const char* asked = std::getenv("RANKLINT_CACHE_EDITS");
  const int count = asked ? std::atoi(asked) : 120;
  RandomProject project(1);
  size_t kept = 0, findings = 0;
  for (int i = 0; i < count; ++i) {
    const std::string what = project.edit();
    INFO("edit " << i << ": " << what);
    const size_t before = project.analyses();
    const Told warm = project.check(true);
    kept += project.analyses() == before && warm.status < 2;
    const Told cold = project.check(false);
    REQUIRE(warm.out == cold.out);
    REQUIRE(warm == cold);
    findings += cold.status == 1;
  }
  INFO(kept << " of " << count << " were kept, " << findings << " had findings");
  CHECK(kept * 5 > static_cast<size_t>(count));
  CHECK(findings * 5 > static_cast<size_t>(count));
}

}  // namespace ranklint::test
