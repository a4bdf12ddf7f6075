// Which branches on the rank decide about a block, and what stands on their other side.
#include "analyzer/questions/rank_guard.h"

#include <catch2/catch.hpp>

#include "analyzer/questions/other_way.h"
#include "tests/questions/asked.h"

namespace ranklint::test {
namespace {

const std::string kGuarded =
    "func f(x, c) {\n^entry:\n  rank = call dist.get_rank()\n  branch rank == 0 ? ^first : ^join\n"
    "^first:\n  branch c ? ^inner : ^out\n^inner:\n  call within(x)\n  jump ^out\n^out:\n  jump ^join\n"
    "^join:\n  now = call time.time()\n  branch now > c ? ^late : ^end\n^late:\n  call later(x)\n  jump ^end\n"
    "^end:\n  branch rank == 1 ? ^leave : ^stay\n^leave:\n  return\n^stay:\n  call rest(x)\n  return\n}\n";

}  // namespace

TEST_CASE("the guard of a block is the innermost branch on the rank whose ways have not met again") {
  const Asked asked(kGuarded, "  import time\n");
  const auto guard = [&](std::string_view label) {
    return rank_guard_of(asked.in(), asked.summary("f"), asked.block("f", label));
  };
  CHECK(guard("inner") == asked.block("f", "entry"));
  CHECK(guard("first") == asked.block("f", "entry"));
  CHECK_FALSE(guard("join").valid());
  CHECK_FALSE(guard("late").valid());
  CHECK(guard("stay") == asked.block("f", "end"));
}

TEST_CASE("a diverging guard may also ask what a rank has by itself") {
  const Asked asked(kGuarded, "  import time\n");
  const auto guard = [&](std::string_view label) {
    return diverging_guard_of(asked.in().values(), asked.summary("f"), asked.block("f", label));
  };
  CHECK(guard("late") == asked.block("f", "join"));
  CHECK(guard("inner") == asked.block("f", "entry"));
  CHECK_FALSE(guard("end").valid());
}

TEST_CASE("a side is that on which the block lies, also where the others have returned") {
  const Asked asked(kGuarded, "  import time\n");
  const auto side = [&](std::string_view label) {
    return rank_side_of(asked.in(), asked.summary("f"), asked.block("f", label));
  };
  CHECK(side("inner") == RankSide{asked.block("f", "entry"), true});
  CHECK(side("stay") == RankSide{asked.block("f", "end"), false});
  CHECK(side("leave") == RankSide{asked.block("f", "end"), true});
  CHECK(side("join") == RankSide{});
}

TEST_CASE("the other way has the operation, or a call that may communicate") {
  const auto has = [](const std::string& other) {
    const Asked asked(
        "func f(x, c) {\n^entry:\n  branch c ? ^mine : ^others\n^mine:\n  call dist.broadcast(x, 0)\n  jump ^join\n"
        "^others:\n  call " +
        other +
        "\n  jump ^join\n^join:\n  return\n}\n"
        "func told(x) {\n^entry:\n  call dist.barrier()\n  return\n}\nfunc silent(x) {\n^entry:\n  return\n}\n");
    return has_on_another_way(asked.in(), asked.summary("f"), asked.block("f", "mine"), "broadcast");
  };
  CHECK(has("dist.broadcast(x, 1)"));
  CHECK(has("told(x)"));
  CHECK_FALSE(has("dist.barrier()"));
  CHECK_FALSE(has("silent(x)"));
}

}  // namespace ranklint::test
