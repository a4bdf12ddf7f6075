// Who reads weights from files.
#include "analyzer/questions/weight_reads.h"

#include <catch2/catch.hpp>

#include "tests/questions/asked.h"

namespace ranklint::test {

TEST_CASE("a function reads on every rank, on some behind a guard, through what it calls, or not") {
  const Asked asked(
      "func reads(path) {\n^entry:\n  x = call torch.load(path)\n  return x\n}\n"
      "func first_reads(path) {\n^entry:\n  rank = call dist.get_rank()\n  branch rank == 0 ? ^then : ^join\n^then:\n"
      "  x = call torch.load(path)\n  jump ^join\n^join:\n  return\n}\n"
      "func through(path) {\n^entry:\n  x = call reads(path)\n  return x\n}\n"
      "func first_through(path) {\n^entry:\n  rank = call dist.get_rank()\n  branch rank == 0 ? ^then : ^join\n^then:\n"
      "  x = call through(path)\n  jump ^join\n^join:\n  return\n}\n"
      "func either(path) {\n^entry:\n  call first_reads(path)\n  call reads(path)\n  return\n}\n"
      "func silent(path) {\n^entry:\n  x = call load(path)\n  return x\n}\n"
      "func again(path) {\n^entry:\n  call again(path)\n  return\n}\n");
  WeightReads reads(asked.in());
  const auto by = [&](std::string_view name) { return reads.of_function(asked.function(name)); };
  using enum WeightReads::By;
  CHECK(by("reads") == EveryRank);
  CHECK(by("first_reads") == SomeRanks);
  CHECK(by("through") == EveryRank);
  CHECK(by("first_through") == SomeRanks);
  CHECK(by("either") == EveryRank);
  CHECK(by("silent") == Nobody);
  CHECK(by("again") == Nobody);
}

}  // namespace ranklint::test
