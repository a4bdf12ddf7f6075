// Which programs set up no job, by the text of small files.
#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include "analyzer/ir/parse.h"
#include "analyzer/program/jobless.h"

namespace ranklint {
namespace {

using Texts = std::vector<std::pair<std::string, std::string>>;  // paths, and the functions of the files

struct Programs {
  explicit Programs(const Texts& files) : index(modules_of(files)), program(index, models), jobless(program) {}

  // Of the code of the file.
  bool is_jobless(std::string_view path) const {
    return jobless.asked_around(index.key(index.module_at(path), ir::FunctionId{0})) != nullptr;
  }

  static std::vector<ir::Module> modules_of(const Texts& files) {
    std::vector<ir::Module> modules;
    for (const auto& [path, functions] : files) {
      const std::string text = "module \"" + path +
                               "\"\nlanguage \"python\" shares_objects numbers_are_values declares_no_types\n\n" +
                               functions;
      Result<ir::Module> module = ir::parse(text, path);
      INFO((module ? std::string() : module.error().message));
      REQUIRE(module);
      modules.push_back(std::move(*module));
    }
    return modules;
  }

  const Models models = Models::builtin();
  const ProjectIndex index;
  const Program program;
  const JoblessPrograms jobless;
};

// A file that is run: what it imports, and what it does.
std::string run(const std::string& imports, const std::string& code) {
  return "func <module>() {\n^entry:\n" + imports + "  branch __name__ == \"__main__\" ? ^run : ^end\n^run:\n" + code +
         "  jump ^end\n^end:\n  return\n}\n";
}

const std::string kTiming = R"(func <module>() {
^entry:
  import torch.distributed as dist
  seconds_of = &seconds_of
  set_up = &set_up
  return
}

func seconds_of() {
^entry:
  %0 = call dist.is_initialized()
  return %0
}

func set_up() {
^entry:
  %0 = call dist.init_process_group("nccl")
  return
}
)";
const std::string kAlone = run("  import timing\n", "  %0 = call timing.seconds_of()\n");
const std::string kAmongRanks = run("  import timing\n", "  %0 = call timing.set_up()\n");

}  // namespace

TEST_CASE("a program that asks whether there is a job, and sets up none, has none") {
  const Programs p({{"alone.py", kAlone}, {"among_ranks.py", kAmongRanks}, {"timing.py", kTiming}});
  CHECK(p.is_jobless("alone.py"));
  CHECK_FALSE(p.is_jobless("among_ranks.py"));
  CHECK_FALSE(p.is_jobless("timing.py"));
}

TEST_CASE("a file is part of all programs that import it") {
  const Programs p({{"alone.py", kAlone}, {"timing.py", kTiming}});
  CHECK(p.is_jobless("timing.py"));
}

TEST_CASE("what nobody imports and is no program may be run by anybody") {
  const Programs p({{"part.py", "func <module>() {\n^entry:\n  import timing\n  return\n}\n"}, {"timing.py", kTiming}});
  CHECK_FALSE(p.is_jobless("part.py"));
  CHECK_FALSE(p.is_jobless("timing.py"));
}

TEST_CASE("another library that has ranks may set them up") {
  const Programs p({{"alone.py", run("  import timing\n  import accelerate\n", "  %0 = call timing.seconds_of()\n")},
                    {"timing.py", kTiming}});
  CHECK_FALSE(p.is_jobless("alone.py"));
}

TEST_CASE("where a project sets up no job at all, a library does that nobody sees") {
  const std::string asks = R"(func <module>() {
^entry:
  import torch.distributed as dist
  %0 = call dist.is_initialized()
  return
}
)";
  const Programs p({{"alone.py", run("  import timing\n", "  %0 = call timing.seconds_of()\n")}, {"timing.py", asks}});
  CHECK_FALSE(p.is_jobless("alone.py"));
}

}  // namespace ranklint
