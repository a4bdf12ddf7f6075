// A place in the sources and another that explains it: what many rules look for, before it has words.
#pragma once

#include <string>

#include "analyzer/summary/summary.h"

namespace ranklint {

struct Spot {
  FunctionKey function;
  SourceRange range;
  std::string name;      // what stands there, in one word
  FunctionKey other_in;  // invalid: there is no other
  SourceRange other;
  std::string other_name;
  Assurance certainty = Confidence::Likely;
};

}  // namespace ranklint
