// Members of a group that disagree in one call: on the operation, its arguments, or what they mean by it.
#include <array>

#include "tests/runtime_group/verdicts.h"

namespace ranklint::runtime::test {

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
      group.all_gather(list, piece);  // only their counts are alike: no rank disagrees
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

}  // namespace ranklint::runtime::test
