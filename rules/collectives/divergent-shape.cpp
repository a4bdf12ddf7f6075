#include <algorithm>

#include "analyzer/compare/tensor_facts.h"
#include "analyzer/questions/calls.h"
#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::divergent_shape {

constexpr RuleInfo kInfo{.id = "divergent-shape",
                         .code = "RL110",
                         .summary = "the size or type of a collective's tensor follows from the rank",
                         .severity = Severity::Error,
                         .since = "0.1"};

constexpr std::string_view kCalls[] = {"gather", "gather_for_metrics", "pad_across_processes"};

// The tokens of a batch are padded to the longest of this rank's, so that two ranks' differ in length.
static bool is_tokens(const SeenValue* v) {
  return v && (v->spelled.ends_with("['input_ids']") || v->spelled.ends_with("['attention_mask']"));
}

static void check_batches(const Facts& facts, Reporter& report) {
  const std::vector<CallSite>& calls = facts.calls->all();
  for (const CallSite& call : calls) {
    const bool gathers =
        call.callee.ends_with("accelerator.gather") || call.callee.ends_with("accelerator.gather_for_metrics") ||
        is_call_of(call, "*.Accelerator.gather") || is_call_of(call, "*.Accelerator.gather_for_metrics");
    const SeenValue* tensor = call.argument({.position = 0, .keyword = "input_data"});
    if (!gathers || !is_tokens(tensor) || !is_reported(facts, call.function)) continue;
    if (std::any_of(calls.begin(), calls.end(), [&](const CallSite& c) {
          return c.function == call.function && is_call_of(c, "*.pad_across_processes");
        }))
      continue;
    Finding finding = finding_at(kInfo, facts, call.function, call.range, Certainty::Likely);
    finding.message =
        "`" + tensor->spelled +
        "` is as long as the longest sequence of this rank's batch, and `gather` needs one length on all ranks";
    finding.help = "reduce it to a number first (`.sum()`), or use `pad_across_processes`";
    finding.fingerprint_key = tensor->spelled;
    report.push_back(std::move(finding));
  }
}

static void check_generated(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->generated_gathers) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message = "`" + spot.name + "` is as long as the longest sequence that this rank has generated, and `" +
                      spot.other_name + "` needs one length on all ranks";
    finding.related.push_back({{path_of(facts, spot.other_in), spot.other}, "generated here"});
    finding.help =
        "pad to the longest of all ranks first (`pad_across_processes(tokens, dim=1)`), or gather the decoded texts as "
        "objects";
    finding.fingerprint_key = spot.name + " generated";
    report.push_back(std::move(finding));
  }
}

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : mismatches_of(facts, MismatchKind::Size)) {
    Finding finding = finding_of(kInfo, facts, m);
    const bool counted = m.first_argument.starts_with("count ") || m.first_argument.starts_with("type ");
    finding.message = collective_text(m.first.op, m.group) + (counted ? " is given " : " is given a tensor of ") +
                      m.first_argument + (counted ? " on one rank and " : " on one rank and of ") + m.second_argument +
                      " on another";
    finding.help = counted ? "give the same count and type on every rank; where ranks hold different numbers of "
                             "elements use the form with counts (`MPI_Gatherv` and its kin)"
                           : "give every rank a tensor of one size and type: pad to the largest and cut afterwards";
    report.push_back(std::move(finding));
  }
  check_batches(facts, report);
  check_generated(facts, report);
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .check = check, .calls = kCalls};

}  // namespace ranklint::divergent_shape
