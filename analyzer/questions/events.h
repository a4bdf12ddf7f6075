// The events of a project, one by one.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Each event of the functions that are judged and communicate, with the function and the block that it stands in.
template <typename Visit>
void each_event(const Query& query, std::string_view stage, const Visit& visit) {
  query.for_each_function_to_check(stage, [&](FunctionKey f) {
    const Summary* s = query.summary(f);
    if (!s || !s->communicates) return;
    for (const ir::BlockId b : s->graph().order())
      for (const Step& step : s->blocks[b.index].steps)
        if (step.event) visit(*s, b, step);
  });
}

}  // namespace ranklint
