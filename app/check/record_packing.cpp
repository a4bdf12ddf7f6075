#include "app/check/record_packing.h"

#include "app/cache/packing.h"
#include "app/cache/shared_packing.h"

namespace ranklint::app {

template <>
inline constexpr Severity kLast<Severity> = Severity::Error;
template <>
inline constexpr Confidence kLast<Confidence> = Confidence::Certain;
template <>
inline constexpr Reason kLast<Reason> = Reason::SeldomReal;
template <>
inline constexpr AssumptionKind kLast<AssumptionKind> = AssumptionKind::RulePremise;
template <>
inline constexpr WitnessStep::Kind kLast<WitnessStep::Kind> = WitnessStep::Kind::Exit;
template <>
inline constexpr IncompleteReason kLast<IncompleteReason> = IncompleteReason::ManyPaths;

// Static and in the namespace of the archives, where these look for them.
static void fields(auto& archive, Is<Location> auto& location) {
  auto& [path, range, as_checked] = location;
  archive(path, range, as_checked);
}

static void fields(auto& archive, Is<RelatedLocation> auto& related) {
  auto& [location, message] = related;
  archive(location, message);
}

static void fields(auto& archive, Is<WitnessStep> auto& step) {
  auto& [kind, location, text, function, nesting, op, group] = step;
  archive(kind, location, text, function, nesting, op, group);
}

static void fields(auto& archive, Is<WitnessLane> auto& lane) {
  auto& [ranks, steps, end] = lane;
  archive(ranks, steps, end);
}

static void fields(auto& archive, Is<Witness> auto& witness) {
  auto& [lanes, assumptions] = witness;
  archive(lanes, assumptions);
}

static void fields(auto& archive, Is<FindingDoubt> auto& doubt) {
  auto& [reason, place] = doubt;
  archive(reason, place);
}

static void fields(auto& archive, Is<Assumption> auto& assumption) {
  auto& [kind, subject, holds, count, place] = assumption;  // the place by keys of an index: FindingAssumption has it
  archive(kind, subject, holds, count);
}

static void fields(auto& archive, Is<FindingAssumption> auto& rests) {
  auto& [assumption, place] = rests;
  archive(assumption, place);
}

static void fields(auto& archive, Is<Finding> auto& finding) {
  auto& [rule, code, severity, confidence, arrived_at, doubts, evidence, primary, message, related, witness, help,
         function, replay, verdict, fingerprint_key] = finding;
  archive(rule, code, severity, confidence, arrived_at, doubts, evidence, primary, message, related, witness, help,
          function, fingerprint_key);
}

static void fields(auto& archive, Is<FileNotes> auto& notes) {
  auto& [path, pragmas, diagnostics, unknown_count] = notes;
  archive(path, pragmas, diagnostics, unknown_count);
}

static void fields(auto& archive, Is<IncompleteFunction> auto& incomplete) {
  auto& [path, line, function, reason] = incomplete;
  archive(path, line, function, reason);
}

static void fields(auto& archive, Is<BrokenPiece> auto& piece) {
  auto& [path, line, function, stage, what] = piece;
  archive(path, line, function, stage, what);
}

static void fields(auto& archive, Is<TruncatedRun> auto& program) {
  auto& [path, why] = program;
  archive(path, why);
}

static void fields(auto& archive, Is<AnalysisRecord> auto& record) {
  auto& [findings, files, headers, function_count, communicating_function_count, unresolved_call_count, incomplete,
         broken, program_count, truncated_runs, is_repeatable] = record;  // none is kept that is not repeatable
  archive(findings, files, headers, function_count, communicating_function_count, unresolved_call_count, incomplete,
          broken, program_count, truncated_runs);
}

static void fields(auto& archive, Is<KeptRecord> auto& kept) {
  auto& [seen, record] = kept;
  archive(seen, record);
}

std::string pack_record(const KeptRecord& kept) { return packed(kept); }

std::optional<KeptRecord> unpack_record(std::string_view bytes) { return unpacked<KeptRecord>(bytes); }

}  // namespace ranklint::app
