#include <set>

#include "rules/dtensor/distributions.h"
#include "rules/wording.h"

namespace ranklint::distribute_from_source_rank {

constexpr RuleInfo kInfo{.id = "distribute-from-source-rank",
                         .code = "RL303",
                         .summary = "a tensor that every rank has read is scattered or broadcast from one of them",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "it takes time",
                         .premise = "the mesh has more than one rank"};

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  std::set<std::pair<uint32_t, SourceRange>> reported;
  for (const Distribution& d : distributions(in)) {
    if (d.source.kind != TensorSource::Kind::ReadByEveryRank) continue;
    const FunctionKey at = d.passed_by.valid() ? d.passed_by : d.function;
    const SourceRange range = d.passed_by.valid() ? d.passed_at : d.range;
    if (!is_reported(shared, at) || !reported.emplace(at.index, range).second) continue;
    Finding finding = finding_at(kInfo, shared, at, range, d.certainty);
    finding.message =
        "`distribute_tensor` with its default source rank scatters or broadcasts each tensor over its mesh, although "
        "every rank has read it";
    if (d.passed_by.valid())
      finding.related.push_back({location_at(shared, d.function, d.range),
                                 "called here, as `" + d.called + "`: one collective for each tensor"});
    finding.related.push_back({location_at(shared, d.source.function, d.source.range), "every rank reads here"});
    finding.help = "pass src_data_rank=None, so that each rank cuts its part out of what it has read and sends nothing";
    finding.fingerprint_key = d.called + " source";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::distribute_from_source_rank
