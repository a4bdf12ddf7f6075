// A shell script as commands of words, with what is constant put in.
//
// This is no shell: it follows assignments of constants, arrays, `${X:-default}` and arithmetic from top to bottom, and
// what it can not know it does not guess. A variable that two branches give different values is not known any more.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/source_range.h"

namespace ranklint::launchers {

struct Word {
  std::string text;
  bool known = true;  // false: a part of it is not a constant
  SourceRange range;
};

struct Command {
  std::vector<Word> environment;  // "NAME=value" in front of it, or of `export` and plain assignments
  bool exports = false;           // by `export`
  bool is_nested = false;         // in a loop or a branch
  std::vector<Word> words;        // empty: assignments alone
};

// In order. `#SBATCH` options are commands of their own, with "#SBATCH" for the first word.
std::vector<Command> commands_of(std::string_view script, uint32_t first_line = 1);

}  // namespace ranklint::launchers
