#include "rules/p2p/transfers.h"

#include <algorithm>

#include "rules/wording.h"

namespace ranklint {
namespace {

std::optional<Transfer> transfer_of(const Roles& roles, const CallSite& call) {
  const RoleEntry* moves = role_of(roles, call, Role::MovesMessage);
  const bool moves_tensor = call.is(ModelKind::PointToPoint) && call.model->direction != TransferDirection::Both &&
                            moves && !role_of(roles, call, Role::MovesObjects);
  if (!moves_tensor || call.open_ended) return std::nullopt;
  Transfer transfer{.call = &call,
                    .sends = call.model->direction == TransferDirection::Sends,
                    .blocks = !role_of(roles, call, Role::GivesHandle),
                    .may_be_to_itself = !moves->note.empty(),
                    .peer = call.argument(call.model->root)};
  const SeenValue* tag = call.argument(moves->argument);
  const bool takes_any = !tag && !transfer.sends && !moves->note.empty();
  if (takes_any || (tag && tag->kind != SeenValue::Kind::Integer))
    transfer.tag = std::nullopt;
  else if (tag)
    transfer.tag = tag->integer;
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
