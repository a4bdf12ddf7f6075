#include "runtime/sharded/placement.h"

#include <optional>

#include "runtime/base/error.h"

namespace ranklint::runtime {

bool is_replicate(const Placement& placement) { return std::holds_alternative<Replicate>(placement); }
bool is_partial(const Placement& placement) { return std::holds_alternative<Partial>(placement); }
bool is_shard(const Placement& placement) { return std::holds_alternative<Shard>(placement); }

std::string to_string(const Placement& placement) {
  if (const Shard* shard = std::get_if<Shard>(&placement)) return "Shard(" + std::to_string(shard->dim) + ")";
  if (const Partial* partial = std::get_if<Partial>(&placement))
    return "Partial(" + std::string(name_of(partial->op)) + ")";
  return "Replicate";
}

std::string to_string(const Placements& placements) {
  std::string text = "[";
  for (const Placement& placement : placements) text += (text.size() > 1 ? ", " : "") + to_string(placement);
  return text + "]";
}

static bool commute(ReduceOp a, ReduceOp b) {
  const auto linear = [](ReduceOp op) { return op == ReduceOp::Sum || op == ReduceOp::Avg; };
  return a == b || (linear(a) && linear(b));
}

bool reductions_commute(const Placements& placements) {
  std::optional<ReduceOp> first;
  for (const Placement& placement : placements) {
    const Partial* partial = std::get_if<Partial>(&placement);
    if (!partial) continue;
    if (!first) first = partial->op;
    if (!commute(*first, partial->op)) return false;
  }
  return true;
}

void check_placements(const Placements& placements, int64_t mesh_dims, int64_t tensor_dims) {
  if (static_cast<int64_t>(placements.size()) != mesh_dims)
    fail(ErrorKind::InvalidArgument,
         "placements " + to_string(placements) + " for a mesh of " + std::to_string(mesh_dims) + " dimensions");
  for (const Placement& placement : placements)
    if (const Shard* shard = std::get_if<Shard>(&placement); shard && (shard->dim < 0 || shard->dim >= tensor_dims))
      fail(ErrorKind::InvalidArgument,
           "placements " + to_string(placements) + " of a tensor of " + std::to_string(tensor_dims) + " dimensions");
  if (!reductions_commute(placements))
    fail(ErrorKind::Unsupported, "placements " + to_string(placements) + " reduce in an order that nothing fixes");
}

}  // namespace ranklint::runtime
