// MPI programs whose runs in small worlds were given up before their end: what is said of them is not all.
#pragma once

#include <vector>

#include "analyzer/project/project.h"
#include "app/report/report.h"

namespace ranklint::app {

// By path, as the analysis has it.
std::vector<CutOff> cut_off(const Analysis& analysis);

// How many programs were run.
size_t count_programs(const Analysis& analysis);

}  // namespace ranklint::app
