#include "runtime/group/watch/unmet.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ranklint::runtime {

static bool comes_first(const Unmet& a, const Unmet& b) {
  const auto place = [](const Unmet& each) {
    return std::tuple(each.group, is_message(each.call.op), each.call.sequence);
  };
  return place(a) < place(b);
}

Unmet unmet_of(const WaitFor& wait) {
  Unmet unmet{.group = wait.group->id,
              .call = {.rank = wait.group->global_rank(wait.member), .phase = RankPhase::Finished}};
  describe(wait, unmet.call);
  return unmet;
}

Unmet unmet_of(const GroupInfo& group, const Transfer& transfer) {
  const int member = transfer.is_send() ? transfer.from : transfer.to;
  return unmet_of({.group = &group, .member = member, .transfer = &transfer});
}

void add(std::vector<Unmet>& all, Unmet one) {
  const auto at = std::lower_bound(all.begin(), all.end(), one.call.rank,
                                   [](const Unmet& each, int rank) { return each.call.rank < rank; });
  if (at == all.end() || at->call.rank != one.call.rank) {
    all.insert(at, std::move(one));
    return;
  }
  const size_t more = at->more + one.more + 1;
  if (comes_first(one, *at)) *at = std::move(one);
  at->more = more;
}

}  // namespace ranklint::runtime
