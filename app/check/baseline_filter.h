// Takes out what the baseline of the settings knows. The command line and the language server share it.
#pragma once

#include <span>
#include <string>

#include "app/baseline/baseline.h"
#include "app/check/settings.h"
#include "app/suppress/suppress.h"

namespace ranklint::app {

// The baseline that a file holds. `absolute` names it, `cwd` how it is shown.
Result<Baseline> load_baseline(const std::string& absolute, const std::string& cwd);

// What a check looked at: an entry outside of it is not gone because it was not met.
struct Looked {
  const Settings& settings;
  std::span<const Rule> rules;
  std::span<const std::string> reported;  // the files, sorted
  std::span<const Finding> hidden;        // found, and below the thresholds
};

// Whether an entry that was not met is gone: its file was checked for its rule, or is no more.
bool is_gone(const BaselineEntry& entry, const BaselinePlace& place, const Looked& looked);

// Moves the known findings to the suppressed ones; the number of entries that are gone. Nothing to do without a
// baseline.
Result<size_t> hide_known(SuppressionResult& judged, const Looked& looked);

}  // namespace ranklint::app
