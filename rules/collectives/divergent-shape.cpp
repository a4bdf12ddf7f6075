#include <algorithm>

#include "analyzer/questions/calls.h"
#include "rules/collectives/divergent-shape.h"
#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::divergent_shape {

constexpr RuleInfo kInfo{.id = "divergent-shape",
                         .code = "RL110",
                         .summary = "the size or type of a collective's tensor follows from the rank",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "the amounts are not the same on all ranks"};

constexpr std::string_view kCalls[] = {"<gathers-batch>", "<pads>"};

// The tokens of a batch are padded to the longest of this rank's, so that two ranks' differ in length.
static bool is_tokens(const Query& in, const SeenValue* v) {
  return v && in.priors().suggest(v->key, NameMeaning::Tokens);
}

static void check_batches(const Query& in, const Shared& shared, std::vector<Finding>& findings) {
  const std::vector<CallSite>& calls = shared.calls.all();
  for (const CallSite& call : calls) {
    const RoleEntry* gathers = role_of(in.roles(), call, Role::GathersBatch);
    const SeenValue* tensor = gathers ? call.argument(gathers->argument) : nullptr;
    if (!is_tokens(in, tensor) || !is_reported(shared, call.function)) continue;
    if (std::any_of(calls.begin(), calls.end(), [&](const CallSite& c) {
          return c.function == call.function && role_of(in.roles(), c, Role::Pads);
        }))
      continue;
    Finding finding = finding_at(kInfo, shared, call.function, call.range, Confidence::Likely);
    finding.message =
        "`" + tensor->spelled +
        "` is as long as the longest sequence of this rank's batch, and `gather` needs one length on all ranks";
    finding.help = "reduce it to a number first (`.sum()`), or use `pad_across_processes`";
    finding.fingerprint_key = tensor->spelled;
    findings.push_back(std::move(finding));
  }
}

static void check_own_size(const Shared& shared, const OwnSize& found, std::vector<Finding>& findings) {
  if (!is_reported(shared, found.function)) return;
  const bool is_selected = found.by == OwnSize::By::Selection, is_share = found.by == OwnSize::By::Share;
  Finding finding = finding_at(kInfo, shared, found.function, found.range, found.certainty);
  finding.message = (found.name.empty() ? "what it is given" : "`" + found.name + "`") +
                    (is_selected ? " has as many elements as this rank's data have that pass a test"
                     : is_share  ? " is as long as this rank's share, and there is a rest that some ranks alone have"
                                 : " is as long as the longest sequence that this rank has generated") +
                    ", and `" + found.op + "` needs one " + (is_selected || is_share ? "size" : "length") +
                    " on all ranks";
  finding.related.push_back({{finding.primary.path, found.made_at},
                             is_selected ? "the elements are picked here"
                             : is_share  ? "made here"
                                         : "generated here"});
  finding.help =
      is_selected || is_share
          ? "exchange the numbers of elements first and pad to the largest, or reduce to one number (`.sum()`) and "
            "communicate that"
          : "pad to the longest of all ranks first (`pad_across_processes(tokens, dim=1)`), or gather the decoded "
            "texts as objects";
  finding.fingerprint_key = found.name + (is_selected ? " selected" : is_share ? " of a share" : " generated");
  findings.push_back(std::move(finding));
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::Size)) {
    Finding finding = finding_of(kInfo, shared, m);
    const bool counted = m.cause != Mismatch::Cause::SizeDiffers;
    const std::string what = m.cause == Mismatch::Cause::CountDiffers  ? "count "
                             : m.cause == Mismatch::Cause::TypeDiffers ? "type "
                                                                       : "of ";
    finding.message = collective_text(m.first.op, m.group) + (counted ? " is given " : " is given a tensor ") + what +
                      m.first_argument + " on one rank and " + what + m.second_argument + " on another";
    finding.help = counted ? "give the same count and type on every rank; where ranks hold different numbers of "
                             "elements use the form with counts (`MPI_Gatherv` and its kin)"
                           : "give every rank a tensor of one size and type: pad to the largest and cut afterwards";
    findings.push_back(std::move(finding));
  }
  check_batches(in, shared, findings);
  for (const OwnSize& found : own_sizes(in)) check_own_size(shared, found, findings);
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::divergent_shape
