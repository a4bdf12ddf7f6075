#include "rules/p2p/transfers.h"

#include <algorithm>

#include "rules/wording.h"

namespace ranklint {
namespace {

std::optional<Transfer> transfer_of(const Roles& roles, const CallSite& call) {
  const bool moves_tensor = call.is(ModelKind::PointToPoint) && call.model->direction != TransferDirection::Both &&
                            role_of(roles, call, Role::MovesMessage) && !role_of(roles, call, Role::MovesObjects);
  if (!moves_tensor) return std::nullopt;
  Transfer transfer{.call = &call,
                    .sends = call.model->direction == TransferDirection::Sends,
                    .blocks = !role_of(roles, call, Role::GivesHandle),
                    .peer = call.argument(call.model->root)};
  const SeenValue* tag = call.argument({.position = 3, .keyword = "tag"});
  if (call.open_ended || (tag && tag->kind != SeenValue::Kind::Integer)) return std::nullopt;
  if (tag) transfer.tag = tag->integer;
  return transfer;
}

}  // namespace

std::vector<Transfer> transfers_of(const Roles& roles, const Shared& shared) {
  std::vector<Transfer> all;
  for (const CallSite& call : shared.calls.all())
    if (is_reported(shared, call.function))
      if (const std::optional<Transfer> transfer = transfer_of(roles, call)) all.push_back(*transfer);
  return all;
}

bool is_rank_guarded(const CallSite& call) {
  return std::any_of(call.guards.begin(), call.guards.end(), [](const SeenGuard& g) { return g.condition.diverges(); });
}

std::optional<int64_t> only_rank(const CallSite& call) {
  std::optional<int64_t> only;
  for (const SeenGuard& guard : call.guards) {
    if (!guard.condition.rank) return std::nullopt;
    if (guard.holds) only = guard.condition.rank;
  }
  return only;
}

}  // namespace ranklint
