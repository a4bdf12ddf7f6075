#include "runtime/loader/agreement.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ranklint::runtime {

// An error's text travels; a longer one is cut.
static constexpr size_t kLongestText = 4096;

// So that it can be negated.
static int64_t signed_of(uint64_t fingerprint) { return static_cast<int64_t>(fingerprint >> 2); }

// [the failing rank that comes first, as size - rank; then each fingerprint, and its negative]: of which the maximum
// says who failed, and that a fingerprint differs when its maximum and minimum do.
static std::vector<int64_t> reduce_outcomes(ProcessGroup& group, bool failed, std::span<const Claim> claims,
                                            Device device, Site site) {
  std::vector<int64_t> values = {failed ? group.size() - group.rank() : 0};
  for (const Claim& claim : claims) {
    values.push_back(signed_of(claim.fingerprint));
    values.push_back(-signed_of(claim.fingerprint));
  }
  const auto count = static_cast<int64_t>(values.size());
  const Tensor tensor = Tensor::from<int64_t>(std::move(values), {count}, device);
  group.all_reduce(tensor, ReduceOp::Max, {.name = "loader: outcome"}, site);
  return {tensor.as<int64_t>().begin(), tensor.as<int64_t>().end()};
}

static Error tell_error(ProcessGroup& group, int teller, const Status& mine, Device device, Site site) {
  const bool mine_is_told = group.rank() == teller;
  std::string text = mine_is_told ? mine.error().message.substr(0, kLongestText) : "";
  const int src = group.global_rank(teller);
  const Tensor head = Tensor::from<int64_t>(
      {mine_is_told ? static_cast<int64_t>(mine.error().kind) : 0, static_cast<int64_t>(text.size())}, {2}, device);
  group.broadcast(head, src, {.name = "loader: kind of error"}, site);
  text.resize(static_cast<size_t>(head.as<int64_t>()[1]));
  const Tensor body = Tensor::from<uint8_t>({text.begin(), text.end()}, {static_cast<int64_t>(text.size())}, device);
  group.broadcast(body, src, {.name = "loader: error"}, site);
  text.assign(body.as<uint8_t>().begin(), body.as<uint8_t>().end());
  return {static_cast<ErrorKind>(head.as<int64_t>()[0]), "rank " + std::to_string(src) + ": " + text};
}

static Error tell_difference(ProcessGroup& group, const Claim& claim, Device device, Site site) {
  const Tensor mine = Tensor::from<int64_t>({signed_of(claim.fingerprint)}, {1}, device);
  const Tensor all = Tensor::empty({group.size()}, DType::I64, device);
  group.all_gather_into_tensor(all, mine, {.name = "loader: what differs"}, site);
  const std::span<int64_t> values = all.as<int64_t>();
  const auto odd = std::find_if(values.begin(), values.end(), [&](int64_t value) { return value != values[0]; });
  const std::string rank = std::to_string(group.global_rank(static_cast<int>(odd - values.begin())));
  return {ErrorKind::Mismatch, "rank " + rank + " and rank " + std::to_string(group.global_rank(0)) +
                                   " do not have the same " + std::string(claim.what)};
}

Status agree(ProcessGroup& group, const Status& mine, std::span<const Claim> claims, Device device, Site site) {
  const std::vector<int64_t> reduced = reduce_outcomes(group, !mine, claims, device, site);
  if (reduced[0] != 0) return tell_error(group, group.size() - static_cast<int>(reduced[0]), mine, device, site);
  for (size_t i = 0; i < claims.size(); ++i)
    if (reduced[1 + 2 * i] != -reduced[2 + 2 * i]) return tell_difference(group, claims[i], device, site);
  return ok();
}

}  // namespace ranklint::runtime
