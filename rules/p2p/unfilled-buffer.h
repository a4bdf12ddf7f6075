// Buffers for messages that nothing is received into.
#pragma once

#include <vector>

#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint::unfilled_buffer {

// Whether the expression has to do with more of the buffer than its form.
bool reads_content(const Query& in, const FunctionCode& code, ir::ExprId e, Symbol buffer);

// A branch on what a buffer is, one side of which receives into it while the other does nothing with it.
struct UnfilledArm {
  SourceRange branch;
  SourceRange read;  // the first thing that is done with the buffer further down; not known: it is returned
};

// Of a buffer that is made, uninitialised, at a place.
std::vector<UnfilledArm> unfilled_arms(const Query& in, const FunctionCode& code, Symbol buffer, ProgramPoint made);

}  // namespace ranklint::unfilled_buffer
