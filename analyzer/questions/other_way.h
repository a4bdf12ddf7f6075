// What stands on the other side of a choice.
#pragma once

#include <string_view>

#include "analyzer/summary/query.h"

namespace ranklint {

// Whether the block is on one of several ways, and on another the operation stands, or a call that may communicate:
// `if mine: broadcast(x, src=rank)` / `else: broadcast(x, src=owner)`.
bool has_on_another_way(const Query& query, const Summary& summary, ir::BlockId block, std::string_view op);

}  // namespace ranklint
