#include "runtime/group/device_mesh.h"
#include "tests/runtime_group/support.h"

namespace ranklint::runtime::test {

TEST_CASE("a group's collective runs over its members, in their order") {
  require_all(4, [](RankContext& context) {
    ProcessGroup odd = context.new_group({3, 1}, "odd");
    if (!odd.is_member()) return context.rank() % 2 == 0;
    const Tensor out = Tensor::zeros({2});
    odd.all_gather_into_tensor(out, floats({static_cast<float>(context.rank())}));
    return odd.name() == "odd" && odd.global_rank(0) == 3 && odd.group_rank(1) == 1 &&
           values(out) == std::vector<float>{3, 1};
  });
}

TEST_CASE("roots and peers are global ranks") {
  require_all(4, [](RankContext& context) {
    ProcessGroup upper = context.new_group({2, 3}, "upper");
    if (!upper.is_member()) return true;
    const Tensor tensor = floats({static_cast<float>(context.rank())});
    upper.broadcast(tensor, 3);
    return tensor.item() == 3;
  });
}

TEST_CASE("a call on a group by a rank that is no member is refused") {
  const WorldReport report = run_world(2, [](RankContext& context) {
    ProcessGroup first = context.new_group({0}, "first");
    first.barrier();
  });
  REQUIRE(report.errors[1]);
  CHECK(report.errors[1]->message == "barrier: this rank is no member of group first");
  CHECK(!report.errors[0]);
}

TEST_CASE("a root outside the group is refused before anybody waits") {
  const WorldReport report = run_world(2, [](RankContext& context) { context.world().broadcast(floats({1}), 2); });
  REQUIRE(report.errors[0]);
  CHECK(report.errors[0]->message == "broadcast: rank 2 is no member of group world");
}

TEST_CASE("a group of no ranks, of one that is not there or of one twice is refused") {
  const auto refusal = [](const std::vector<int>& ranks) {
    const WorldReport report = run_world(2, [&](RankContext& context) { context.new_group(ranks, "group"); });
    return report.errors[0] ? report.errors[0]->message : "";
  };
  CHECK(refusal({}) == "new_group: a group needs a member");
  CHECK(refusal({0, 2}) == "new_group: no rank 2 in a world of 2");
  CHECK(refusal({-1, 0}) == "new_group: no rank -1 in a world of 2");
  CHECK(refusal({0, 1, 0}) == "new_group: rank 0 is named twice");
}

TEST_CASE("split makes a group of each colour, ordered by key") {
  require_all(5, [](RankContext& context) {
    const int color = context.rank() == 4 ? -1 : context.rank() % 2;
    ProcessGroup half = context.split(color, -context.rank(), "half");
    if (context.rank() == 4) return !half.is_member();
    return half.ranks() == (color == 0 ? std::vector<int>{2, 0} : std::vector<int>{3, 1});
  });
}

TEST_CASE("a mesh's group along a dimension holds the ranks that differ along it only") {
  require_all(12, [](RankContext& context) {
    DeviceMesh mesh(context, {2, 3, 2}, {"dp", "sp", "tp"});
    const int rank = context.rank();
    const int base = rank / 6 * 6 + rank % 2;
    return mesh.coordinate(0) == rank / 6 && mesh.coordinate(1) == rank / 2 % 3 && mesh.coordinate(2) == rank % 2 &&
           mesh.group("sp").ranks() == std::vector<int>{base, base + 2, base + 4} &&
           mesh.group("tp").ranks() == std::vector<int>{rank / 2 * 2, rank / 2 * 2 + 1};
  });
}

TEST_CASE("dimensions of a mesh are sliced by name and flattened into one") {
  require_all(12, [](RankContext& context) {
    DeviceMesh mesh(context, {2, 3, 2}, {"dp", "sp", "tp"});
    DeviceMesh inner = mesh.slice({"sp", "tp"});
    DeviceMesh flat = inner.flatten({"sp", "tp"}, "model");
    const int first = context.rank() / 6 * 6;
    return inner.dim() == 2 && inner.size(0) == 3 && flat.dim() == 1 && flat.size(0) == 6 &&
           flat.coordinate(0) == context.rank() % 6 &&
           flat.group("model").ranks() ==
               std::vector<int>{first, first + 1, first + 2, first + 3, first + 4, first + 5};
  });
}

TEST_CASE("a mesh that is flattened twice has groups of all that was flattened") {
  require_all(12, [](RankContext& context) {
    DeviceMesh mesh(context, {2, 3, 2}, {"dp", "sp", "tp"});
    DeviceMesh all = mesh.flatten({"sp", "tp"}, "model").flatten({"dp", "model"}, "all");
    return all.dim() == 1 && all.coordinate(0) == context.rank() && all.group("all").size() == 12;
  });
}

TEST_CASE("a mesh that does not fill the world or whose dimensions are none is refused") {
  const auto refusal = [](const std::vector<int>& shape, const std::vector<std::string>& names) {
    const WorldReport report = run_world(4, [&](RankContext& context) { DeviceMesh mesh(context, shape, names); });
    return report.errors[0] ? report.errors[0]->message : "";
  };
  CHECK(refusal({3}, {"dp"}) == "DeviceMesh: the dimensions hold 3 ranks, the world has 4");
  CHECK(refusal({3, 1431655766}, {"dp", "tp"}) == "DeviceMesh: the dimensions hold 2147483647 ranks, the world has 4");
  CHECK(refusal({-2, -2}, {"dp", "tp"}) == "DeviceMesh: a dimension without ranks");
  CHECK(refusal({0, 4}, {"dp", "tp"}) == "DeviceMesh: a dimension without ranks");
  CHECK(refusal({2, 2}, {"dp"}) == "DeviceMesh: a name is needed for each dimension");
}

TEST_CASE("a dimension of a mesh is there once, under a name of its own") {
  const auto refusal = [](const std::function<void(const DeviceMesh&)>& use) {
    const WorldReport report =
        run_world(4, [&](RankContext& context) { use(DeviceMesh(context, {2, 2, 1}, {"dp", "sp", "tp"})); });
    return report.errors[0] ? report.errors[0]->message : "";
  };
  CHECK(refusal([](const DeviceMesh& mesh) { mesh.flatten({"dp", "sp"}, "tp"); }) ==
        "DeviceMesh: two dimensions are named tp");
  const std::string neighbours = "DeviceMesh: only neighbouring dimensions can be flattened, in their order";
  CHECK(refusal([](const DeviceMesh& mesh) { mesh.flatten({"dp", "tp"}, "outer"); }) == neighbours);
  CHECK(refusal([](const DeviceMesh& mesh) { mesh.flatten({"sp", "dp"}, "outer"); }) == neighbours);
  CHECK(refusal([](const DeviceMesh& mesh) { mesh.slice({"dp", "dp"}); }) == "DeviceMesh: two dimensions are named dp");
  CHECK(refusal([](const DeviceMesh& mesh) { mesh.slice({}); }) == "DeviceMesh: slice needs a dimension");
  CHECK(refusal([](const DeviceMesh& mesh) { mesh.flatten({"dp", "sp"}, "dp"); }) == "");
}

TEST_CASE("a mesh of more ranks than can be counted is not taken for one that fills the world") {
  const WorldReport report =
      run_world(2, [](RankContext& context) { DeviceMesh mesh(context, {3, 1431655766}, {"dp", "tp"}); });
  REQUIRE(report.errors[0]);
  CHECK(report.errors[0]->message == "DeviceMesh: the dimensions hold 2147483647 ranks, the world has 2");
}

TEST_CASE("a group that nobody made is refused whatever is asked of it") {
  ProcessGroup nobody;
  const Tensor some = Tensor::arange(4), none;
  const std::vector<std::function<void()>> calls = {
      [&] { nobody.barrier(); },
      [&] { nobody.broadcast(some, 0); },
      [&] { nobody.all_reduce(some); },
      [&] { nobody.all_gather({}, some); },
      [&] { nobody.all_gather_into_tensor(none, some); },
      [&] { nobody.reduce_scatter(some, {}); },
      [&] { nobody.reduce_scatter_tensor(some, none); },
      [&] { nobody.all_to_all({}, {}); },
      [&] { nobody.all_to_all_single(none, none); },
      [&] { nobody.recv(some, kAnySource); },
      [&] { nobody.batch({{.kind = P2POp::Kind::Send, .tensor = some}}); },
  };
  for (const auto& call : calls) CHECK_THROWS_WITH(call(), Catch::Contains("a group without members"));
}

TEST_CASE("a rank that is no member is told so before its tensors are looked at") {
  require_all(3, [](RankContext& context) {
    ProcessGroup pair = context.new_group({0, 1}, "pair");
    if (context.rank() != 2) return true;
    try {
      pair.all_gather({}, Tensor::arange(4));
    } catch (const RankError& error) {
      return std::string(error.what()) == "all_gather: this rank is no member of group pair";
    }
    return false;
  });
}

TEST_CASE("members and dimensions that are not there are refused") {
  require_all(2, [](RankContext& context) {
    DeviceMesh mesh(context, {2}, {"a"});
    const auto refused = [](const std::function<void()>& call) {
      try {
        call();
      } catch (const RankError& error) {
        return error.error().kind == ErrorKind::InvalidArgument;
      }
      return false;
    };
    bool all = true;
    for (const int place : {-1, 2})
      all = all && refused([&] { (void)context.world().global_rank(place); }) &&
            refused([&] { (void)mesh.size(place); }) && refused([&] { (void)mesh.coordinate(place); }) &&
            refused([&] { (void)mesh.group(place); });
    return all;
  });
}

}  // namespace ranklint::runtime::test
