// Exceptions that some ranks throw: a function that does not communicate matters all the same where it throws by the
// rank and a caller catches.
#pragma once

#include "analyzer/resolve/index.h"

namespace ranklint {

class Query;

// Whether the function, or one that it calls, may leave by an exception on some ranks and not on others.
bool raises_by_rank(const Query& interpreter, FunctionKey function);

}  // namespace ranklint
