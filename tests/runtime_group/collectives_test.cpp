#include <array>

#include "tests/runtime_group/support.h"

namespace ranklint::runtime::test {

namespace {

// Small enough to travel inside the posting, and large enough not to; at the last, passed through from the end.
const std::vector<int64_t> kCounts = {0, 1, 3, 64, 65, 128, 129, 256, 257, 1000, 100003};

using Body = std::function<bool(RankContext&, int64_t)>;

void for_each_size(const Body& body) {
  for (const int world_size : {1, 2, 3, 4, 7})
    for (const int64_t count : kCounts) {
      INFO("world size " << world_size << ", " << count << " elements");
      require_all(world_size, [&](RankContext& context) { return body(context, count); });
    }
}

}  // namespace

TEST_CASE("broadcast gives everybody the root's elements") {
  for_each_size([](RankContext& context, int64_t count) {
    const int root = context.world_size() - 1;
    const Tensor tensor = numbered(context.rank(), count);
    context.world().broadcast(tensor, root);
    return tensor.bit_equal(numbered(root, count));
  });
}

TEST_CASE("all_reduce sums over the ranks in place") {
  for_each_size([](RankContext& context, int64_t count) {
    const Tensor tensor = numbered(context.rank(), count);
    context.world().all_reduce(tensor);
    const Tensor expected = Tensor::zeros({count});
    for (int rank = 0; rank < context.world_size(); ++rank)
      for (int64_t i = 0; i < count; ++i)
        expected.as<float>()[static_cast<size_t>(i)] += static_cast<float>(100 * rank + i);
    return tensor.bit_equal(expected);
  });
}

TEST_CASE("reduce changes the root's tensor only") {
  for_each_size([](RankContext& context, int64_t count) {
    const Tensor tensor = numbered(context.rank(), count);
    context.world().reduce(tensor, 0, ReduceOp::Max);
    return tensor.bit_equal(numbered(context.rank() == 0 ? context.world_size() - 1 : context.rank(), count));
  });
}

TEST_CASE("all_gather_into_tensor lays the ranks' elements side by side") {
  for_each_size([](RankContext& context, int64_t count) {
    const int size = context.world_size();
    const Tensor out = Tensor::zeros({size * count});
    context.world().all_gather_into_tensor(out, numbered(context.rank(), count));
    std::vector<Tensor> expected;
    for (int rank = 0; rank < size; ++rank) expected.push_back(numbered(rank, count));
    return out.bit_equal(Tensor::cat(expected));
  });
}

TEST_CASE("all_gather takes a different count from each rank") {
  for_each_size([](RankContext& context, int64_t count) {
    std::vector<Tensor> out;
    for (int rank = 0; rank < context.world_size(); ++rank) out.push_back(Tensor::zeros({count + rank}));
    context.world().all_gather(out, numbered(context.rank(), count + context.rank()));
    bool right = true;
    for (int rank = 0; rank < context.world_size(); ++rank)
      right = right && out[static_cast<size_t>(rank)].bit_equal(numbered(rank, count + rank));
    return right;
  });
}

TEST_CASE("reduce_scatter_tensor leaves each rank the sum of its piece") {
  for_each_size([](RankContext& context, int64_t count) {
    const int size = context.world_size();
    const Tensor out = Tensor::zeros({count});
    context.world().reduce_scatter_tensor(out, numbered(context.rank(), size * count), ReduceOp::Min);
    return out.bit_equal(numbered(0, size * count).narrow(0, context.rank() * count, count));
  });
}

TEST_CASE("reduce_scatter takes pieces of different counts") {
  for_each_size([](RankContext& context, int64_t count) {
    std::vector<Tensor> in;
    for (int rank = 0; rank < context.world_size(); ++rank) in.push_back(numbered(context.rank() + rank, count + rank));
    const Tensor out = Tensor::zeros({count + context.rank()});
    context.world().reduce_scatter(out, in, ReduceOp::Max);
    return out.bit_equal(numbered(context.world_size() - 1 + context.rank(), count + context.rank()));
  });
}

TEST_CASE("all_to_all_single transposes the pieces") {
  for_each_size([](RankContext& context, int64_t count) {
    const int size = context.world_size();
    const Tensor out = Tensor::zeros({size * count});
    context.world().all_to_all_single(out, numbered(context.rank(), size * count));
    std::vector<Tensor> expected;
    for (int rank = 0; rank < size; ++rank)
      expected.push_back(numbered(rank, size * count).narrow(0, context.rank() * count, count));
    return out.bit_equal(Tensor::cat(expected));
  });
}

TEST_CASE("all_to_all takes different counts for each pair of ranks") {
  for_each_size([](RankContext& context, int64_t count) {
    const auto pair_count = [count](int from, int to) { return count + 2 * from + to; };
    std::vector<Tensor> in;
    std::vector<Tensor> out;
    for (int other = 0; other < context.world_size(); ++other) {
      in.push_back(numbered(context.rank(), pair_count(context.rank(), other)));
      out.push_back(Tensor::zeros({pair_count(other, context.rank())}));
    }
    context.world().all_to_all(out, in);
    bool right = true;
    for (int other = 0; other < context.world_size(); ++other)
      right = right && out[static_cast<size_t>(other)].bit_equal(numbered(other, pair_count(other, context.rank())));
    return right;
  });
}

TEST_CASE("gather collects on one rank and scatter gives out from one") {
  for_each_size([](RankContext& context, int64_t count) {
    std::vector<Tensor> all;
    if (context.rank() == 0)
      for (int rank = 0; rank < context.world_size(); ++rank) all.push_back(Tensor::zeros({count}));
    context.world().gather(all, numbered(context.rank(), count), 0);
    const Tensor back = Tensor::zeros({count});
    context.world().scatter(back, all, 0);
    return back.bit_equal(numbered(context.rank(), count));
  });
}

TEST_CASE("every element type and reduction has the value of its definition") {
  struct Case {
    ReduceOp op;
    double expected;  // of 2, 3, 4
  };
  for (const DType dtype : {DType::F32, DType::F64, DType::BF16, DType::F16, DType::I32, DType::I64, DType::U8})
    for (const Case& each : std::vector<Case>{
             {ReduceOp::Sum, 9}, {ReduceOp::Avg, 3}, {ReduceOp::Min, 2}, {ReduceOp::Max, 4}, {ReduceOp::Prod, 24}}) {
      const bool integer = dtype == DType::I32 || dtype == DType::I64 || dtype == DType::U8;
      if (each.op == ReduceOp::Avg && integer) continue;
      INFO(name_of(dtype) << " " << name_of(each.op));
      require_all(3, [&](RankContext& context) {
        const Tensor tensor = Tensor::full({1003}, context.rank() + 2, dtype);
        context.world().all_reduce(tensor, each.op);
        return tensor.bit_equal(Tensor::full({1003}, each.expected, dtype));
      });
    }
}

TEST_CASE("a rank's own piece may lie in its place of the whole") {
  for (const int world_size : {1, 2, 3})
    for (const int64_t count : {1, 9, 400}) {  // a few go into a posting
      require_all(world_size, [&](RankContext& context) {
        const int me = context.rank();
        const Tensor whole = numbered(me, world_size * count);
        const Tensor own = whole.narrow(0, count * me, count);
        context.world().all_gather_into_tensor(whole, own);
        bool right = true;
        const auto last_of = [&](int rank) { return static_cast<float>((100 + count) * rank + count - 1); };
        for (int rank = 0; rank < world_size; ++rank)
          right = right && whole.item(count * (rank + 1) - 1) == last_of(rank);
        context.world().reduce_scatter_tensor(own, whole);
        right = right && own.item(count - 1) == static_cast<float>(world_size) * last_of(me);
        const std::vector<Tensor> pieces = whole.chunk(world_size), none;
        context.world().all_gather(pieces, own);
        context.world().reduce_scatter(own, pieces);
        right = right && own.item(count - 1) == static_cast<float>(world_size * world_size) * last_of(me);
        context.world().gather(me == 0 ? pieces : none, own, 0);
        for (int rank = 0; me == 0 && rank < world_size; ++rank)
          right = right &&
                  whole.item(count * (rank + 1) - 1) == static_cast<float>(world_size * world_size) * last_of(rank);
        context.world().scatter(own, me == 0 ? pieces : none, 0);
        return right && own.item(count - 1) == static_cast<float>(world_size * world_size) * last_of(me);
      });
    }
}

TEST_CASE("a piece that lies elsewhere in the whole is refused, since others read it while it is written") {
  const std::vector<std::function<void(ProcessGroup&, const Tensor& piece, const Tensor& whole)>> calls = {
      [](ProcessGroup& group, const Tensor& piece, const Tensor& whole) { group.all_gather_into_tensor(whole, piece); },
      [](ProcessGroup& group, const Tensor& piece, const Tensor& whole) { group.all_gather(whole.chunk(2), piece); },
      [](ProcessGroup& group, const Tensor& piece, const Tensor& whole) { group.reduce_scatter_tensor(piece, whole); },
      [](ProcessGroup& group, const Tensor& piece, const Tensor& whole) {
        group.reduce_scatter(piece, whole.chunk(2));
      },
      [](ProcessGroup& group, const Tensor& piece, const Tensor& whole) { group.gather(whole.chunk(2), piece, 0); },
      [](ProcessGroup& group, const Tensor& piece, const Tensor& whole) { group.scatter(piece, whole.chunk(2), 0); }};
  for (size_t i = 0; i < calls.size(); ++i) {
    const WorldReport report = run_world(2, [&](RankContext& context) {
      const Tensor whole = Tensor::zeros({200});
      if (context.rank() == 0) calls[i](context.world(), whole.narrow(0, 50, 100), whole);
    });
    INFO("call " << i);
    REQUIRE(report.errors[0]);
    CHECK(report.errors[0]->kind == ErrorKind::InvalidArgument);
    CHECK(report.errors[0]->message.find(": input and output overlap, and not where this rank's own piece lies") !=
          std::string::npos);
  }
}

namespace {

// What a call of rank 0 of two is refused with.
std::string refusal(const std::function<void(ProcessGroup&)>& call, const WorldOptions& options = {}) {
  const WorldReport report = run_world(
      2,
      [&](RankContext& context) {
        if (context.rank() == 0) call(context.world());
      },
      options);
  return report.errors[0] ? report.errors[0]->message : "";
}

}  // namespace

TEST_CASE("an average of integers is refused") {
  for (const DType dtype : {DType::I32, DType::I64, DType::U8}) {
    const Tensor whole = Tensor::zeros({2}, dtype), piece = Tensor::zeros({1}, dtype);
    const std::string why = ": avg of integers has no exact result";
    CHECK(refusal([&](ProcessGroup& group) { group.all_reduce(whole, ReduceOp::Avg); }) == "all_reduce" + why);
    CHECK(refusal([&](ProcessGroup& group) { group.reduce(whole, 0, ReduceOp::Avg); }) == "reduce" + why);
    CHECK(refusal([&](ProcessGroup& group) { group.reduce_scatter_tensor(piece, whole, ReduceOp::Avg); }) ==
          "reduce_scatter" + why);
    CHECK(refusal([&](ProcessGroup& group) { group.reduce_scatter(piece, {piece, piece}, ReduceOp::Avg); }) ==
          "reduce_scatter" + why);
  }
}

TEST_CASE("tensors that do not fit each other or the group are refused") {
  const Tensor three = Tensor::zeros({3}), four = Tensor::zeros({4});
  CHECK(refusal([&](ProcessGroup& group) { group.all_gather({four}, four); }) ==
        "all_gather: 1 tensors for a group of 2");
  CHECK(refusal([&](ProcessGroup& group) { group.all_gather({three, four}, four); }) ==
        "all_gather: this rank's output has 3 elements where 4 are needed");
  CHECK(refusal([&](ProcessGroup& group) { group.all_gather_into_tensor(four, three); }) ==
        "all_gather: the output has 4 elements where 6 are needed");
  CHECK(refusal([&](ProcessGroup& group) { group.reduce_scatter_tensor(three, four); }) ==
        "reduce_scatter: the input has 4 elements where 6 are needed");
  CHECK(refusal([&](ProcessGroup& group) { group.reduce_scatter(three, {four, three}); }) ==
        "reduce_scatter: the output has 3 elements where 4 are needed");
  CHECK(refusal([&](ProcessGroup& group) { group.all_to_all_single(three, four); }) ==
        "all_to_all: the output has 3 elements where 4 are needed");
  CHECK(refusal([&](ProcessGroup& group) { group.gather({four, three}, four, 0); }) ==
        "gather: an output has 3 elements where 4 are needed");
  CHECK(refusal([&](ProcessGroup& group) { group.gather({three}, three, 1); }) ==
        "gather: tensors are listed by a rank that is not the root");
  CHECK(refusal([&](ProcessGroup& group) { group.scatter(three, {three, three}, 1); }) ==
        "scatter: tensors are listed by a rank that is not the root");
  CHECK(refusal([&](ProcessGroup& group) { group.scatter(four, {four, three}, 0); }) ==
        "scatter: an input has 3 elements where 4 are needed");
  CHECK(refusal([&](ProcessGroup& group) { group.all_gather_into_tensor(Tensor::zeros({6}, DType::I32), three); }) ==
        "all_gather: tensors of different element types");
}

TEST_CASE("a rank can not be its own peer, nor send what its group is not for") {
  const Tensor tensor = floats({1});
  CHECK(refusal([&](ProcessGroup& group) { group.send(tensor, 0); }) == "send: a rank can not be its own peer");
  CHECK(refusal([&](ProcessGroup& group) { group.recv(tensor, 0); }) == "recv: a rank can not be its own peer");
  CHECK(refusal([&](ProcessGroup& group) { group.batch({{P2POp::Kind::Send, tensor, 0}}); }) ==
        "send: a rank can not be its own peer");
  const WorldOptions accelerator{.device = Device::Accelerator, .any_device = false};
  const std::string on_host = ": a tensor is on host, the group is for accelerator";
  CHECK(refusal([&](ProcessGroup& group) { group.all_reduce(tensor); }, accelerator) == "all_reduce" + on_host);
  CHECK(refusal([&](ProcessGroup& group) { group.batch({{P2POp::Kind::Recv, tensor, 1}}); }, accelerator) ==
        "recv" + on_host);
}

TEST_CASE("a bfloat16 sum is rounded once, after all ranks") {
  // 256 + 1 + 1: rounding after each addition would lose both ones.
  require_all(3, [](RankContext& context) {
    const Tensor tensor = Tensor::full({1}, context.rank() == 0 ? 256 : 1, DType::BF16);
    context.world().all_reduce(tensor);
    return tensor.item() == 258;
  });
}

TEST_CASE("a sum is taken in rank order, with the same bits on every rank") {
  // (1e8 + -1e8) + 1 = 1, while 1e8 + (-1e8 + 1) = 0 in float32.
  for (const int64_t count : {1, 5000})
    require_all(3, [&](RankContext& context) {
      constexpr std::array<double, 3> kTerms = {1e8, -1e8, 1};
      const Tensor tensor = Tensor::full({count}, kTerms[static_cast<size_t>(context.rank())]);
      context.world().all_reduce(tensor);
      return tensor.bit_equal(Tensor::full({count}, 1));
    });
}

TEST_CASE("places of calls are used again while some calls in between are still open") {
  require_all(3, [](RankContext& context) {
    ProcessGroup& world = context.world();
    const int me = context.rank();
    const Tensor open = numbered(me, 700);
    Work work;
    bool right = true;
    for (int call = 0; call < 300; ++call) {
      if (call == 3) work = world.broadcast(open, 2, {.async = true});
      if (call == 200) work.wait();
      const int64_t count = std::array<int64_t, 3>{16, 300, 1000}[static_cast<size_t>(call % 3)];
      const Tensor given = numbered(me + call, count), all = Tensor::zeros({3 * count}),
                   sum = numbered(me + call, count);
      world.all_gather_into_tensor(all, given);
      world.all_reduce(sum);
      right =
          right &&
          all.bit_equal(Tensor::cat({numbered(call, count), numbered(call + 1, count), numbered(call + 2, count)})) &&
          sum.item(count - 1) == static_cast<float>(300 * (call + 1) + 3 * (count - 1));
    }
    return right && open.bit_equal(numbered(2, 700));
  });
}

TEST_CASE("an asynchronous call gives what a small tensor held at the call, to its own member too") {
  require_all(2,
              [](RankContext& context) {
                const Tensor tensor = floats({context.rank() == 0 ? 1.0F : 2.0F});
                Work first = context.world().all_reduce(tensor, ReduceOp::Sum, {.async = true});
                Work second = context.world().all_reduce(tensor, ReduceOp::Sum, {.async = true});
                first.wait();
                second.wait();
                return tensor.item(0) == 3;
              },
              {.check_buffers = false});
}

TEST_CASE("asynchronous collectives complete in any order of waiting") {
  require_all(3, [](RankContext& context) {
    std::vector<Tensor> tensors;
    std::vector<Work> works;
    for (int i = 0; i < 100; ++i) {
      tensors.push_back(numbered(context.rank(), i % 2 ? 3 : 3000));
      works.push_back(context.world().broadcast(tensors.back(), i % 3, {.async = true}));
    }
    for (size_t i = works.size(); i-- > 0;) works[i].wait();
    bool right = works[0].sequence() == 1 && works[99].sequence() == 100;
    for (int i = 0; i < 100; ++i)
      right = right && tensors[static_cast<size_t>(i)].bit_equal(numbered(i % 3, i % 2 ? 3 : 3000));
    return right;
  });
}

TEST_CASE("a wait ends when all have posted, although the others never wait") {
  require_all(2, [](RankContext& context) {
    const Tensor large = numbered(context.rank(), 5000);
    Work work = context.world().all_reduce(large, ReduceOp::Max, {.async = true});
    const Tensor flag = floats({0});
    if (context.rank() == 0) {
      work.wait();
      context.world().send(flag, 1);
      return large.bit_equal(numbered(1, 5000));
    }
    context.world().recv(flag, 0);  // comes only after rank 0's wait
    work.wait();
    return large.bit_equal(numbered(1, 5000));
  });
}

TEST_CASE("test tells whether all have come, without waiting for them") {
  require_all(2, [](RankContext& context) {
    const Tensor flag = floats({0});
    if (context.rank() == 1) {
      context.world().recv(flag, 0);
      context.world().barrier();
      return true;
    }
    Work work = context.world().barrier({.async = true});
    const bool early = work.test();
    context.world().send(flag, 1);
    while (!work.test()) {
    }
    return !early;
  });
}

TEST_CASE("a schedule seed changes the schedule and not the result") {
  for (uint64_t seed = 1; seed <= 20; ++seed)
    require_all(4,
                [](RankContext& context) {
                  const Tensor tensor = numbered(context.rank(), 500);
                  for (int i = 0; i < 8; ++i) context.world().all_reduce(tensor, ReduceOp::Max);
                  return tensor.bit_equal(numbered(3, 500));
                },
                {.schedule_seed = seed});
}

}  // namespace ranklint::runtime::test
