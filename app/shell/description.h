// What can stand on the command line, as data: the completions and the manual page are made from it, so that they say
// what --help says.
#pragma once

#include <string>
#include <vector>

namespace ranklint::app {

struct FlagDescription {
  std::vector<std::string> names;  // "-q", "--quiet"; none for what stands by its place
  std::string about;
  std::string value;                 // "FILE"; empty for a flag that takes none
  std::vector<std::string> choices;  // the words that it takes; empty: any
  bool is_required = false;
};

struct CommandDescription {
  std::string name;  // "check"; of the program for the whole
  std::vector<std::string> aliases;
  std::string about;
  std::string footer;  // examples and what else --help shows at its end
  std::vector<FlagDescription> flags;
  std::vector<CommandDescription> commands;
};

}  // namespace ranklint::app
