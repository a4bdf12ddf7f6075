// DTensor.copy_: the destination decides, the source moves.
#include "runtime/sharded/dtensor.h"
#include "runtime/sharded/step.h"

namespace ranklint::runtime {

static constexpr std::string_view kCopy = "DTensor.copy_";

static void check_copy(const DTensor& target, const DTensor& source) {
  if (!(target.mesh() == source.mesh())) fail(ErrorKind::InvalidArgument, "DTensor.copy_ between two meshes");
  if (target.shape() != source.shape())
    fail(ErrorKind::InvalidArgument,
         "DTensor.copy_ of shape " + to_string(source.shape()) + " into shape " + to_string(target.shape()));
  for (size_t m = 0; m < target.placements().size(); ++m)
    if (is_partial(target.placements()[m]) && target.placements()[m] != source.placements()[m])
      fail(ErrorKind::Unsupported, "DTensor.copy_ from " + to_string(source.placements()) + " into " +
                                       to_string(target.placements()) + ": a partial value is not taken apart");
}

static std::vector<OpType> collectives_of(const std::vector<Step>& steps) {
  std::vector<OpType> calls;
  for (const Step& step : steps)
    if (const std::optional<OpType> call = collective_of(step)) calls.push_back(*call);
  return calls;
}

static std::string sentence(const std::vector<OpType>& calls, const Placements& from, const Placements& to) {
  std::string names;
  for (const OpType call : calls) names += (names.empty() ? "" : ", ") + std::string(name_of(call));
  return "DTensor.copy_ from " + to_string(from) + " into " + to_string(to) + " communicates: " + names;
}

CopyReport DTensor::copy_(const DTensor& source, Implicit policy, Site site) {
  check_copy(*this, source);
  const std::vector<Step> steps = source.steps_to(placements_);
  CopyReport report{.implicit_calls = collectives_of(steps), .warning = {}};
  if (!report.implicit_calls.empty() && policy != Implicit::Allow) {
    report.warning = sentence(report.implicit_calls, source.placements_, placements_);
    if (policy == Implicit::Forbid) fail(ErrorKind::Unsupported, report.warning);
  }
  local_.copy_(source.moved_to(placements_, steps, kCopy, site).local_);
  return report;
}

CopyReport DTensor::copy_(const Tensor& source, Implicit policy) {
  const std::string what = "DTensor.copy_ takes a plain tensor as equal on all ranks";
  if (policy == Implicit::Forbid) fail(ErrorKind::Unsupported, what);
  const DTensor replicated = from_local(source, *mesh_, Placements(placements_.size(), Replicate{}));
  copy_(replicated, Implicit::Forbid);  // every step from Replicate is local
  return {.implicit_calls = {}, .warning = policy == Implicit::Warn ? what : std::string()};
}

}  // namespace ranklint::runtime
