// How distributed tensors lie, and whether one layout becomes another without a message.
#include "analyzer/questions/layout.h"

#include <catch2/catch.hpp>

#include "tests/questions/asked.h"

namespace ranklint::test {
namespace {

const Placement kWhole{.is_whole = true, .dim = {}, .written_as = "Replicate"};

Placement cut(std::optional<int64_t> dim) { return {.is_whole = false, .dim = dim, .written_as = "Shard"}; }

// "whole", "0", "?" for each dimension of the mesh; "not known".
std::string layout(const std::string& lines) {
  const Asked asked("func f(x, mesh, c, n) {\n^entry:\n" + lines + "  call use(y)\n  return\n}\n",
                    "  from torch.distributed.tensor import distribute_tensor as distribute_tensor\n"
                    "  from torch.distributed.tensor import Replicate as Replicate\n"
                    "  from torch.distributed.tensor import Shard as Shard\n");
  const FunctionCode code = asked.code("f");
  const std::optional<Layout> found = layout_of(asked.in(), code, argument_of(code, "use"), call_of(code, "use"));
  if (!found) return "not known";
  std::string text = found->is_repeated ? "each " : "";
  for (const Placement& p : found->placements)
    text += (p.is_whole ? "whole" : p.dim ? std::to_string(*p.dim) : "?") + std::string(" ");
  return text;
}

}  // namespace

TEST_CASE("no message is sent where each dimension keeps its placement or what is whole is cut") {
  CHECK(sends_nothing({{cut(0)}}, {{cut(0)}}));
  CHECK(sends_nothing({{kWhole}}, {{cut(1)}}));
  CHECK_FALSE(sends_nothing({{cut(1)}}, {{kWhole}}));
  CHECK_FALSE(sends_nothing({{cut(0)}}, {{cut(1)}}));
  CHECK_FALSE(sends_nothing({{cut({})}}, {{cut({})}}));  // two parts of which nothing is known
  CHECK_FALSE(sends_nothing({{kWhole}}, {{kWhole, kWhole}}));
  CHECK_FALSE(sends_nothing({{kWhole}, true}, {{kWhole}, false}));
  CHECK(is_whole({{kWhole, kWhole}}));
  CHECK_FALSE(is_whole({{kWhole, cut(0)}}));
}

TEST_CASE("a tensor lies as the call says that lays it out") {
  const std::string one = "  p = call Replicate()\n", part = "  q = call Shard(1)\n";
  CHECK(layout(one + "  y = call distribute_tensor(x, mesh, [p])\n") == "whole ");
  CHECK(layout(one + part + "  y = call distribute_tensor(x, mesh, [p, q])\n") == "whole 1 ");
  CHECK(layout(part + "  y = call distribute_tensor(x, mesh, placements=[q])\n") == "1 ");
  CHECK(layout("  q = call Shard(n)\n  y = call distribute_tensor(x, mesh, [q])\n") == "? ");
  CHECK(layout(one + "  y = call distribute_tensor(x, mesh, [p] * mesh.ndim)\n") == "each whole ");
  CHECK(layout(one + "  all = [p]\n  y = call distribute_tensor(x, mesh, all)\n") == "whole ");
  CHECK(layout("  y = call distribute_tensor(x, mesh, n)\n") == "not known");
}

TEST_CASE("what keeps a tensor keeps its layout, and two ways have one if they lay it out alike") {
  const std::string made = "  p = call Shard(0)\n  t = call distribute_tensor(x, mesh, [p])\n";
  CHECK(layout(made + "  y = call t.detach()\n") == "0 ");
  CHECK(layout(made + "  y = t\n") == "0 ");
  CHECK(layout(made + "  y = call t.work()\n") == "not known");
  const auto two = [&](const std::string& dim) {
    return layout(
        "  p = call Shard(0)\n  q = call Shard(" + dim +
        ")\n  y = call distribute_tensor(x, mesh, [p])\n"
        "  branch c ? ^then : ^join\n^then:\n  y = call distribute_tensor(x, mesh, [q])\n  jump ^join\n^join:\n");
  };
  CHECK(two("0") == "0 ");
  CHECK(two("1") == "not known");
}

}  // namespace ranklint::test
