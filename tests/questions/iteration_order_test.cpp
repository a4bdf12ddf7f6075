// Whether ranks share the order of what an expression holds.
#include "analyzer/questions/iteration_order.h"

#include <catch2/catch.hpp>

#include "tests/questions/asked.h"

namespace ranklint::test {
namespace {

using Kind = IterationOrder::Kind;

// Of what `use` is given behind these lines.
IterationOrder order_of(const std::string& lines, const std::string& more = "") {
  const Asked asked("func f(x, names: set, c) {\n^entry:\n" + lines + "  call use(y)\n  return\n}\n" + more,
                    "  import os\n");
  const FunctionCode code = asked.code("f");
  return IterationOrders(asked.in()).of(code, argument_of(code, "use"), call_of(code, "use"));
}

Kind kind_of(const std::string& lines, const std::string& more = "") { return order_of(lines, more).kind; }

}  // namespace

TEST_CASE("a set has an order of its own on each rank, and so has a list that is made of it, until it is sorted") {
  CHECK(kind_of("  y = call set(x)\n") == Kind::Unordered);
  CHECK(kind_of("  s = call set(x)\n  y = call list(s)\n") == Kind::Unordered);
  CHECK(kind_of("  s = call set(x)\n  y = call sorted(s)\n") == Kind::Ordered);
  CHECK(kind_of("  s = call set(x)\n  y = call list(s)\n  call y.sort()\n") == Kind::Ordered);
  CHECK(kind_of("  y = {x, c}\n") == Kind::Unordered);
  CHECK(kind_of("  y = [x, c]\n") == Kind::Ordered);
  CHECK(kind_of("  y = names\n") == Kind::Unordered);
}

TEST_CASE("whole numbers hash to themselves: a set of them is in one order everywhere") {
  CHECK(kind_of("  y = {1, 2}\n") == Kind::Ordered);
  CHECK(kind_of("  %0 = call range(4)\n  y = call set(%0)\n") == Kind::Ordered);
}

TEST_CASE("a folder is listed in an order of its own, and says so") {
  const IterationOrder order = order_of("  y = call os.listdir(x)\n");
  CHECK(order.kind == Kind::Unordered);
  CHECK(order.source == IterationOrder::Source::Listing);
  CHECK(order.name == "os.listdir");
  CHECK(order_of("  y = call set(x)\n").source == IterationOrder::Source::Set);
}

TEST_CASE("of two ways the one without an order counts, and a sum has what its parts have") {
  CHECK(kind_of("  y = x\n  branch c ? ^then : ^join\n^then:\n  y = call set(x)\n  jump ^join\n^join:\n") ==
        Kind::Unordered);
  CHECK(kind_of("  s = call set(x)\n  %0 = call list(s)\n  y = [c] + %0\n") == Kind::Unordered);
  CHECK(kind_of("  y = [c] + [x]\n") == Kind::Ordered);
}

TEST_CASE("a parameter has the order that the caller gives, a function the one of what it returns") {
  const IterationOrder parameter = order_of("  y = x\n");
  CHECK(parameter.kind == Kind::Parameter);
  CHECK(parameter.parameter == 0);
  const auto given_by = [](const std::string& returned) {
    return kind_of("  y = call g(x)\n", "func g(z) {\n^entry:\n  s = call set(z)\n  return " + returned + "\n}\n");
  };
  CHECK(given_by("s") == Kind::Unordered);
  CHECK(given_by("[z]") == Kind::Ordered);
  CHECK(given_by("z") == Kind::Parameter);
}

TEST_CASE("names suggest whole numbers") {
  const Models models = Models::builtin();
  const NamePriors& priors = models.names();
  CHECK(names_an_integer(priors, "rank"));
  CHECK(names_an_integer(priors, "num_layers"));
  CHECK_FALSE(names_an_integer(priors, "names"));
}

}  // namespace ranklint::test
