// How a distributed tensor lies on its mesh, where the function that holds it writes it down:
// `distribute_tensor(x, mesh, [Replicate()])`, `DTensor.from_local(...)`, `t.redistribute(...)`, through names,
// `nn.Parameter(t)` and `t.detach()`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint {

// On one dimension of a mesh.
struct Placement {
  bool is_whole = false;        // every rank has all of it, else each rank a part
  std::optional<int64_t> dim;   // of a part: the dimension of the tensor that is cut; none: not known
  std::string_view written_as;  // the last part of its name: "Replicate", "Shard"
};

// A layout is of every dimension of the mesh, in their order.
struct Layout {
  std::vector<Placement> placements;
  bool is_repeated = false;  // the only one holds for every dimension: `[p] * mesh.ndim`
};

// Of a tensor, seen from a place. Known only where every assignment that reaches the place lays it out alike.
std::optional<Layout> layout_of(const Query& in, const FunctionCode& code, ir::ExprId tensor, ProgramPoint at);
// What a call that lays a tensor out is given for its placements.
std::optional<Layout> layout_given(const Query& in, const FunctionCode& code, const ir::Instruction& call,
                                   ProgramPoint at);

// Whether every rank has all of the tensor.
bool is_whole(const Layout& layout);
// Whether a tensor gets from one layout to the other without a message: where each dimension keeps its placement, or
// what every rank has is cut.
bool sends_nothing(const Layout& from, const Layout& to);

}  // namespace ranklint
