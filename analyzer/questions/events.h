// The events of a project, and the calls that may lead to some, one by one.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Each event and each call of the functions that are judged and communicate, with the function and its block.
template <typename Visit>
void each_step(const Query& query, std::string_view stage, const Visit& visit) {
  query.for_each_function_to_check(stage, [&](FunctionKey f) {
    const Summary* s = query.summary(f);
    if (!s || !s->communicates) return;
    for (const ir::BlockId b : s->graph().order())
      for (const Step& step : s->blocks[b.index].steps) visit(*s, b, step);
  });
}

// Each event of the functions that are judged and communicate, with the function and the block that it stands in.
template <typename Visit>
void each_event(const Query& query, std::string_view stage, const Visit& visit) {
  each_step(query, stage, [&](const Summary& s, ir::BlockId b, const Step& step) {
    if (step.event) visit(s, b, step);
  });
}

}  // namespace ranklint
