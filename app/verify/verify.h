// Runs what a finding claims: a small world of threads, each rank doing its steps on real process groups.
//
// The run is independent of the analysis: the ranks agree or wait as the runtime makes them, and its watchdog
// (runtime/group/verdict.h) sees which ranks wait for which. A finding is confirmed only when a rank stops where the
// finding says that one waits; when every rank finishes, the finding was wrong.
#pragma once

#include <vector>

#include "app/report/report.h"
#include "rules/finding.h"

namespace ranklint::app {

Verdict verify(const Finding& finding);

// Gives every finding its verdict and takes the refuted ones out.
Verified verify_all(std::vector<Finding>& findings);

}  // namespace ranklint::app
