// Code that asks of what kind an object is: `if isinstance(model, FSDP): ... else: ...`.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Whether the term asks if the object is of a kind that it is taken for here, by its type.
bool asks_for_own_kind(const Query& query, ValueId asked, ValueId object);

// Whether a block is reached only where such a question is denied: the object is something else there.
bool is_denied_own_kind(const Query& query, const Summary& summary, ir::BlockId block, ValueId object);

}  // namespace ranklint
