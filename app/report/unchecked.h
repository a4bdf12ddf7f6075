// What a run did not check, in words: whole files, and what was read but not followed to the end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/report/report.h"

namespace ranklint::report {

// "1,204 files", "1 file"
std::string counted(size_t n, std::string_view noun);

// "2 C or C++ files (this build cannot read C and C++)", "parts of 1 file"; empty: everything was checked.
std::vector<std::string> unchecked_parts(const ReportInput& input);

// The same as a sentence: "Not checked: ..."; empty likewise.
std::string unchecked_sentence(const ReportInput& input);

// "No hazards found in 3 files", as far as that is so. Without a full stop.
std::string clean_verdict(const ReportInput& input);

// "`step`: too many paths to compare"
std::string text_of(const IncompletePlace& place);

// Each file and place for people: "a.py:12" and what was not checked there.
struct UncheckedPlace {
  std::string place;
  std::string text;
};
std::vector<UncheckedPlace> unchecked_places(const ReportInput& input);

}  // namespace ranklint::report
