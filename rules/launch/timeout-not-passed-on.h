// Time-outs that a function is given and does not pass on.
#pragma once

#include <string>
#include <vector>

#include "analyzer/summary/query.h"

namespace ranklint::timeout_not_passed_on {

struct UnreadTimeout {
  FunctionKey function;   // takes it as a parameter and reads it nowhere
  std::string parameter;  // by this name
  SourceRange call;       // the first call in it that could get a time-out and does not
  std::string callee;     // of what, in one word
};

std::vector<UnreadTimeout> unread_timeouts(const Query& in);

// A time-out of the settings that a call is given others of.
struct DeclaredTimeout {
  FunctionKey function;  // makes the call
  SourceRange call;
  std::string callee;       // of what, in one word
  std::string name;         // of the time-out
  FunctionKey declared_by;  // a function, or the body of a class
  SourceRange declared;
};

std::vector<DeclaredTimeout> declared_timeouts(const Query& in);

}  // namespace ranklint::timeout_not_passed_on
