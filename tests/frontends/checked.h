// What the verifier has against a module, as one text; empty when it accepts it.
#pragma once

#include <string>

#include "analyzer/ir/verify.h"

namespace ranklint::test {

inline std::string complaints(const ir::Module& module) {
  std::string out;
  for (const std::string& complaint : ir::verify(module)) out += complaint + "\n";
  return out;
}

}  // namespace ranklint::test
