// What a step communicates, calls followed: enough to name it.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "analyzer/summary/query.h"

namespace ranklint {

struct Communication {
  const Model* model = nullptr;
  ValueId group;  // in the terms of the function that the step lies in
  Assurance certainty = Confidence::Certain;
  SourceRange place;    // of the step: the collective, or the call that leads to it
  ValueId callee = {};  // of the collective, in the terms of its own function
};

// The first collective that the step issues or may reach; nothing when there is none.
std::optional<Communication> communication_of(const Query& query, const Step& step);

// How the group of a communication is called: "dp".
std::string group_name(const Query& query, const Communication& communication);

}  // namespace ranklint
