// The `with` blocks that are open at a place of a function.
#pragma once

#include <string>
#include <vector>

#include "analyzer/compare/code.h"

namespace ranklint {

struct OpenContext {
  std::string name;      // of the context manager: "torch.no_grad"
  FunctionKey function;  // of the project that makes it; invalid: none
};

// Outermost first.
std::vector<OpenContext> open_contexts(const ProjectIndex& index, const Summary& summary, Place at);

// Around the call that is written there.
std::vector<OpenContext> open_contexts(const ProjectIndex& index, const Summary& summary, SourceRange call);

}  // namespace ranklint
