// From what went wrong in a small world to findings: what the rules of the pack `mpi` have in common.
#pragma once

#include "analyzer/mpi_check/problem.h"
#include "rules/mpi/sentences.h"
#include "rules/rule.h"

namespace ranklint {

// A finding for each problem of the sentences' kind in a file that is reported.
std::vector<Finding> problems_of(const RuleInfo& rule, const Shared& shared, const Sentences& sentences);

}  // namespace ranklint
