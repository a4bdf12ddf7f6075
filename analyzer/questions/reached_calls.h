// The calls that a rule watches for, without those in code that no way leads to.
#pragma once

#include <string_view>

#include "analyzer/summary/query.h"

namespace ranklint {

// `body(summary, site, call)` for each of them, in order; see Query::for_each_watched.
template <typename Body>
void for_each_reached_call(const Query& in, std::string_view stage, const Body& body) {
  in.for_each_watched(stage, [&](FunctionKey f, const auto& calls) {
    const Summary* s = in.summary(f);
    for (const auto& [site, call] : calls)
      if (s && s->graph().reachable(site.block)) body(*s, site, call);
  });
}

}  // namespace ranklint
