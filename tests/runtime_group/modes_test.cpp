#include "tests/runtime_group/support.h"

namespace ranklint::runtime::test {

namespace {

// dp before sp on even ranks, sp before dp on odd ones: harmless for independent streams, a circle in one queue.
void cross_order(RankContext& context) {
  ProcessGroup dp = context.new_group({0, 1}, "dp");
  ProcessGroup sp = context.new_group({0, 1}, "sp");
  const Tensor a = floats({1});
  const Tensor b = floats({1});
  const bool first = context.rank() == 0;
  Work one = (first ? dp : sp).all_reduce(a, ReduceOp::Sum, {.async = true});
  Work two = (first ? sp : dp).all_reduce(b, ReduceOp::Sum, {.async = true});
  one.wait();
  two.wait();
}

}  // namespace

TEST_CASE("asynchronous calls on two groups in opposite order block each other in one queue only") {
  CHECK(run_world(2, cross_order, {.mode = Mode::Relaxed}).ok());
  CHECK(run_world(2, cross_order, {.mode = Mode::Synchronous}).ok());
  const Verdict verdict = run_world(2, cross_order, {.mode = Mode::OneQueue}).verdict;
  CHECK(verdict.kind == VerdictKind::Deadlock);
  CHECK(verdict.ranks[0].group == "dp");
  CHECK(verdict.ranks[0].waits_for == std::vector<int>{1});
  CHECK(verdict.ranks[1].group == "sp");
  CHECK(verdict.ranks[1].waits_for == std::vector<int>{0});
}

TEST_CASE("a correct program gives the same in one queue") {
  require_all(3,
              [](RankContext& context) {
                ProcessGroup pair = context.new_group({0, 2}, "pair");
                const Tensor large = numbered(context.rank(), 5000);
                const Tensor in = Tensor::zeros({10});
                const int right = (context.rank() + 1) % 3;
                const int left = (context.rank() + 2) % 3;
                Work reduce = context.world().all_reduce(large, ReduceOp::Max, {.async = true});
                Work shift = context.world().batch(
                    {{P2POp::Kind::Send, numbered(context.rank(), 10), right}, {P2POp::Kind::Recv, in, left}},
                    {.async = true});
                if (pair.is_member()) pair.barrier();
                shift.wait();
                while (!reduce.test()) {
                }
                return large.bit_equal(numbered(2, 5000)) && in.bit_equal(numbered(left, 10)) && reduce.sequence() == 2;
              },
              {.mode = Mode::OneQueue});
}

TEST_CASE("faults in one queue are told of the ranks and not of their queues") {
  const Verdict left = run_world(2,
                                 [](RankContext& context) {
                                   if (context.rank() == 0) context.world().barrier();
                                 },
                                 {.mode = Mode::OneQueue})
                           .verdict;
  CHECK(left.kind == VerdictKind::PeerExited);
  CHECK(left.odd_ranks == std::vector<int>{1});
  const Verdict threw = run_world(3,
                                  [](RankContext& context) {
                                    if (context.rank() == 1) fail(ErrorKind::Io, "no file");
                                    context.world().barrier();
                                  },
                                  {.mode = Mode::OneQueue})
                            .verdict;
  CHECK(threw.kind == VerdictKind::PeerThrew);
  CHECK(threw.odd_ranks == std::vector<int>{1});
  const Verdict differ =
      run_world(3, [](RankContext& context) { context.world().broadcast(floats({1}), context.rank() == 2 ? 1 : 0); },
                {.mode = Mode::OneQueue})
          .verdict;
  CHECK(differ.kind == VerdictKind::Mismatch);
  CHECK(differ.odd_ranks == std::vector<int>{2});
}

TEST_CASE("a changed tensor is told in one queue too") {
  const WorldReport report = run_world(2,
                                       [](RankContext& context) {
                                         const Tensor tensor = Tensor::zeros({1000});
                                         Work work = context.world().broadcast(tensor, 0, {.async = true});
                                         if (context.rank() == 0) {
                                           context.world().send(floats({0}), 1);  // after the broadcast in both queues
                                           tensor.fill_(1);
                                         } else {
                                           context.world().recv(floats({0}), 0);
                                         }
                                         work.wait();
                                       },
                                       {.mode = Mode::OneQueue});
  CHECK(report.verdict.kind == VerdictKind::BufferReuse);
}

}  // namespace ranklint::runtime::test
