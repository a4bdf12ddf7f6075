#include <array>
#include <chrono>
#include <thread>

#include "tests/runtime_group/support.h"

namespace ranklint::runtime::test {

namespace {

const std::vector<Mode> kModes = {Mode::Relaxed, Mode::Synchronous};
const std::vector<int64_t> kCounts = {0, 1, 1000, 1000003};

}  // namespace

TEST_CASE("a message arrives as it was sent, whoever comes first") {
  for (const Mode mode : kModes)
    for (const int64_t count : kCounts)
      require_all(2,
                  [&](RankContext& context) {
                    const Tensor tensor = numbered(context.rank(), count);
                    if (context.rank() == 0) {
                      context.world().send(tensor, 1);
                      context.world().recv(tensor, 1);
                      return tensor.bit_equal(numbered(7, count));
                    }
                    context.world().recv(tensor, 0);
                    context.world().send(numbered(7, count), 0);
                    return tensor.bit_equal(numbered(0, count));
                  },
                  {.mode = mode});
}

TEST_CASE("messages between two ranks do not overtake each other within a tag") {
  require_all(2, [](RankContext& context) {
    if (context.rank() == 0) {
      for (int i = 0; i < 10; ++i) context.world().send(floats({static_cast<float>(i)}), 1, i % 2);
      return true;
    }
    bool right = true;
    const Tensor tensor = floats({-1});
    for (const int i : {1, 3, 0, 2, 4, 5, 7, 6, 8, 9}) {
      context.world().recv(tensor, 0, i % 2);
      right = right && tensor.item() == i;
    }
    return right;
  });
}

TEST_CASE("a ring shifts in one batch in every mode") {
  for (const Mode mode : kModes)
    for (const int64_t count : kCounts)
      require_all(3,
                  [&](RankContext& context) {
                    const int right = (context.rank() + 1) % 3;
                    const int left = (context.rank() + 2) % 3;
                    const Tensor in = Tensor::zeros({count});
                    context.world().batch(
                        {{P2POp::Kind::Send, numbered(context.rank(), count), right}, {P2POp::Kind::Recv, in, left}});
                    return in.bit_equal(numbered(left, count));
                  },
                  {.mode = mode});
}

TEST_CASE("an asynchronous batch keeps what it sends although the caller lets go of it") {
  require_all(3, [](RankContext& context) {
    const int right = (context.rank() + 1) % 3;
    const int left = (context.rank() + 2) % 3;
    const Tensor in = Tensor::zeros({50000});
    Work work = context.world().batch(
        {{P2POp::Kind::Send, numbered(context.rank(), 50000), right}, {P2POp::Kind::Recv, in, left}}, {.async = true});
    work.wait();
    return in.bit_equal(numbered(left, 50000));
  });
}

TEST_CASE("a small send is complete when it is tested although its receive is not there, where sends may run ahead") {
  for (const Mode mode : kModes)
    require_all(2,
                [mode](RankContext& context) {
                  const Tensor first = floats({1}), second = floats({2});
                  if (context.rank() == 1) {
                    context.world().recv(second, 0, 2);
                    context.world().recv(first, 0, 1);
                    return true;
                  }
                  Work work = context.world().isend(first, 1, 1);
                  const bool complete = work.test();
                  context.world().send(second, 1, 2);
                  work.wait();
                  return complete == (mode == Mode::Relaxed);
                },
                {.mode = mode});
}

TEST_CASE("a receive from any source takes what comes") {
  require_all(3, [](RankContext& context) {
    const Tensor tensor = floats({static_cast<float>(context.rank())});
    if (context.rank() != 2) {
      context.world().send(tensor, 2);
      return true;
    }
    double sum = 0;
    for (int i = 0; i < 2; ++i) {
      context.world().recv(tensor, kAnySource);
      sum += tensor.item();
    }
    return sum == 1;
  });
}

TEST_CASE("all ranks sending first is fine when sends may run ahead, and a circle when they wait") {
  const auto body = [](RankContext& context) {
    const int right = (context.rank() + 1) % 3;
    const int left = (context.rank() + 2) % 3;
    context.world().send(floats({1}), right);
    context.world().recv(floats({0}), left);
  };
  CHECK(run_world(3, body).ok());
  const WorldReport report = run_world(3, body, {.mode = Mode::Synchronous});
  CHECK(report.verdict.kind == VerdictKind::Deadlock);
  CHECK(report.verdict.ranks[0].op == OpType::Send);
  CHECK(report.verdict.ranks[0].waits_for == std::vector<int>{1});
}

TEST_CASE("small messages stay in order whether they overtake their receives or not, and however many they are") {
  constexpr int kMessages = 20;  // more than a lane holds
  require_all(2, [](RankContext& context) {
    ProcessGroup& group = context.world();
    const Tensor got = floats({-1}), early = floats({-1});
    bool right = true;
    for (int round = 0; round < 200; ++round) {
      const bool all_sent_before = round % 2 == 0;
      if (context.rank() == 0) {
        for (int i = 0; i < kMessages; ++i) group.send(floats({static_cast<float>(i)}), 1, i % 2);
        group.barrier();
        continue;
      }
      if (all_sent_before) group.barrier();
      Work first_odd = group.irecv(early, 0, 1);
      for (int i = 0; i < kMessages; i += 2) {
        group.recv(got, 0, 0);
        right = right && got.item() == i;
      }
      first_odd.wait();
      right = right && early.item() == 1;
      for (int i = 3; i < kMessages; i += 2) {
        group.recv(got, 0, 1);
        right = right && got.item() == i;
      }
      if (!all_sent_before) group.barrier();
    }
    return right;
  });
}

TEST_CASE("two ranks that pass small messages at once agree in which call another shape comes") {
  const WorldReport report = run_world(2, [](RankContext& context) {
    ProcessGroup& group = context.world();
    for (int round = 0; round < 10; ++round) {
      const int64_t count = context.rank() == 0 && round == 9 ? 2 : 1;
      const Tensor out = Tensor::zeros({count}), in = Tensor::zeros({1});
      group.batch({{P2POp::Kind::Recv, in, 1 - context.rank()}, {P2POp::Kind::Send, out, 1 - context.rank()}});
    }
  });
  CHECK(report.verdict.kind == VerdictKind::Mismatch);
  CHECK(report.verdict.message.find("send") != std::string::npos);
  CHECK(report.verdict.message.find("count") != std::string::npos);
}

// Between those that lie in a lane and 256 KiB messages are copied by their receiver while the sender waits, when both
// are there.
constexpr int64_t kOffered = 20000;
constexpr std::array<int64_t, 4> kLarger = {kOffered, 129, 128, 10};

TEST_CASE("larger messages arrive in order, whoever is late, in batches of any length and among small ones") {
  for (const Mode mode : kModes)
    for (const uint64_t seed : {uint64_t{0}, uint64_t{1}, uint64_t{2}})
      require_all(3,
                  [](RankContext& context) {
                    const int right = (context.rank() + 1) % 3, left = (context.rank() + 2) % 3;
                    bool good = true;
                    for (int round = 0; round < 30; ++round) {
                      std::vector<P2POp> operations;
                      std::vector<Tensor> in;
                      const int messages = 1 + round % 11;  // more than are offered at once, more than a lane holds
                      for (int i = 0; i < messages; ++i) {
                        const int64_t count = kLarger[static_cast<size_t>(i) % kLarger.size()];
                        in.push_back(Tensor::zeros({count}));
                        operations.push_back({P2POp::Kind::Recv, in.back(), left});
                        operations.push_back({P2POp::Kind::Send, numbered(context.rank() + i, count), right});
                      }
                      context.world().batch(operations);
                      for (int i = 0; i < messages; ++i)
                        good = good && in[static_cast<size_t>(i)].bit_equal(
                                           numbered(left + i, in[static_cast<size_t>(i)].numel()));
                    }
                    return good;
                  },
                  {.mode = mode, .schedule_seed = seed});
}

TEST_CASE("a larger message waits for a receiver that is late, and for one that takes it from any source") {
  require_all(2,
              [](RankContext& context) {
                ProcessGroup& group = context.world();
                const Tensor in = Tensor::zeros({kOffered});
                if (context.rank() == 0) {
                  group.send(numbered(1, kOffered), 1);
                  group.send(numbered(2, kOffered), 1);
                  return true;
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
                group.recv(in, 0);
                const bool first = in.bit_equal(numbered(1, kOffered));
                group.recv(in, kAnySource);
                return first && in.bit_equal(numbered(2, kOffered));
              },
              {.mode = Mode::Synchronous});
}

TEST_CASE("a larger message without a fitting receive is named, with both ends") {
  const auto run = [](int64_t received, int rounds_received) {
    return run_world(2,
                     [=](RankContext& context) {
                       ProcessGroup& group = context.world();
                       const Tensor out = Tensor::zeros({kOffered}), in = Tensor::zeros({received});
                       if (context.rank() == 0) group.send(out, 1);
                       for (int i = 0; context.rank() == 1 && i < rounds_received; ++i) group.recv(in, 0);
                     },
                     {.mode = Mode::Synchronous})
        .verdict;
  };
  const Verdict other_count = run(kOffered - 1, 1);
  CHECK(other_count.kind == VerdictKind::Mismatch);
  CHECK(other_count.message.find("count") != std::string::npos);
  const Verdict no_receive = run(kOffered, 0);
  CHECK(no_receive.kind == VerdictKind::PeerExited);
  CHECK(no_receive.odd_ranks == std::vector<int>{1});
  CHECK(no_receive.ranks[0].op == OpType::Send);
  const Verdict no_send = run(kOffered, 2);
  CHECK(no_send.kind == VerdictKind::PeerExited);
  CHECK(no_send.ranks[1].op == OpType::Recv);
}

}  // namespace ranklint::runtime::test
