// What is opened and closed again, on every way through a function.
#include "analyzer/questions/brackets.h"

#include <catch2/catch.hpp>

#include "tests/questions/asked.h"

namespace ranklint::test {
namespace {

struct Open {
  explicit Open(const std::string& body) : asked("func f(c, d) {\n^entry:\n" + body + "}\n") {}
  Brackets brackets() const { return {asked.index(), asked.function("f"), "start", "end"}; }
  bool is_outside(std::string_view call) const {
    const ProgramPoint at = call_of(asked.code("f"), call);
    return brackets().surely_outside(at.block, at.instruction);
  }
  Asked asked;
};

}  // namespace

TEST_CASE("what lies between opening and closing is inside") {
  const Open f("  call before()\n  call start()\n  call within()\n  call end()\n  call after()\n  return\n");
  CHECK(f.is_outside("before"));
  CHECK_FALSE(f.is_outside("within"));
  CHECK(f.is_outside("after"));
  CHECK(f.brackets().left_open().empty());
  CHECK(f.brackets().closed_too_often().empty());
}

TEST_CASE("brackets nest") {
  const Open f(
      "  call start()\n  call start()\n  call end()\n  call within()\n  call end()\n  call after()\n  return\n");
  CHECK_FALSE(f.is_outside("within"));
  CHECK(f.is_outside("after"));
}

TEST_CASE("a way out between them leaves one open, one closing too many is found") {
  const Open left("  call start()\n  branch c ? ^out : ^on\n^out:\n  return\n^on:\n  call end()\n  return\n");
  REQUIRE(left.brackets().left_open().size() == 1);
  CHECK(left.brackets().left_open()[0].range == left.brackets().opening()[0]);
  const Open twice("  call start()\n  call end()\n  call end()\n  return\n");
  CHECK(twice.brackets().closed_too_often().size() == 1);
}

TEST_CASE("the way of a checked call that has failed counts for nothing") {
  const std::string checked = "  r = call start()\n  branch r != 0 ? ^failed : ^on\n";
  const std::string unchecked = "  r = call start()\n  branch c != 0 ? ^failed : ^on\n";
  const std::string rest = "^failed:\n  return\n^on:\n  call end()\n  return\n";
  CHECK(Open(checked + rest).brackets().left_open().empty());
  CHECK(Open(unchecked + rest).brackets().left_open().size() == 1);
}

TEST_CASE("opened and closed under one condition goes together, under two it does not") {
  const auto guarded = [](const std::string& second) {
    return "  branch c ? ^open : ^middle\n^open:\n  call start()\n  jump ^middle\n^middle:\n  call work()\n  branch " +
           second + " ? ^close : ^done\n^close:\n  call end()\n  jump ^done\n^done:\n  return\n";
  };
  CHECK(Open(guarded("c")).brackets().left_open().empty());
  CHECK_FALSE(Open(guarded("c")).is_outside("work"));
  CHECK(Open(guarded("d")).brackets().left_open().size() == 1);
}

TEST_CASE("without either call everything is outside") {
  const Open f("  call work()\n  return\n");
  CHECK(f.is_outside("work"));
  CHECK_FALSE(f.brackets().opens());
  CHECK_FALSE(f.brackets().closes());
}

}  // namespace ranklint::test
