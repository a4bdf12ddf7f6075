// Files that are run as programs, the paths by which commands name them, and libraries that may bring them ranks.
#pragma once

#include <string_view>
#include <vector>

#include "analyzer/program/program.h"

namespace ranklint {

// `if __name__ == "__main__":`
bool is_run_as_program(const ir::Module& module);

// The file and all that import it, directly or not.
std::vector<ModuleKey> files_above(const Program& program, ModuleKey file);

// The folder of a file, with the slash at its end; empty: it lies in none.
inline std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

// Whether the path that a command writes, seen from some folder, is the file's.
bool is_path_of(std::string_view file, std::string_view written);
// The same, seen from the folder of the file with the command, or from one around it.
bool is_path_from(std::string_view command, std::string_view file, std::string_view written);

// Libraries that have ranks, and may set them up by themselves.
class RankLibraries {
 public:
  explicit RankLibraries(const Program& program);

  // Whether one of the files, by module, imports one.
  bool are_used_in(const std::vector<bool>& files) const;

 private:
  std::vector<bool> uses_;  // by module
};

}  // namespace ranklint
