// From what went wrong in a small world to findings: what the rules of the pack `mpi` have in common.
#pragma once

#include "analyzer/worlds/problem.h"
#include "rules/rule.h"

namespace ranklint {

// A finding for each problem of the kind in a file that is reported.
void report_problems(const RuleInfo& rule, const Facts& facts, worlds::ProblemKind kind, Reporter& report);

}  // namespace ranklint
