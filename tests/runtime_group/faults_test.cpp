// The faults that leave a job hanging elsewhere, or let it go on with wrong numbers, each ending here with its name:
// the ranks, the group, the call, and the lines on both sides. Here: ranks that leave, throw or poll.
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <future>
#include <stdexcept>
#include <thread>

#include "tests/runtime_group/verdicts.h"

namespace ranklint::runtime::test {

namespace {

void poll(Work work) {
  while (!work.test()) std::this_thread::yield();
}

}  // namespace

TEST_CASE("a barrier under a rank condition waits for a rank that has left") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    if (context.rank() == 0) context.world().barrier({}, at(10));
  });
  CHECK(verdict.kind == VerdictKind::PeerExited);
  CHECK(verdict.odd_ranks == Ranks{1});
  CHECK(wait_of(verdict, 0) == Wait{OpType::Barrier, 1, 10, {1}});
  CHECK(verdict.message == "rank 1 returned; rank 0 waits in barrier on world (call 1, train.py:10) for rank 1");
}

TEST_CASE("a swallowed exception that skips a call makes the next calls disagree") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    try {
      if (context.rank() == 1) throw std::runtime_error("bad sample");
      context.world().all_reduce(floats({1}), ReduceOp::Sum, {}, at(11));
    } catch (const std::runtime_error&) {
      context.world().barrier({}, at(13));
      return;
    }
    context.world().barrier({}, at(12));
  });
  CHECK(verdict.kind == VerdictKind::Mismatch);
  CHECK(wait_of(verdict, 0) == Wait{OpType::AllReduce, 1, 11, {}});
  CHECK(wait_of(verdict, 1) == Wait{OpType::Barrier, 1, 13, {}});
}

TEST_CASE("one call more than the others waits for ranks that have left") {
  const Verdict verdict = verdict_of(3, [](RankContext& context) {
    for (int step = 0; step < (context.rank() == 0 ? 6 : 5); ++step)
      context.world().all_reduce(floats({1}), ReduceOp::Sum, {}, at(14));
  });
  CHECK(verdict.kind == VerdictKind::PeerExited);
  CHECK(verdict.odd_ranks == Ranks{1, 2});
  CHECK(wait_of(verdict, 0) == Wait{OpType::AllReduce, 6, 14, {1, 2}});
}

TEST_CASE("a rank that throws takes those down that wait for it, with its words") {
  const WorldReport report = run_world(4, [](RankContext& context) {
    if (context.rank() == 3) throw std::out_of_range("piece 3 of 3");
    context.world().barrier({}, at(15));
  });
  CHECK(report.verdict.kind == VerdictKind::PeerThrew);
  CHECK(report.verdict.odd_ranks == Ranks{3});
  CHECK(report.verdict.ranks[3].error == "piece 3 of 3");
  CHECK(wait_of(report.verdict, 0) == Wait{OpType::Barrier, 1, 15, {3}});
  REQUIRE(report.errors[0]);
  CHECK(report.errors[0]->kind == ErrorKind::PeerFailed);
  REQUIRE(report.errors[3]);
  CHECK(report.errors[3]->kind == ErrorKind::Body);
}

TEST_CASE("a rank whose thread ends inside of its body takes those down that wait for it") {
  const WorldReport report = run_world(2, [](RankContext& context) {
    if (context.rank() == 1) pthread_exit(nullptr);
    context.world().barrier({}, at(15));
  });
  CHECK(report.verdict.kind == VerdictKind::PeerThrew);
  CHECK(report.verdict.message ==
        "rank 1 threw: its thread has ended inside of its body; rank 0 waits in barrier on world (call 1, train.py:15) "
        "for "
        "rank 1");
  REQUIRE(report.errors[1]);
  CHECK(report.errors[1]->kind == ErrorKind::Body);
}

TEST_CASE("a rank that leaves the process takes it down with a failure and its name") {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    run_world(2, [](RankContext& context) {
      if (context.rank() == 1) std::exit(0);
      context.world().barrier();
    });
    _exit(0);
  }
  close(ends[1]);
  std::array<char, 200> said{};
  const ssize_t size = read(ends[0], said.data(), said.size() - 1);
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 1);
  CHECK(size > 0);
  CHECK(std::string(said.data()) == "rank 1 has left its process inside of its body\n");
}

#if defined(RANKLINT_CAN_LIMIT_THREADS)

TEST_CASE("ranks for which the system has no thread left take those down that wait for them") {
  for (const Mode mode : {Mode::Relaxed, Mode::OneQueue}) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);  // the time-out of a call is half an hour
      ranklint::test::leave_room_for_threads(3);
      const WorldReport report = run_world(4, [](RankContext& context) { context.world().barrier(); }, {.mode = mode});
      const bool told = report.errors[3] && report.errors[3]->kind == ErrorKind::Io;
      _exit(told && report.verdict.kind == VerdictKind::PeerThrew ? 0 : 1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    INFO("mode " << static_cast<int>(mode) << ", status " << status);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
}

#endif

TEST_CASE("ranks that poll a call in which they disagree are told") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    poll(context.world().all_reduce(Tensor::zeros({2 + context.rank()}), ReduceOp::Sum, {.async = true}, at(40)));
  });
  CHECK(verdict.kind == VerdictKind::Mismatch);
  CHECK(wait_of(verdict, 0) == Wait{OpType::AllReduce, 1, 40, {}});
  CHECK(wait_of(verdict, 1) == Wait{OpType::AllReduce, 1, 40, {}});
}

TEST_CASE("a rank that polls what a rank that has gone would have to do is told") {
  for (const Mode mode : {Mode::Relaxed, Mode::Synchronous, Mode::OneQueue})
    for (const bool throws : {false, true})
      for (const bool message : {false, true}) {
        INFO("mode " << static_cast<int>(mode) << (throws ? ", throws" : ", returns")
                     << (message ? ", message" : ", collective"));
        const WorldReport report =
            run_world(2,
                      [&](RankContext& context) {
                        if (context.rank() == 1 && throws) throw std::runtime_error("disk full");
                        if (context.rank() == 1) return;
                        const Tensor tensor = floats({1});
                        poll(message ? context.world().irecv(tensor, 1)
                                     : context.world().all_reduce(tensor, ReduceOp::Sum, {.async = true}));
                      },
                      {.mode = mode});
        CHECK(report.verdict.kind == (throws ? VerdictKind::PeerThrew : VerdictKind::PeerExited));
        CHECK(report.verdict.ranks[0].waits_for == Ranks{1});
        REQUIRE(report.errors[0]);
        CHECK(report.errors[0]->kind == ErrorKind::PeerFailed);
      }
}

TEST_CASE("a rank that polls is told when the time-out has passed") {
  for (const Mode mode : {Mode::Relaxed, Mode::OneQueue}) {
    std::promise<void> told;
    const Verdict verdict =
        verdict_of(2,
                   [late = told.get_future().share()](RankContext& context) {
                     if (context.rank() == 1) late.wait_for(std::chrono::seconds(20));
                     poll(context.world().all_reduce(floats({1}), ReduceOp::Sum,
                                                     {.async = true, .timeout = std::chrono::milliseconds(300)}));
                   },
                   {.mode = mode, .on_verdict = [&](const Verdict&) { told.set_value(); }});
    CHECK(verdict.kind == VerdictKind::Timeout);
    CHECK(verdict.odd_ranks == Ranks{1});
  }
}

TEST_CASE("an operation of one queue that has failed is complete in no test") {
  bool completed = false;
  const Verdict verdict = verdict_of(2,
                                     [&](RankContext& context) {
                                       if (context.rank() == 1) return;
                                       Work work =
                                           context.world().all_reduce(floats({1}), ReduceOp::Sum, {.async = true});
                                       for (int tests = 0; tests < 1000; ++tests) {
                                         try {
                                           completed = work.test() || completed;
                                         } catch (const RankError&) {
                                         }
                                         std::this_thread::yield();
                                       }
                                     },
                                     {.mode = Mode::OneQueue});
  CHECK(verdict.kind == VerdictKind::PeerExited);
  CHECK_FALSE(completed);
}

TEST_CASE("a wait has its own time-out, if it is given one") {
  for (const bool message : {false, true})
    require_all(2, [&](RankContext& context) {
      const Tensor tensor = floats({1});
      if (context.rank() == 1) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        message ? context.world().send(tensor, 0) : context.world().all_reduce(tensor);
        return true;
      }
      const OpOptions short_of_time{.async = true, .timeout = std::chrono::milliseconds(1)};
      Work work = message ? context.world().recv(tensor, 1, 0, short_of_time)
                          : context.world().all_reduce(tensor, ReduceOp::Sum, short_of_time);
      work.wait(std::chrono::minutes(10));
      return true;
    });
}

TEST_CASE("a rank that polls may turn to something else, and so is in no circle") {
  require_all(2, [](RankContext& context) {
    if (context.rank() == 1) {
      context.world().recv(floats({0}), 0);
      context.world().send(floats({1}), 0);
      return true;
    }
    Work work = context.world().irecv(floats({0}), 1);
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    while (std::chrono::steady_clock::now() < until)
      if (work.test()) return false;
    context.world().send(floats({1}), 1);
    poll(work);
    return true;
  });
}

TEST_CASE("ranks that poll do not look at what others have left when a deadlock takes the world down") {
  constexpr int kRuns = 20, kSlow = 8;
  for (int i = 0; i < kRuns; ++i) {
    const WorldReport report =
        run_world(kSlow + 1,
                  [](RankContext& context) {
                    const int rank = context.rank();
                    if (rank < 4)
                      return context.world().recv(floats({0}), rank ^ 1).wait();  // in pairs, and neither sends
                    if (rank == kSlow) return std::this_thread::sleep_for(std::chrono::milliseconds(20));
                    Work work = context.world().irecv(floats({0}), kSlow);
                    while (!work.test()) std::this_thread::yield();
                  },
                  {.settle = std::chrono::milliseconds(4)});
    CHECK(report.verdict.kind != VerdictKind::Ok);
  }
}

TEST_CASE("a program says what its verdict is although a rank computes on") {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    dup2(ends[1], STDERR_FILENO);
    std::array<char, 8> name{"program"};
    char* arguments = name.data();
    run_program(1, &arguments, 3, [](RankContext& context) {
      if (context.rank() == 2)
        for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
      context.world().recv(floats({0}), 1 - context.rank(), 0, {}, at(41));
    });
    std::_Exit(3);
  }
  close(ends[1]);
  std::string said;
  std::array<char, 200> part{};
  while (said.find("rank 2 running\n") == std::string::npos) {
    const ssize_t size = read(ends[0], part.data(), part.size());
    if (size <= 0) break;
    said.append(part.data(), static_cast<size_t>(size));
  }
  kill(child, SIGKILL);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  CHECK(said ==
        "deadlock: rank 0 waits in recv (float32[1], from 1) on world (call 1, train.py:41) for rank 1; rank 1 waits "
        "in recv "
        "(float32[1], from 0) on world (call 1, train.py:41) for rank 0\n"
        "  rank 0 waiting in recv on world, call 1, train.py:41 (float32[1], from 1), for 1\n"
        "  rank 1 waiting in recv on world, call 1, train.py:41 (float32[1], from 0), for 0\n"
        "  rank 2 running\n");
}

TEST_CASE("a world without ranks is refused") {
  for (const int world_size : {0, -1}) {
    try {
      run_world(world_size, [](RankContext&) {});
      FAIL("a world of " << world_size);
    } catch (const RankError& error) {
      CHECK(error.error().kind == ErrorKind::InvalidArgument);
      CHECK(error.error().message == "a world of " + std::to_string(world_size) + " ranks");
    }
  }
}

TEST_CASE("a rank that throws where nobody waits is told too") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    if (context.rank() == 1) throw std::runtime_error("disk full");
  });
  CHECK(verdict.kind == VerdictKind::PeerThrew);
  CHECK(verdict.message == "rank 1 threw: disk full");
}

}  // namespace ranklint::runtime::test
