// What a constructor of a sharding wrapper is given to wrap.
#pragma once

#include "analyzer/questions/derivation.h"
#include "analyzer/questions/handed_over.h"
#include "analyzer/summary/query.h"

namespace ranklint {

// The module that the link's call is given.
ir::ExprId wrapped_module(const Query& in, const Link& link);

}  // namespace ranklint
