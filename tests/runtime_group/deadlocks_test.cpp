// Ranks that wait for each other or too long, and what a verdict says of that.
#include <atomic>
#include <stdexcept>
#include <thread>

#include "tests/runtime_group/verdicts.h"

namespace ranklint::runtime::test {

TEST_CASE("a work that outlives its world says what became of its operation") {
  const auto mode = GENERATE(Mode::Relaxed, Mode::Synchronous, Mode::OneQueue);
  const Tensor sum = Tensor::full({3}, 1), theirs = Tensor::full({3}, 1), received = Tensor::zeros({3});
  Work done, alone, receive;
  int told = 0;
  const WorldReport report =
      run_world(2,
                [&](RankContext& context) {
                  ProcessGroup& world = context.world();
                  Work work = world.all_reduce(context.rank() == 0 ? sum : theirs, ReduceOp::Sum, {.async = true});
                  work.wait();
                  if (context.rank() != 0) return;
                  done = work;
                  receive = world.irecv(received, 1);
                  alone = world.all_reduce(received, ReduceOp::Sum, {.async = true});
                },
                {.mode = mode, .on_verdict = [&](const Verdict&) { ++told; }});
  for (const std::optional<Error>& error : report.errors) CHECK(!error);
  const int told_in_time = told;
  done.wait();
  CHECK(done.test());
  CHECK(values(sum) == std::vector<float>(3, 2));
  for (Work* work : {&receive, &alone}) {
    CHECK_THROWS_AS(work->wait(), RankError);
    CHECK_THROWS_AS(work->test(), RankError);
  }
  CHECK(told == told_in_time);
}

TEST_CASE("two groups used in opposite order are a circle over both") {
  const Verdict verdict = verdict_of(4, [](RankContext& context) {
    ProcessGroup rows = context.split(context.rank() / 2, 0, "rows");
    ProcessGroup columns = context.split(context.rank() % 2, 0, "columns");
    const bool odd = context.rank() % 2 != 0 ? context.rank() / 2 == 0 : context.rank() / 2 != 0;
    if (odd) {
      columns.barrier({}, at(21));
      rows.barrier({}, at(22));
    } else {
      rows.barrier({}, at(23));
      columns.barrier({}, at(24));
    }
  });
  CHECK(verdict.kind == VerdictKind::Deadlock);
  CHECK(wait_of(verdict, 0) == Wait{OpType::Barrier, 1, 23, {1}});
  CHECK(wait_of(verdict, 1) == Wait{OpType::Barrier, 1, 21, {3}});
  CHECK(wait_of(verdict, 3) == Wait{OpType::Barrier, 1, 23, {2}});
  CHECK(wait_of(verdict, 2) == Wait{OpType::Barrier, 1, 21, {0}});
  CHECK(verdict.ranks[1].group == "columns");
}

TEST_CASE("two ranks that receive from each other first wait in a circle") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    const int other = 1 - context.rank();
    context.world().recv(floats({0}), other, 0, {}, at(25));
    context.world().send(floats({0}), other, 0, {}, at(26));
  });
  CHECK(verdict.kind == VerdictKind::Deadlock);
  CHECK(wait_of(verdict, 0) == Wait{OpType::Recv, 1, 25, {1}});
  CHECK(wait_of(verdict, 1) == Wait{OpType::Recv, 1, 25, {0}});
  CHECK(verdict.ranks[0].detail == "float32[1], from 1");
}

TEST_CASE("a receive from any waits as long as anybody may send") {
  const Verdict verdict = verdict_of(3, [](RankContext& context) {
    if (context.rank() == 0) context.world().recv(floats({0}), kAnySource, 0, {}, at(27));
  });
  CHECK(verdict.kind == VerdictKind::PeerExited);
  CHECK(wait_of(verdict, 0) == Wait{OpType::Recv, 1, 27, {1, 2}});
}

TEST_CASE("a message of another count than its receive is a mismatch with both lines") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    if (context.rank() == 0)
      context.world().send(Tensor::zeros({3}), 1, 0, {}, at(28));
    else
      context.world().recv(Tensor::zeros({4}), 0, 0, {}, at(29));
  });
  CHECK(verdict.kind == VerdictKind::Mismatch);
  CHECK(
      verdict.message ==
      "a send and its receive in group world disagree about the count: rank 0: send (float32[3], to 1) at train.py:28; "
      "rank 1: recv (float32[4], from 0) at train.py:29");
}

TEST_CASE("a message of another type or name than its receive is a mismatch, whoever comes first") {
  const auto message_of = [](DType received, const OpOptions& send, const OpOptions& recv, int first) {
    return verdict_of(2,
                      [&](RankContext& context) {
                        ProcessGroup& world = context.world();
                        if (context.rank() != first) world.barrier();
                        Work work = context.rank() == 0 ? world.send(Tensor::zeros({3}), 1, 0, send, at(28))
                                                        : world.recv(Tensor::zeros({3}, received), 0, 0, recv, at(29));
                        if (context.rank() == first) world.barrier();
                        work.wait();
                      })
        .message;
  };
  const OpOptions async{.async = true}, weight{.async = true, .name = "weight"}, bias{.async = true, .name = "bias"};
  for (const int first : {0, 1}) {
    const std::string type =
        "a send and its receive in group world disagree about the element type: rank 0: send (float32[3], to 1) "
        "at train.py:28; rank 1: recv (int32[3], from 0) at train.py:29";
    CHECK(message_of(DType::I32, first == 0 ? async : kPlain, first == 1 ? async : kPlain, first) == type);
    CHECK(message_of(DType::F32, weight, bias, first)
              .starts_with("a send and its receive in group world disagree about the name: "));
  }
  CHECK(message_of(DType::I32, kPlain, kPlain, 0).find("element type") != std::string::npos);  // sent and gone before
}

TEST_CASE("a group that only its members make waits for the others") {
  const Verdict verdict = verdict_of(4, [](RankContext& context) {
    if (context.rank() < 2) context.new_group({0, 1}, "lower", at(30));
    context.world().barrier({}, at(31));
  });
  CHECK(verdict.kind == VerdictKind::Mismatch);
  CHECK(wait_of(verdict, 0) == Wait{OpType::NewGroup, 1, 30, {}});
  CHECK(verdict.ranks[0].detail == "ranks 0 1, name \"lower\"");
  CHECK(wait_of(verdict, 2) == Wait{OpType::Barrier, 1, 31, {}});
}

TEST_CASE("groups made in different order are a mismatch of their ranks") {
  const Verdict verdict = verdict_of(4, [](RankContext& context) {
    const bool swapped = context.rank() == 3;
    for (const int i : swapped ? std::vector<int>{1, 0} : std::vector<int>{0, 1})
      context.new_group(i == 0 ? std::vector<int>{0, 1} : std::vector<int>{2, 3}, "half", at(32));
  });
  CHECK(verdict.kind == VerdictKind::Mismatch);
  CHECK(verdict.odd_ranks == Ranks{3});
  CHECK(verdict.message ==
        "members of group world disagree in call 1 about the ranks of the new group: ranks 0, 1, 2: new_group (ranks 0 "
        "1, "
        "name \"half\") at train.py:32; rank 3: new_group (ranks 2 3, name \"half\") at train.py:32");
}

TEST_CASE("a rank that computes for long is slow and no deadlock") {
  const WorldReport report = run_world(3,
                                       [](RankContext& context) {
                                         if (context.rank() == 0)
                                           std::this_thread::sleep_for(std::chrono::milliseconds(150));
                                         context.world().barrier();
                                       },
                                       {.settle = std::chrono::milliseconds(1)});
  CHECK(report.verdict.kind == VerdictKind::Ok);
}

TEST_CASE("a deadline names who has not come and that it still runs") {
  std::atomic<bool> told{false};
  const WorldReport report = run_world(2, [&](RankContext& context) {
    if (context.rank() == 1) {
      while (!told) std::this_thread::yield();
      return;
    }
    try {
      context.world().monitored_barrier(std::chrono::milliseconds(20), at(33));
    } catch (const RankError&) {
      told = true;
      throw;
    }
  });
  CHECK(report.verdict.kind == VerdictKind::Timeout);
  CHECK(report.verdict.odd_ranks == Ranks{1});
  CHECK(
      report.verdict.message ==
      "timed out: rank 0 waits in monitored_barrier on world (call 1, train.py:33) for rank 1; still running, so slow "
      "and not deadlocked: rank 1");
}

TEST_CASE("a time-out as long as can be said is forever") {
  constexpr std::chrono::milliseconds kForEver = std::chrono::milliseconds::max();
  const WorldReport report = run_world(2,
                                       [&](RankContext& context) {
                                         if (context.rank() == 0)
                                           std::this_thread::sleep_for(std::chrono::milliseconds(50));
                                         context.world().barrier();
                                         if (context.rank() == 1)
                                           std::this_thread::sleep_for(std::chrono::milliseconds(50));
                                         context.world().barrier({.timeout = kForEver});
                                       },
                                       {.default_timeout = kForEver});
  INFO(report.verdict.to_text());
  CHECK(report.ok());
  CHECK(report.flight_records[0].find("\"timeout_ms\": 2147483647") != std::string::npos);
}

TEST_CASE("a deadlock is told while a rank outside of it computes on") {
  std::atomic<bool> told{false};
  const WorldReport report = run_world(3,
                                       [&](RankContext& context) {
                                         if (context.rank() == 2) {
                                           while (!told) std::this_thread::yield();
                                           return;
                                         }
                                         try {
                                           context.world().recv(floats({0}), 1 - context.rank());
                                         } catch (const RankError&) {
                                           told = true;
                                           throw;
                                         }
                                       },
                                       {.settle = std::chrono::milliseconds(1)});
  CHECK(report.verdict.kind == VerdictKind::Deadlock);
  CHECK(report.verdict.ranks[2].phase == RankPhase::Running);
}

TEST_CASE("a call made on behalf of another says so") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    if (context.rank() == 0)
      context.world().all_to_all_single(Tensor::zeros({2}), floats({1, 2}), {.implicit_in = "DTensor.copy_"}, at(34));
  });
  CHECK(verdict.ranks[0].implicit_in == "DTensor.copy_");
  CHECK(verdict.message.find("waits in all_to_all (float32[2]) inside DTensor.copy_ on world") != std::string::npos);
  CHECK(verdict.to_text().find("train.py:34 (float32[2]), inside DTensor.copy_, for 1\n") != std::string::npos);
}

TEST_CASE("a verdict as JSON has a key for all that applies") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    if (context.rank() == 0) context.world().broadcast(floats({1, 2}), 0, {}, at(12));
    if (context.rank() == 1) throw std::runtime_error("no \"file\"");
  });
  CHECK(
      verdict.to_json() ==
      R"({"verdict": "peer_threw", "message": "rank 1 threw: no \"file\"; rank 0 waits in broadcast (float32[2], root 0) )"
      R"(on world (call 1, train.py:12) for rank 1", "odd_ranks": [1], "ranks": [{"rank": 0, "state": "waiting", )"
      R"("op": "broadcast", "group": "world", "sequence": 1, "detail": "float32[2], root 0", "site": "train.py:12", )"
      R"("waits_for": [1]}, {"rank": 1, "state": "threw", "error": "no \"file\""}]})");
}

TEST_CASE("a verdict as text has a line per rank") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    if (context.rank() == 0) context.world().barrier({}, at(12));
  });
  CHECK(verdict.to_text() ==
        "peer_exited: rank 1 returned; rank 0 waits in barrier on world (call 1, train.py:12) for rank 1\n"
        "  rank 0 waiting in barrier on world, call 1, train.py:12, for 1\n"
        "  rank 1 finished\n");
}

TEST_CASE("ranks that are woken by the one who disagrees do not take that for a time-out") {
  for (int round = 0; round < 300; ++round) {
    const WorldReport report = run_world(3, [](RankContext& context) {
      const int64_t count = context.rank() == 2 ? 2 : 4;
      if (context.rank() == 2) std::this_thread::sleep_for(std::chrono::microseconds(500));
      context.world().all_reduce(Tensor::zeros({count}));
    });
    REQUIRE(report.verdict.kind == VerdictKind::Mismatch);
  }
}

}  // namespace ranklint::runtime::test
