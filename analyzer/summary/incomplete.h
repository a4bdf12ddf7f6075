// Functions that were not judged to the end, and why: nothing is concluded from what was not looked at.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ranklint {

// The gravest first: of several reasons of one function the first is kept.
enum class IncompleteReason : uint8_t {
  TooLarge,     // its blocks hold more names than are followed
  DeepCalls,    // it calls deeper than calls are followed
  DeepTerms,    // its values nest deeper than is kept
  ManyLookups,  // attributes in terms of attributes, without an end in sight
  MuchWork,     // one stage of the check makes more of it than is done for one function
  ManyPaths,    // two rank classes were not compared to the end
};

// "too many paths to compare": what a report says after the function's name.
std::string_view describe(IncompleteReason reason);
// "many-paths": what programs read.
std::string_view name_of(IncompleteReason reason);

struct IncompleteFunction {
  std::string path;
  uint32_t line = 0;     // where its definition begins; 0: not known
  std::string function;  // its qualified name
  IncompleteReason reason = IncompleteReason::TooLarge;
};

}  // namespace ranklint
