// `--fix`, `--diff` and `--add-ignore`: changes are made in memory, checked again and only then written or shown.
//
// A round takes the fixes of all findings, in the order of the report, leaves out those that clash with one taken
// before, and checks the changed texts. Where a file parses worse than it did, its changes of this round are taken back
// and it is left alone from then on. Rounds end when there is nothing left to take, or after kMostRounds.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/check/checked.h"
#include "app/fix/fix.h"

namespace ranklint::app {

struct Fixed {
  Checked checked;  // of the changed texts
  size_t fix_count = 0;
  std::set<std::string> changed = {};  // the files that they are in
  size_t known_gone = 0;               // entries of the baseline
  std::vector<std::string> given_up;   // files whose changes did not parse
};

// Changes `run.overlay`. The findings in `checked` are those that are reported: without those of the baseline.
Result<Fixed> fix_sources(CheckRun& run);

// Whether a run changes sources, besides reporting findings.
inline bool changes_sources(const CheckOptions& o) { return o.fix || o.diff || !o.add_ignore.empty(); }

// Writes the changed files, or shows what would change.
std::optional<Error> write_changes(const CheckRun& run);
std::string diff_of_changes(const CheckRun& run);

// How many of the findings `--fix` could settle, safely and not.
struct Fixable {
  size_t safe = 0;
  size_t unsafe = 0;
};
Fixable fixable(const std::vector<Finding>& findings, const SourceOf& source);

}  // namespace ranklint::app
