#include "analyzer/compare/tensor_facts.h"
#include "rules/wording.h"

namespace ranklint::broadcast_metadata_mismatch {

constexpr RuleInfo kInfo{.id = "broadcast-metadata-mismatch",
                         .code = "RL503",
                         .summary = "a broadcast is received into a buffer of another type or size than is sent",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "bytes are taken for another type"};

static void check_types(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->foreign_receivers) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message = "the receiving ranks allocate `" + spot.name + "` as " + spot.other_name +
                      ", and it is broadcast in the type it was saved in: the sides disagree about the number of bytes";
    finding.related.push_back({{path_of(facts, spot.other_in), spot.other}, "broadcast here"});
    finding.help = "allocate the buffer with the type and the shape of what is sent, or convert before sending";
    finding.fingerprint_key = spot.name + "receiver";
    report.push_back(std::move(finding));
  }
}

static void check_sizes(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->fixed_receivers) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message = "the receiving ranks allocate `" + spot.name +
                      "` by a size of their own, and the sender makes it of as many elements as a loop has found: "
                      "where these are fewer the sides disagree about the size";
    finding.related.push_back({{path_of(facts, spot.other_in), spot.other}, "broadcast here"});
    finding.help = "fill up to the size that all allocate, or broadcast the number of elements first";
    finding.fingerprint_key = spot.name + "size";
    report.push_back(std::move(finding));
  }
}

static void check(const Facts& facts, Reporter& report) {
  check_types(facts, report);
  check_sizes(facts, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::broadcast_metadata_mismatch
