// All the places that a finding names.
#pragma once

#include "rules/finding.h"

namespace ranklint {

template <typename Visit>
void for_each_location(Finding& finding, const Visit& visit) {
  visit(finding.primary);
  for (RelatedLocation& related : finding.related) visit(related.location);
  for (WitnessLane& lane : finding.witness.lanes)
    for (WitnessStep& step : lane.steps) visit(step.location);
}

}  // namespace ranklint
