// The faults that leave a job hanging elsewhere, or let it go on with wrong numbers, each ending here with its name:
// the ranks, the group, the call, and the lines on both sides.
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <future>
#include <stdexcept>
#include <thread>

#include "tests/runtime_base/few_threads.h"
#include "tests/runtime_group/support.h"

namespace ranklint::runtime::test {

namespace {

Site at(uint32_t line) { return {"src/train.py", line, "step"}; }

constexpr OpOptions kPlain{};

// Of a world of `world_size` ranks; all must have ended by themselves.
Verdict verdict_of(int world_size, const std::function<void(RankContext&)>& body, const WorldOptions& options = {}) {
  return run_world(world_size, body, options).verdict;
}

struct Wait {
  OpType op;
  uint64_t sequence;
  uint32_t line;
  std::vector<int> waits_for;
  bool operator==(const Wait&) const = default;
};

Wait wait_of(const Verdict& verdict, size_t rank) {
  const RankState& state = verdict.ranks[rank];
  REQUIRE(state.phase == RankPhase::Waiting);
  return {state.op, state.sequence, state.site.line, state.waits_for};
}

using Ranks = std::vector<int>;

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
                      return context.world().recv(floats({0}), rank ^ 1).wait();  // two by two, and nobody sends
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

TEST_CASE("different operations in one call are a mismatch, and the majority is right") {
  const Verdict verdict = verdict_of(3, [](RankContext& context) {
    const Tensor tensor = floats({1, 2});
    if (context.rank() == 1)
      context.world().broadcast(tensor, 0, {}, at(16));
    else
      context.world().all_reduce(tensor, ReduceOp::Sum, {}, at(17));
  });
  CHECK(verdict.kind == VerdictKind::Mismatch);
  CHECK(verdict.odd_ranks == Ranks{1});
  CHECK(verdict.message ==
        "members of group world disagree in call 1 about the operation: ranks 0, 2: all_reduce (float32[2], sum) at "
        "train.py:17; rank 1: broadcast (float32[2], root 0) at train.py:16");
}

TEST_CASE("unequal shapes are a mismatch in whichever collective") {
  const std::vector<std::function<void(ProcessGroup&, const Tensor&)>> calls = {
      [](ProcessGroup& group, const Tensor& tensor) { group.all_reduce(tensor); },
      [](ProcessGroup& group, const Tensor& tensor) {
        group.all_gather_into_tensor(Tensor::zeros({3 * tensor.numel()}), tensor);
      },
      [](ProcessGroup& group, const Tensor& tensor) { group.broadcast(tensor, 0); },
      [](ProcessGroup& group, const Tensor& tensor) {
        group.reduce_scatter_tensor(tensor, Tensor::zeros({3 * tensor.numel()}));
      },
  };
  for (size_t i = 0; i < calls.size(); ++i) {
    INFO("call " << i);
    const Verdict verdict = verdict_of(
        3, [&](RankContext& context) { calls[i](context.world(), Tensor::zeros({context.rank() == 2 ? 2 : 4})); });
    CHECK(verdict.kind == VerdictKind::Mismatch);
    CHECK(verdict.odd_ranks == Ranks{2});
    CHECK(verdict.message.find("about the count") != std::string::npos);
  }
}

namespace {

using GroupCall = std::function<void(ProcessGroup&, const Tensor&)>;

std::vector<Tensor> like(const Tensor& tensor, int count) {
  return std::vector<Tensor>(static_cast<size_t>(count), Tensor::zeros(tensor.shape()));
}

// Those in which every rank gives or gets a piece of the same shape; whatever holds the pieces may have any.
std::vector<GroupCall> calls_of_one_shape() {
  return {
      [](ProcessGroup& group, const Tensor& tensor) { group.all_reduce(tensor); },
      [](ProcessGroup& group, const Tensor& tensor) { group.reduce(tensor, 0); },
      [](ProcessGroup& group, const Tensor& tensor) { group.broadcast(tensor, 0); },
      [](ProcessGroup& group, const Tensor& tensor) {
        group.all_gather_into_tensor(Tensor::zeros({3 * tensor.numel()}), tensor);
      },
      [](ProcessGroup& group, const Tensor& tensor) { group.all_gather(like(tensor, 3), tensor); },
      [](ProcessGroup& group, const Tensor& tensor) {
        group.gather(like(tensor, group.rank() == 0 ? 3 : 0), tensor, 0);
      },
      [](ProcessGroup& group, const Tensor& tensor) {
        group.reduce_scatter_tensor(tensor, Tensor::zeros({3 * tensor.numel()}));
      },
      [](ProcessGroup& group, const Tensor& tensor) { group.reduce_scatter(tensor, like(tensor, 3)); },
      [](ProcessGroup& group, const Tensor& tensor) {
        group.scatter(tensor, like(tensor, group.rank() == 0 ? 3 : 0), 0);
      },
  };
}

}  // namespace

TEST_CASE("shapes of as many elements are a mismatch in whichever collective") {
  const std::vector<GroupCall> calls = calls_of_one_shape();
  const std::vector<std::array<Shape, 2>> shapes = {{Shape{2, 3}, Shape{3, 2}},
                                                    {Shape{4}, Shape{4, 1}},
                                                    {Shape{1}, Shape{}},
                                                    {Shape{1, 1, 1, 2, 3, 1}, Shape{1, 1, 1, 3, 2, 1}}};
  for (const auto& [most, odd] : shapes)
    for (size_t i = 0; i < calls.size(); ++i) {
      INFO("call " << i << ", " << to_string(odd));
      const Verdict verdict = verdict_of(
          3, [&](RankContext& context) { calls[i](context.world(), Tensor::zeros(context.rank() == 2 ? odd : most)); });
      CHECK(verdict.kind == VerdictKind::Mismatch);
      CHECK(verdict.odd_ranks == Ranks{2});
      CHECK(verdict.message.find("about the shape") != std::string::npos);
      CHECK(verdict.ranks[0].detail.find("float32" + to_string(most)) == 0);
      CHECK(verdict.ranks[2].detail.find("float32" + to_string(odd)) == 0);
    }
}

TEST_CASE("a mismatch of shapes says both") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    const bool first = context.rank() == 0;
    context.world().all_reduce(Tensor::zeros(first ? Shape{2, 3} : Shape{3, 2}), ReduceOp::Sum, {},
                               at(first ? 18 : 19));
  });
  CHECK(verdict.message ==
        "members of group world disagree in call 1 about the shape: rank 0: all_reduce (float32[2, 3], sum) at "
        "train.py:18; rank "
        "1: all_reduce (float32[3, 2], sum) at train.py:19");
}

TEST_CASE("pieces are of one shape whatever they are put together in") {
  require_all(2, [](RankContext& context) {
    ProcessGroup& group = context.world();
    const Tensor piece = Tensor::full({2, 3}, 1);
    const Tensor flat = Tensor::zeros({12}), square = Tensor::zeros({4, 3});
    const std::vector<Tensor> list = {Tensor::zeros({2, 3}), Tensor::zeros({6})}, even = like(piece, 2);
    if (group.rank() == 0) {
      group.all_gather_into_tensor(flat, piece);
      group.all_gather(list, piece);  // alike in their counts alone: nobody disagrees
      group.reduce_scatter_tensor(piece, square);
      return true;
    }
    group.all_gather(even, piece);
    group.all_gather_into_tensor(square, piece.reshape({3, 2}));
    group.reduce_scatter(piece, even);
    return true;
  });
}

TEST_CASE("two shapes that differ stop the member that has no shape to compare too") {
  const WorldReport report = run_world(3, [](RankContext& context) {
    const Tensor piece = Tensor::zeros(context.rank() == 2 ? Shape{3, 2} : Shape{2, 3});
    std::vector<Tensor> out = like(piece, 3);
    if (context.rank() == 0) out[1] = Tensor::zeros({6});
    context.world().all_gather(out, piece, {}, at(37));
  });
  CHECK(report.verdict.kind == VerdictKind::Mismatch);
  CHECK(wait_of(report.verdict, 0) == Wait{OpType::AllGather, 1, 37, {}});
}

TEST_CASE("of messages, of all_to_all and of unequal pieces only the counts must fit") {
  require_all(2, [](RankContext& context) {
    ProcessGroup& group = context.world();
    const bool first = group.rank() == 0;
    const Shape shape = first ? Shape{2, 3} : Shape{6};
    const Tensor mine = Tensor::zeros(shape);
    if (first) group.send(mine, 1);
    if (!first) group.recv(mine, 0);
    group.all_to_all_single(Tensor::zeros(shape), mine);
    group.all_to_all(like(mine, 2), like(mine, 2));
    const std::vector<Tensor> uneven = {Tensor::zeros({2, 3}), Tensor::zeros(first ? Shape{5} : Shape{5, 1})};
    group.all_gather(uneven, first ? mine : Tensor::zeros({5}));
    group.reduce_scatter(first ? mine : Tensor::zeros({1, 5}), uneven);
    return true;
  });
}

TEST_CASE("lists of counts that differ are a mismatch although each rank's own count fits") {
  const Verdict verdict = verdict_of(3, [](RankContext& context) {
    std::vector<Tensor> out;
    for (int rank = 0; rank < 3; ++rank) out.push_back(Tensor::zeros({rank + 1}));
    if (context.rank() == 1) out[2] = Tensor::zeros({5});
    context.world().all_gather(out, Tensor::zeros({context.rank() + 1}), {}, at(18));
  });
  CHECK(verdict.kind == VerdictKind::Mismatch);
  CHECK(verdict.odd_ranks == Ranks{1});
  CHECK(verdict.message ==
        "members of group world disagree in call 1 about the count: rank 0: all_gather (float32[1], out 1 + 2 + 3) at "
        "train.py:18; rank 1: all_gather (float32[2], out 1 + 2 + 5) at train.py:18; rank 2: all_gather (float32[3], "
        "out 1 + 2 "
        "+ 3) at train.py:18");
}

TEST_CASE("split sizes are compared pair by pair") {
  const Verdict verdict = verdict_of(3, [](RankContext& context) {
    std::vector<Tensor> in(3, Tensor::zeros({2}));
    std::vector<Tensor> out;
    for (int from = 0; from < 3; ++from) out.push_back(Tensor::zeros({2}));
    if (context.rank() == 0) in[2] = Tensor::zeros({3});  // rank 2 expects 2
    context.world().all_to_all(out, in, {}, at(18));
  });
  CHECK(verdict.kind == VerdictKind::Mismatch);
  CHECK(verdict.message ==
        "members of group world disagree in call 1 about the split sizes: rank 0: all_to_all (float32[2], in 2 x 2 + "
        "3, out 3 x "
        "2) at train.py:18; ranks 1, 2: all_to_all (float32[2], in 3 x 2, out 3 x 2) at train.py:18");
  CHECK(wait_of(verdict, 1) == Wait{OpType::AllToAll, 1, 18, {}});  // though its own pieces fit
}

TEST_CASE("sizes that differ where a shape is cut short are told") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    context.world().all_reduce(Tensor::zeros({2, 2, 2, 2, 1, 1, 3 + context.rank()}), ReduceOp::Sum, {}, at(18));
  });
  CHECK(verdict.message ==
        "members of group world disagree in call 1 about the count: rank 0: all_reduce (float32[2, 2, 2, 2, 1, 1, ...] "
        "of 48, "
        "sum) at train.py:18; rank 1: all_reduce (float32[2, 2, 2, 2, 1, 1, ...] of 64, sum) at train.py:18");
}

TEST_CASE("a group that some list and others split is a mismatch that says so") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    if (context.rank() == 0) context.new_group({0, 1}, "all", at(18));
    if (context.rank() == 1) context.split(0, 0, "all", at(19));
  });
  CHECK(verdict.message ==
        "members of group world disagree in call 1 about the way the group is made: rank 0: new_group (ranks 0 1, name "
        "\"all\") "
        "at train.py:18; rank 1: new_group (split by colour, name \"all\") at train.py:19");
}

TEST_CASE("element types that differ are a mismatch and no silent reinterpretation") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    context.world().all_reduce(Tensor::zeros({4}, context.rank() ? DType::I32 : DType::F32), ReduceOp::Sum, {}, at(19));
  });
  CHECK(verdict.kind == VerdictKind::Mismatch);
  CHECK(verdict.message ==
        "members of group world disagree in call 1 about the element type: rank 0: all_reduce (float32[4], sum) at "
        "train.py:19; rank 1: all_reduce (int32[4], sum) at train.py:19");
}

TEST_CASE("reductions that differ are a mismatch and no silent wrong value") {
  const Verdict verdict = verdict_of(3, [](RankContext& context) {
    context.world().all_reduce(floats({1}), context.rank() == 0 ? ReduceOp::Max : ReduceOp::Sum);
  });
  CHECK(verdict.kind == VerdictKind::Mismatch);
  CHECK(verdict.odd_ranks == Ranks{0});
  CHECK(verdict.message.find("about the reduction") != std::string::npos);
}

TEST_CASE("two tensors in swapped order are a mismatch when they are named") {
  const Verdict verdict = verdict_of(2, [](RankContext& context) {
    const std::vector<std::string_view> names = {"weight", "bias"};
    for (int i = 0; i < 2; ++i)
      context.world().all_reduce(floats({1, 2}), ReduceOp::Sum,
                                 {.name = names[static_cast<size_t>(i + context.rank()) % 2]});
  });
  CHECK(verdict.kind == VerdictKind::Mismatch);
  CHECK(verdict.message.find("about the name") != std::string::npos);
}

TEST_CASE("a name on one side only is no disagreement") {
  CHECK(verdict_of(2, [](RankContext& context) {
          context.world().all_reduce(floats({1}), ReduceOp::Sum, context.rank() ? OpOptions{.name = "w"} : kPlain);
        }).kind == VerdictKind::Ok);
}

TEST_CASE("two names that differ stop the members without a name too") {
  const WorldReport report = run_world(3, [](RankContext& context) {
    const std::vector<OpOptions> options = {{.name = "weight"}, {}, {.name = "bias"}};
    context.world().all_reduce(floats({1}), ReduceOp::Sum, options[static_cast<size_t>(context.rank())], at(36));
  });
  CHECK(report.verdict.kind == VerdictKind::Mismatch);
  CHECK(wait_of(report.verdict, 1) == Wait{OpType::AllReduce, 1, 36, {}});
}

TEST_CASE("a piece for oneself that is not as large as what one takes is refused") {
  const WorldReport report = run_world(
      1, [](RankContext& context) { context.world().all_to_all({Tensor::zeros({2})}, {Tensor::zeros({3})}); });
  REQUIRE(report.errors[0]);
  CHECK(report.errors[0]->kind == ErrorKind::InvalidArgument);
}

TEST_CASE("elements that do not divide by the members are refused, and none do") {
  for (const int world_size : {2, 3}) {
    const WorldReport report = run_world(world_size, [](RankContext& context) {
      context.world().all_to_all_single(Tensor::zeros({5}), Tensor::zeros({5}));
    });
    REQUIRE(report.errors[0]);
    CHECK(report.errors[0]->message.find("the elements do not divide by the group's size") != std::string::npos);
    require_all(world_size, [](RankContext& context) {
      context.world().all_to_all_single(Tensor::zeros({0}), Tensor::zeros({0}));
      return true;
    });
  }
}

TEST_CASE("two roots are a mismatch, told in global ranks") {
  const Verdict verdict = verdict_of(4, [](RankContext& context) {
    ProcessGroup upper = context.new_group({2, 3}, "upper");
    if (upper.is_member()) upper.broadcast(floats({1}), context.rank(), {}, at(20));
  });
  CHECK(verdict.kind == VerdictKind::Mismatch);
  CHECK(verdict.message ==
        "members of group upper disagree in call 1 about the root: rank 2: broadcast (float32[1], root 2) at "
        "train.py:20; "
        "rank 3: broadcast (float32[1], root 3) at train.py:20");
}

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

TEST_CASE("a time-out as long as can be said is for ever") {
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
