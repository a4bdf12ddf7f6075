// Which programs of a project speak of sharding, by the text of small files.
#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include "analyzer/ir/parse.h"
#include "analyzer/program/sharding.h"

namespace ranklint {
namespace {

// A project of files, each with the code that it runs.
struct Files {
  using Texts = std::vector<std::pair<std::string, std::string>>;

  // `functions`: what stands in a file below the code that it runs.
  explicit Files(const Texts& files, const Texts& functions = {})
      : index(modules_of(files, functions)), used(index, models), mentions(index, models, used) {}

  bool reach(std::string_view path) const { return mentions.reach(index.module_at(path)); }
  bool reach_function(std::string_view path, uint32_t number) const {
    return mentions.reach(index.key(index.module_at(path), ir::FunctionId{number}));
  }

  static std::vector<ir::Module> modules_of(const Texts& files, const Texts& functions) {
    std::vector<ir::Module> modules;
    for (const auto& [path, code] : files) {
      const bool is_launcher = !path.ends_with(".py");
      std::string text = "module \"" + path + "\"\nlanguage ";
      text += is_launcher ? "\"shell\" not_imported\n" + code : "\"python\" shares_objects numbers_are_values\n";
      text += "\nfunc <module>() {\n^entry:\n" + (is_launcher ? "" : code) + "  return\n}\n";
      for (const auto& [file, text_below] : functions)
        if (file == path) text += text_below;
      Result<ir::Module> module = ir::parse(text, path);
      INFO((module ? std::string() : module.error().message));
      REQUIRE(module);
      modules.push_back(std::move(*module));
    }
    return modules;
  }

  const Models models = Models::builtin();
  const ProjectIndex index;
  UsedNames used;
  const ShardingMentions mentions;
};

// Of a launch script: what it starts.
std::string start(const std::string& words) { return "start " + words + "\n"; }

}  // namespace

TEST_CASE("a program speaks of sharding where one of its files does, whichever imports the other") {
  const Files files({{"a.py", "  import common\n  x = use_fsdp\n"},
                     {"b.py", "  import apart\n"},
                     {"common.py", ""},
                     {"apart.py", ""}});
  CHECK(files.reach("a.py"));
  CHECK(files.reach("common.py"));
  CHECK_FALSE(files.reach("b.py"));
  CHECK_FALSE(files.reach("apart.py"));
}

TEST_CASE(
    "what nothing uses is part of no program, and then only a way to shard that its own file names says anything") {
  const std::string defines = "  used = &used\n  unused = &unused\n";
  const auto project = [&](const std::string& own) {
    return Files({{"a.py", "  import common\n  x = distributed_type\n  %0 = call common.used()\n"},
                  {"common.py", own + defines}},
                 {{"common.py", "\nfunc used() {\n^entry:\n  return\n}\n\nfunc unused() {\n^entry:\n  return\n}\n"}});
  };
  const Files asks = project(""), names = project("  x = use_fsdp\n");
  CHECK(asks.reach_function("common.py", 1));
  CHECK_FALSE(asks.reach_function("common.py", 2));
  CHECK(names.reach_function("common.py", 2));
}

TEST_CASE("a launcher chooses for the script that it starts") {
  const Files files({{"run.sh", start("\"src/a.py\" \"use_deepspeed\"")},
                     {"src/a.py", "  import common\n"},
                     {"src/b.py", ""},
                     {"src/common.py", ""}});
  CHECK(files.reach("src/a.py"));
  CHECK(files.reach("src/common.py"));
  CHECK_FALSE(files.reach("src/b.py"));
}

TEST_CASE("a configuration chooses for any script") {
  const Files files({{"a.py", ""}, {"fsdp.yaml", start("\"\" \"FSDP\"")}});
  CHECK(files.reach("a.py"));
}

TEST_CASE("what a launcher chooses otherwise says nothing of sharding") {
  const Files files({{"a.py", ""}, {"run.sh", start("\"a.py\" \"multi_gpu\"")}});
  CHECK_FALSE(files.reach("a.py"));
}

}  // namespace ranklint
