#include "app/report/entries.h"

#include <algorithm>

#include "app/report/fingerprint.h"
#include "app/report/formats/formats.h"
#include "app/report/lanes.h"

namespace ranklint::report {

namespace {

constexpr unsigned kColumns = 100;

// A note has a fingerprint as a finding has that says the same.
Finding finding_of(const ReportNote& note) {
  Finding finding;
  finding.rule = note.rule;
  finding.code = note.code;
  finding.primary = note.location;
  finding.fingerprint_key = note.message;
  return finding;
}

}  // namespace

std::vector<Entry> entries(const ReportInput& input) {
  std::vector<Entry> out;
  const Fingerprints prints = fingerprints(input.findings, input.suppressed);
  for (size_t i = 0; i < input.findings.size(); ++i) {
    const Finding& f = input.findings[i];
    out.push_back({f.rule, f.code, f.severity, f.primary, f.message, prints.findings[i], &f});
  }
  std::vector<Finding> notes;
  for (const ReportNote& note : input.notes) notes.push_back(finding_of(note));
  const Fingerprints of_notes = fingerprints(notes, {});
  for (size_t i = 0; i < input.notes.size(); ++i) {
    const ReportNote& n = input.notes[i];
    out.push_back({n.rule, n.code, n.severity, n.location, n.message, of_notes.findings[i], nullptr});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Entry& a, const Entry& b) { return a.location.path < b.location.path; });
  return out;
}

std::string details_of(const Entry& entry) {
  if (entry.finding == nullptr) return {};
  const Finding& f = *entry.finding;
  std::string out = paint(lanes(f.witness, kColumns, Style::Plain), false);
  if (const std::string why = why_so_sure(f); !why.empty()) out += std::string(word(f.confidence)) + ": " + why + "\n";
  for (const std::string& assumption : f.witness.assumptions) out += "assuming: " + assumption + "\n";
  if (!f.help.empty()) out += "help: " + f.help + "\n";
  return out;
}

}  // namespace ranklint::report
