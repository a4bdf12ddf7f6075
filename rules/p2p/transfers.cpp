#include "rules/p2p/transfers.h"

#include <algorithm>

#include "rules/wording.h"

namespace ranklint {
namespace {

std::optional<Transfer> transfer_of(const CallSite& call) {
  for (std::string_view name : kTransferNames) {
    if (!is_call_of(call, "torch.distributed." + std::string(name))) continue;
    Transfer transfer{.call = &call,
                      .sends = call.model && call.model->direction == TransferDirection::Sends,
                      .blocks = !name.starts_with('i')};
    transfer.peer = call.argument({.position = 1, .keyword = transfer.sends ? "dst" : "src"});
    const SeenValue* tag = call.argument({.position = 3, .keyword = "tag"});
    if (call.open_ended || (tag && tag->kind != SeenValue::Kind::Integer)) return std::nullopt;
    if (tag) transfer.tag = tag->integer;
    return transfer;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Transfer> transfers_of(const Shared& shared) {
  std::vector<Transfer> all;
  for (const CallSite& call : shared.calls.all())
    if (is_reported(shared, call.function))
      if (const std::optional<Transfer> transfer = transfer_of(call)) all.push_back(*transfer);
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
