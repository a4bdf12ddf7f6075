// `--new-from-rev` and `--staged`: only what a revision did not have.
//
// The revision's sources are checked as a whole and a finding is old when its fingerprint is among theirs, as with a
// baseline. So a finding is new also in an untouched line, when the change that causes it is in another file:
// that is the common case here, and a test of the touched lines would miss it. The price is a second check.
#pragma once

#include "app/check/checked.h"

namespace ranklint::app {

inline bool compares(const CheckOptions& o) { return o.staged || !o.new_from_rev.empty(); }

// Checks, and moves what the revision has to the suppressed findings. With `--staged` the sources are those of the
// index.
Result<Checked> check_since(const CheckRun& run);

}  // namespace ranklint::app
