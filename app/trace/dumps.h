// The dumps of one run, from a folder.
#pragma once

#include <string>
#include <vector>

#include "app/trace/dump.h"

namespace ranklint::app {

struct Dumps {
  std::vector<Dump> all;              // by rank
  std::vector<std::string> left_out;  // files beside them that are none
  std::vector<Error> damaged;         // files that could not be read, or not whole
  std::vector<Error> gaps;            // of which ranks nothing is known, and why; with each of `damaged`
};

// Reads all dumps of a folder, or the one file that `folder` names. Each dump that cannot be read adds an error; the
// others are kept.
Result<Dumps> read_dumps(const std::string& folder, const std::string& cwd);

}  // namespace ranklint::app
