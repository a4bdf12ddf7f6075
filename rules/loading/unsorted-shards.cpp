#include "analyzer/compare/tensor_facts.h"
#include "rules/wording.h"

namespace ranklint::unsorted_shards {

constexpr RuleInfo kInfo{.id = "unsorted-shards",
                         .code = "RL504",
                         .summary = "a rank picks files out of a listing that was not sorted",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "parts are read twice and others never"};

// `os.listdir(folder)[rank]`: the listing has no name.
static bool is_named(const Spot& spot) { return !spot.name.starts_with('%'); }

static void check(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->unsorted_picks) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message =
        (is_named(spot) ? "`" + spot.name + "` comes from `" + spot.other_name + "`, whose order"
                        : "the order of `" + spot.other_name + "`") +
        " is each machine's own, and a rank picks out of it by its number: two may pick one entry and none another";
    if (spot.other_in.valid()) finding.related.push_back({{path_of(facts, spot.other_in), spot.other}, "listed here"});
    finding.help = "sort the listing";
    finding.fingerprint_key = (is_named(spot) ? spot.name : spot.other_name) + "pick";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::unsorted_shards
