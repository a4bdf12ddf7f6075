// The rounds of a loop among the steps of a witness.
#pragma once

#include <vector>

#include "rules/finding.h"

namespace ranklint {

// Of steps that repeat many times, those of one loop that goes round, keeps the first two rounds, says how many more
// there are, and keeps what follows. The last step stays: a rank waits there.
void fold_rounds(std::vector<WitnessStep>& steps);

}  // namespace ranklint
