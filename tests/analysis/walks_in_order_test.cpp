// What a walk that found two ranks in order foretells of two others is what a walk with those finds: on every function
// of testdata/analysis, in worlds of several sizes.
#include <catch2/catch.hpp>

#include "analyzer/execution/compared_worlds.h"
#include "analyzer/interp/effects.h"
#include "analyzer/ir/parse.h"
#include "analyzer/product/function_check.h"
#include "analyzer/product/lockstep.h"
#include "analyzer/product/walks_in_order.h"
#include "tests/analysis/case.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

constexpr size_t kMostPairs = 3000;
constexpr uint32_t kMostRanks = 5;

class Foretold {
 public:
  explicit Foretold(const Query& in) : in_(in), worlds_(in) {}

  void check(const Summary& s) {
    const std::vector<UsedGroup> groups = worlds_.groups_of(s);
    for (const UsedGroup& group : groups) {
      AxisSet axes = group.axes.world ? AxisSet{} : group.axes;
      worlds_.collect_axes(s, axes);
      Frames frames(in_, s, group.axes, group.members);
      WalksInOrder of_ranks, of_views;
      for (const uint32_t ranks : {2u, 3u, kMostRanks}) {
        const auto world = worlds_.world_of(axes, groups, WorldNeeds{.along = {}, .ranks = ranks});
        for (const uint32_t a : world->members(0, group.axes))
          for (const uint32_t b : world->members(0, group.axes))
            if (a <= b) compare(frames, *world, a, b, a == b ? of_views : of_ranks);
      }
    }
  }

  size_t foretold = 0, others = 0;

 private:
  void compare(Frames& frames, const World& world, uint32_t a, uint32_t b, WalksInOrder& known) {
    Scenario one(in_, world, a), other(in_, world, b);
    const bool is_foretold = known.foretell(one, other);
    const std::function<bool(FunctionKey)> none = [](FunctionKey) { return false; };
    const LockstepResult result = Lockstep(in_, frames, one, other, a == b, none).run(kMostPairs);
    const bool is_in_order = result.found.empty() && !result.exhausted;
    ++(is_foretold ? foretold : others);
    if (is_foretold) CHECK(is_in_order);
    if (!is_foretold && is_in_order) known.add(one, other);
  }

  const Query& in_;
  const ComparedWorlds worlds_;
};

}  // namespace

TEST_CASE("what walks in order foretell is what walking finds") {
  size_t foretold = 0, others = 0;
  for (const std::filesystem::path& path : files_below(source_path("testdata/analysis"), ".ir")) {
    INFO(path);
    std::vector<ir::Module> modules;
    modules.push_back(read_case(path.string()).module);
    const Models models = Models::builtin();
    const ProjectIndex index(std::move(modules), models.roles());
    Interpreter interpreter(index, models);
    complete_effects(interpreter);
    Foretold of_file(interpreter.query());
    for (const FunctionKey f : interpreter.query().functions_to_check())
      if (const Summary* s = interpreter.query().summary(f); s && s->communicates) of_file.check(*s);
    foretold += of_file.foretold;
    others += of_file.others;
  }
  CHECK(foretold > 100);
  CHECK(others > 100);
}

TEST_CASE("ranks that are asked alike are walked with once, however many there are") {
  std::vector<ir::Module> modules;
  Result<ir::Module> module = ir::parse(R"(module "step.py"
language "python" shares_objects numbers_are_values declares_no_types

func <module>() {
^entry:
  import torch.distributed as dist
  step = &step
  return
}

func step(x) {
^entry:
  rank = call dist.get_rank()
  branch rank == 0 ? ^first : ^others
^first:
  %0 = call dist.all_reduce(x)
  jump ^after
^others:
  %1 = call dist.all_reduce(x)
  jump ^after
^after:
  return
}
)",
                                        "step.py");
  INFO((module ? std::string() : module.error().message));
  REQUIRE(module);
  modules.push_back(std::move(*module));
  const Models models = Models::builtin();
  const ProjectIndex index(std::move(modules), models.roles());
  Interpreter interpreter(index, models);
  complete_effects(interpreter);
  const Query& in = interpreter.query();
  const FunctionCheckOptions options{.is_open = [](FunctionKey) { return false; }};
  const auto visited = [&](uint32_t ranks) {
    size_t states = 0;
    for (const FunctionKey f : in.functions_to_check())
      states += check_function(in, *in.summary(f), WorldNeeds{.along = {}, .ranks = ranks}, options).states;
    return states;
  };
  CHECK(visited(4) > 0);
  CHECK(visited(World::kMostRanks) == visited(4));
}

}  // namespace ranklint::test
