// A baseline: the findings of a project that are known, in a file that is kept with it, so that only new ones count.
//
// An entry is one finding, not a number of findings in a file: it is found again by its fingerprint, which is made of
// the path from the baseline's folder, the rule, the function and what the rule names, and stays when lines move. So a
// check from any folder meets the same entries, and a new finding beside an old one is new. `rule`, `path`, `function`
// and `message` are for people who read the file; people write `reason`, and it is kept.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"
#include "app/report/report.h"

namespace ranklint::app {

inline constexpr std::string_view kBaselineName = "ranklint-baseline.json";

struct BaselineEntry {
  std::string fingerprint;
  std::string rule;
  std::string path;      // from the baseline's folder
  std::string function;  // may be empty
  std::string message;
  std::string reason;  // may be empty
  friend bool operator==(const BaselineEntry&, const BaselineEntry&) = default;
};

struct Baseline {
  std::vector<BaselineEntry> entries;  // by path, rule, fingerprint
};

Result<Baseline> read_baseline(std::string_view text, const std::string& shown);
std::string print_baseline(const Baseline& baseline);

// Where a run's paths start and where the baseline's do, both absolute.
struct BaselinePlace {
  std::string cwd;
  std::string folder;
};

// An entry for each finding, in their order. The suppressed ones are counted with them, as reports do.
std::vector<BaselineEntry> entries_of(std::span<const Finding> findings, std::span<const SuppressedFinding> suppressed,
                                      const BaselinePlace& place);

// Moves the findings that the baseline has to the suppressed ones. Gives the indices of the entries that were met.
struct KnownFindings {
  const Baseline& baseline;
  BaselinePlace place;
  std::string shown;  // the file, as the location of what it suppresses
};
std::set<size_t> take_known(std::vector<Finding>& findings, std::vector<SuppressedFinding>& suppressed,
                            const KnownFindings& known);

// What a baseline becomes. `is_gone`: whether an entry that was not met would have been, had it still been there.
struct BaselineChange {
  Baseline baseline;
  size_t added = 0;
  size_t dropped = 0;
  size_t kept = 0;
};
BaselineChange updated(const Baseline& old, const std::vector<BaselineEntry>& now,
                       const std::function<bool(const BaselineEntry&)>& is_gone, bool adds);

}  // namespace ranklint::app
