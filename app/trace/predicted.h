// Which findings had said that a job would stand still there.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/trace/frame_files.h"
#include "app/trace/stuck.h"
#include "rules/finding.h"

namespace ranklint::app {

// How well a finding fits: 0 not at all. It fits when a rank that stands still came through a line that the finding
// names: best where that is the very collective, then where the ranks diverge or the finding points, then a call on the
// way.
int fit(const Finding& finding, const Stuck& stuck, const FrameFiles& files);

}  // namespace ranklint::app
