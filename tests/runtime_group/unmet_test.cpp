// Operations that ranks started and never waited for, and that have no match when all ranks have returned.
#include <functional>
#include <stdexcept>

#include "tests/runtime_group/support.h"

namespace ranklint::runtime::test {

namespace {

using Body = std::function<void(RankContext&)>;

constexpr int64_t kSmall = 1, kLarge = 100000;  // one that may run ahead of its receive, and one that may not
const std::vector<Mode> kModes = {Mode::Relaxed, Mode::Synchronous, Mode::OneQueue};

Site at(uint32_t line) { return {"src/train.py", line, "step"}; }

Verdict verdict_of(int world_size, const Body& body, Mode mode = Mode::Relaxed) {
  return run_world(world_size, body, {.mode = mode}).verdict;
}

// Of two ranks, of which the second returns at once.
Verdict first_rank_leaves(const Body& begin, Mode mode = Mode::Relaxed) {
  return verdict_of(
      2,
      [&](RankContext& context) {
        if (context.rank() == 0) begin(context);
      },
      mode);
}

void check_left_by_rank_0(const Verdict& verdict, OpType op, uint32_t line) {
  INFO(verdict.to_text());
  CHECK(verdict.kind == VerdictKind::PeerExited);
  CHECK(verdict.odd_ranks == std::vector<int>{1});
  CHECK(verdict.ranks[0].op == op);
  CHECK(verdict.ranks[0].group == "world");
  CHECK(verdict.ranks[0].sequence == 1);
  CHECK(verdict.ranks[0].site.line == line);
  CHECK(verdict.ranks[0].waits_for == std::vector<int>{1});
}

}  // namespace

TEST_CASE("what is left and not met is told when all have returned, in every mode") {
  for (const Mode mode : kModes) {
    for (const int64_t count : {kSmall, kLarge}) {
      const auto tensor = [count] { return Tensor::zeros({count}); };
      check_left_by_rank_0(
          first_rank_leaves([&](RankContext& context) { context.world().isend(tensor(), 1, 7, at(10)); }, mode),
          OpType::Send, 10);
      check_left_by_rank_0(
          first_rank_leaves([&](RankContext& context) { context.world().irecv(tensor(), 1, 7, at(11)); }, mode),
          OpType::Recv, 11);
      check_left_by_rank_0(
          first_rank_leaves([&](RankContext& context) { context.world().irecv(tensor(), kAnySource, 7, at(12)); },
                            mode),
          OpType::Recv, 12);
      check_left_by_rank_0(first_rank_leaves(
                               [&](RankContext& context) {
                                 context.world().all_reduce(tensor(), ReduceOp::Sum, {.async = true}, at(13));
                               },
                               mode),
                           OpType::AllReduce, 13);
    }
  }
}

TEST_CASE("a send that ran ahead of a receive that never came is told too") {
  check_left_by_rank_0(
      first_rank_leaves([](RankContext& context) { context.world().send(floats({1}), 1, 0, {}, at(14)); }),
      OpType::Send, 14);
  check_left_by_rank_0(first_rank_leaves([](RankContext& context) {
                         Work work = context.world().isend(floats({1}), 1, 0, at(15));
                         while (!work.test()) {
                         }
                       }),
                       OpType::Send, 15);
}

TEST_CASE("what is left is told with its rank, its peer, its group and its line") {
  const Verdict verdict = verdict_of(3, [](RankContext& context) {
    ProcessGroup pair = context.new_group({2, 0}, "pair");
    if (context.rank() == 2) pair.isend(floats({1, 2}), 0, 7, at(16));
  });
  CHECK(verdict.message ==
        "rank 0 returned; rank 2 left send (float32[2], to 0, tag 7) on pair (call 1, train.py:16), which rank 0 never "
        "met");
  CHECK(verdict.to_text() ==
        "peer_exited: " + verdict.message +
            "\n"
            "  rank 0 finished\n"
            "  rank 1 finished\n"
            "  rank 2 finished, leaving send on pair, call 1, train.py:16 (float32[2], to 0, tag 7), for 0\n");
  CHECK(verdict.to_json().find(R"({"rank": 2, "state": "finished", "op": "send", "group": "pair", "sequence": 1, )"
                               R"("detail": "float32[2], to 0, tag 7", "site": "train.py:16", "waits_for": [0]})") !=
        std::string::npos);
}

TEST_CASE("of several that a rank has left the first is told, and how many more, of every rank that has") {
  const Verdict verdict = verdict_of(3, [](RankContext& context) {
    ProcessGroup& world = context.world();
    for (uint32_t i = 0; i < 3; ++i)
      if (context.rank() != 2) world.isend(floats({1}), 1 - context.rank(), static_cast<int>(i), at(20 + i));
    if (context.rank() == 1) world.barrier({.async = true}, at(23));
  });
  CHECK(verdict.odd_ranks == std::vector<int>{0, 1, 2});
  CHECK(verdict.message ==
        "ranks 0, 1, 2 returned; rank 0 left send (float32[1], to 1) on world (call 1, train.py:20), which rank 1 "
        "never met, and "
        "2 more; rank 1 left barrier on world (call 1, train.py:23), which ranks 0, 2 never met, and 3 more");
}

TEST_CASE("a message of a batch that nobody meets is told, and not those that were met") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    const Tensor in = floats({0});
    if (context.rank() == 1) return context.world().send(floats({1}), 0).wait();
    context.world().batch({{P2POp::Kind::Recv, in, 1}, {P2POp::Kind::Send, floats({1}), 1}}, {.async = true}, at(24));
  });
  CHECK(verdict.message ==
        "rank 1 returned; rank 0 left send (float32[1], to 1) on world (call 2, train.py:24), which rank 1 never met");
}

TEST_CASE("what is met is no fault although nobody waits for it") {
  for (const Mode mode : kModes)
    for (const int64_t count : {kSmall, kLarge})
      require_all(2,
                  [&](RankContext& context) {
                    ProcessGroup& world = context.world();
                    const int other = 1 - context.rank();
                    world.all_reduce(Tensor::zeros({count}), ReduceOp::Sum, {.async = true});
                    world.batch({{P2POp::Kind::Send, Tensor::zeros({count}), other},
                                 {P2POp::Kind::Recv, Tensor::zeros({count}), other}},
                                {.async = true});
                    if (context.rank() == 0) world.isend(Tensor::zeros({count}), 1, 2);
                    if (context.rank() == 1) world.recv(Tensor::zeros({count}), kAnySource, 2);
                    return true;
                  },
                  {.mode = mode});
}

TEST_CASE("ranks that disagree about what nobody waits for are told of that") {
  const Verdict collective = verdict_of(2, [](RankContext& context) {
    context.world().all_reduce(Tensor::zeros({1 + context.rank()}), ReduceOp::Sum, {.async = true});
  });
  CHECK(collective.kind == VerdictKind::Mismatch);
  const Verdict message = verdict_of(2, [](RankContext& context) {
    if (context.rank() == 0) context.world().isend(Tensor::zeros({1}), 1);
    if (context.rank() == 1) context.world().irecv(Tensor::zeros({2}), 0);
  });
  CHECK(message.kind == VerdictKind::Mismatch);
}

TEST_CASE("of a rank that throws its error is told, and not what is left since") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    if (context.rank() == 1) throw std::runtime_error("disk full");
    context.world().isend(floats({1}), 1);
  });
  CHECK(verdict.kind == VerdictKind::PeerThrew);
  CHECK(verdict.message == "rank 1 threw: disk full");
}

TEST_CASE("a rank that has been told in its wait leaves no second verdict") {
  const Verdict verdict = first_rank_leaves([](RankContext& context) {
    context.world().isend(floats({1}), 1);
    try {
      context.world().recv(floats({0}), 1);
    } catch (const RankError&) {  // it goes on, and returns
    }
  });
  CHECK(verdict.kind == VerdictKind::PeerExited);
  CHECK(verdict.ranks[0].op == OpType::Recv);
}

TEST_CASE("a flight record says who has not met what was left") {
  const WorldReport report = run_world(2, [](RankContext& context) {
    if (context.rank() == 0) context.world().barrier({.async = true});
  });
  CHECK(report.flight_records[0].find("\"missing_ranks\": [1]") != std::string::npos);
  CHECK(report.flight_records[0].find("\"verdict\": \"peer_exited\"") != std::string::npos);
}

}  // namespace ranklint::runtime::test
