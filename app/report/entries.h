// Findings and notes alike, as formats take them that know problems of files and nothing else.
#pragma once

#include <string>
#include <vector>

#include "app/report/report.h"

namespace ranklint::report {

struct Entry {
  std::string rule;
  std::string code;
  Severity severity = Severity::Warning;
  Location location;
  std::string message;
  std::string fingerprint;           // differs from every other entry's
  const Finding* finding = nullptr;  // null: a note. Lives as long as the input.
};

// By path, and within a file in report order: findings, then notes.
std::vector<Entry> entries(const ReportInput& input);

// What a person reads below the message: the lanes side by side, what was assumed, the way out. Empty for a note.
std::string details_of(const Entry& entry);

}  // namespace ranklint::report
