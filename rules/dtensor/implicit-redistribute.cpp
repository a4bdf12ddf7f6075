#include <algorithm>
#include <map>

#include "rules/dtensor/distributions.h"
#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::implicit_redistribute {

constexpr RuleInfo kInfo{
    .id = "implicit-redistribute",
    .code = "RL301",
    .summary = "an assignment to a distributed tensor communicates where ranks need not agree on it",
    .severity = Severity::Error,
    .since = "0.1",
    .premise = "the mesh has more than one rank"};

static void check_guarded(const Shared& shared, std::vector<Finding>& findings) {
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::Redistribute)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = only_some_call(m, "communicates when a placement changes");
    finding.help = "make the call on every rank of the mesh";
    findings.push_back(std::move(finding));
  }
}

// Which of the two communicates: the copy or what makes its source.
static std::string describe(const Distribution& d) {
  const std::string scatter =
      "`" + d.called + "`" + (d.called == "distribute_tensor" ? "" : ", which is `distribute_tensor`,") +
      " scatters or broadcasts from one rank, once for each tensor, although every rank has it already";
  return d.own_placements ? scatter + "; `copy_` itself sends nothing, since the placements are the destination's own"
                          : scatter + "; `copy_` communicates too where the placements differ";
}

static void add_sources(const Shared& shared, const Distribution& d, Finding& finding) {
  if (d.passed_by.valid() && std::any_of(finding.related.begin(), finding.related.end(), [&](const RelatedLocation& r) {
        return r.location == location_at(shared, d.passed_by, d.passed_at);
      }))
    return;
  const auto add = [&](FunctionKey function, SourceRange range, std::string text) {
    const Location at = location_at(shared, function, range);
    const bool known = std::any_of(finding.related.begin(), finding.related.end(),
                                   [&](const RelatedLocation& r) { return r.location == at; });
    if (!known) finding.related.push_back({at, std::move(text)});
  };
  add(d.source.function, d.source.range,
      d.source.kind == TensorSource::Kind::Broadcast ? "every rank has it from this broadcast"
                                                     : "every rank reads it here");
  if (d.passed_by.valid()) add(d.passed_by, d.passed_at, "`distribute_tensor` is handed over here");
}

// One finding for a copy, with every way that leads to it.
static void check_loading(const Query& in, const Shared& shared, std::vector<Finding>& findings) {
  std::map<std::pair<uint32_t, SourceRange>, size_t> reported;
  for (const Distribution& d : distributions(in)) {
    if (d.copied == SourceRange{} || !is_reported(shared, d.function)) continue;
    const auto [known, is_new] = reported.emplace(std::pair{d.function.index, d.copied}, findings.size());
    if (is_new) {
      Finding finding = finding_at(kInfo, shared, d.function, d.copied, d.certainty);
      finding.severity = Severity::Warning;
      finding.message = describe(d);
      finding.help =
          "distribute with src_data_rank=None, or cut this rank's part out of the tensor and copy it into to_local()";
      finding.fingerprint_key = d.called + " copy_";
      findings.push_back(std::move(finding));
    }
    add_sources(shared, d, findings[known->second]);
  }
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  check_guarded(shared, findings);
  check_loading(in, shared, findings);
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::implicit_redistribute
