#include "runtime/loader/agreement.h"
#include "tests/runtime_loader/ranks.h"

namespace ranklint::runtime::test {

TEST_CASE("ranks that all succeed agree with one call") {
  const auto results = on_ranks<uint64_t>(3, [](RankContext& context) -> Result<uint64_t> {
    if (Status status = agree(context.world(), ok()); !status) return status.error();
    Work next = context.world().all_reduce(Tensor::zeros({1}), ReduceOp::Sum, {.async = true});
    next.wait();
    return next.sequence();
  });
  for (const auto& result : results) CHECK(success(result) == 2);
}

TEST_CASE("the lowest failing rank's error is everybody's") {
  for (const int world_size : {1, 2, 4}) {
    const auto results = on_ranks<std::monostate>(world_size, [&](RankContext& context) -> Status {
      const bool fails = context.rank() == world_size - 1 || context.rank() == 2;
      return agree(context.world(),
                   fails ? Status(Error{ErrorKind::Io, "disk " + std::to_string(context.rank())}) : ok());
    });
    const std::string rank = std::to_string(std::min(2, world_size - 1));
    CHECK(common_error(results).message == "rank " + rank + ": disk " + rank);
    CHECK(common_error(results).kind == ErrorKind::Io);
  }
}

TEST_CASE("a long error is told as far as 4096 bytes") {
  const auto results = on_ranks<std::monostate>(2, [](RankContext& context) -> Status {
    return agree(context.world(), context.rank() == 1 ? Status(Error{ErrorKind::Io, std::string(5000, 'x')}) : ok());
  });
  CHECK(common_error(results).message == "rank 1: " + std::string(4096, 'x'));
}

TEST_CASE("ranks are named by their number in the world") {
  const auto results = on_ranks<std::monostate>(4, [](RankContext& context) -> Status {
    ProcessGroup odd = context.new_group({1, 3}, "odd");
    if (!odd.is_member()) return Error{ErrorKind::Io, "rank 3: disk"};
    return agree(odd, context.rank() == 3 ? Status(Error{ErrorKind::Io, "disk"}) : ok());
  });
  CHECK(common_error(results).message == "rank 3: disk");
}

TEST_CASE("a claim that differs is named with the rank that differs") {
  const auto results = on_ranks<std::monostate>(3, [](RankContext& context) -> Status {
    const std::vector<Claim> claims = {{"colour", 7}, {"shape", context.rank() == 2 ? ~uint64_t{0} : 1}};
    return agree(context.world(), ok(), claims);
  });
  CHECK(common_error(results).message == "rank 2 and rank 0 do not have the same shape");
}

}  // namespace ranklint::runtime::test
