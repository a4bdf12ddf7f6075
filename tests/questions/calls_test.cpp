// What a rule sees of values, and of the calls that it asks for: the conditions around them.
#include "analyzer/questions/calls.h"

#include <catch2/catch.hpp>

#include "tests/questions/asked.h"

namespace ranklint::test {
namespace {

struct Called {
  explicit Called(const std::string& body)
      : asked("func f(x, n, c) {\n^entry:\n" + body + "  return\n}\n", "  import time\n", {"use"}),
        book(collect_calls(asked.in())) {}
  const CallSite& call(size_t number = 0) const {
    REQUIRE(number < book.all().size());
    return book.all()[number];
  }
  SeenValue given() const { return call().arguments[0].value; }
  Asked asked;
  CallBook book;
};

SeenValue seen(const std::string& lines, const std::string& given) {
  return Called(lines + "  call use(" + given + ")\n").given();
}

const std::string kRank = "  rank = call dist.get_rank()\n";

}  // namespace

TEST_CASE("constants are seen as what they are") {
  using Kind = SeenValue::Kind;
  CHECK(seen("", "3").integer == 3);
  CHECK(seen("", "\"text\"").text == "text");
  CHECK(seen("", "None").kind == Kind::None);
  CHECK(seen("", "True").kind == Kind::Bool);
  CHECK(seen("", "[1, n]").kind == Kind::Sequence);
  CHECK(seen("", "[1, n]").integer == 2);
  CHECK_FALSE(seen("", "[1, n]").product);
  CHECK(*seen("", "[2, 3]").product == 6);
  CHECK(seen("", "torch.float32").text == "torch.float32");
  CHECK(seen("", "n").kind == Kind::Unknown);
}

TEST_CASE("a value differs by rank along its axes, or is local to a rank") {
  const SeenValue rank = seen(kRank, "rank");
  CHECK(rank.axes == "world");
  CHECK(rank.along == SeenValue::Ranks::World);
  CHECK(rank.is_own_rank);
  CHECK(rank.counts == SeenValue::Ranks::World);
  CHECK(seen("  now = call time.time()\n", "now").local == "clock");
  CHECK_FALSE(seen("", "n").diverges());
}

TEST_CASE("what is made of the rank says how: reduced, combined, looked up") {
  CHECK(seen(kRank, "rank % n").is_reduced);
  CHECK_FALSE(seen(kRank, "rank % n").is_own_rank);
  CHECK(seen(kRank, "x[rank]").combines);
  CHECK(seen(kRank, "rank * n + c").combines);
  CHECK(seen("", "x[\"labels\"]").key == "labels");
  CHECK(seen("", "n").term != seen("", "c").term);
}

TEST_CASE("a call has the guards that hold wherever it runs, outermost first") {
  const Called f(kRank +
                 "  branch c ? ^then : ^join\n^then:\n  jump ^loop\n^loop:\n  for i in x ? ^body : ^join\n^body:\n"
                 "  branch rank == 0 ? ^first : ^loop\n^first:\n  call use(x)\n  jump ^loop\n^join:\n  call use(n)\n");
  const CallSite& guarded = f.call(0);
  REQUIRE(guarded.guards.size() == 3);
  CHECK_FALSE(guarded.guards[0].condition.diverges());
  CHECK(guarded.guards[1].is_loop);
  CHECK(guarded.guards[2].condition.differs_by_rank());
  CHECK(guarded.guards[2].holds);
  CHECK(*guarded.guards[2].condition.rank == 0);
  CHECK(guarded.in_loop());
  CHECK(f.call(1).guards.empty());
}

TEST_CASE("where the other side leaves without communicating, the guard says so") {
  const auto others_leave = [](const std::string& leaving) {
    const Called f(kRank + "  branch rank == 0 ? ^out : ^on\n^out:\n" + leaving + "  return\n^on:\n  call use(x)\n");
    REQUIRE(f.call().guards.size() == 1);
    CHECK_FALSE(f.call().guards[0].holds);
    return f.call().guards[0].others_leave;
  };
  CHECK(others_leave(""));
  CHECK_FALSE(others_leave("  call dist.barrier()\n"));
}

TEST_CASE("what stands under the question whether ranks are set up stands apart") {
  const Called f(
      "  %0 = call dist.is_initialized()\n  branch %0 ? ^on : ^setup\n^setup:\n  call use(x)\n  jump ^on\n^on:\n"
      "  call use(n)\n");
  CHECK(f.book.all().size() == 1);
  CHECK(f.book.in_setup().size() == 1);
}

TEST_CASE("a call runs before those that no way reaches past it") {
  const Called f(
      "  call use(x)\n  branch c ? ^then : ^join\n^then:\n  call use(n)\n  jump ^join\n^join:\n  call use(c)\n");
  CHECK(runs_before(f.call(0), f.call(1)));
  CHECK(runs_before(f.call(0), f.call(2)));
  CHECK_FALSE(runs_before(f.call(1), f.call(2)));
  CHECK_FALSE(runs_before(f.call(1), f.call(0)));
  CHECK(f.book.in(f.asked.function("f")).size() == 3);
  CHECK(f.book.by_function().size() == 1);
}

}  // namespace ranklint::test
