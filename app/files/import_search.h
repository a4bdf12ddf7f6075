// Where the files of an import lie on disk, as Python would find them in the project.
//
// Python looks below the folders of its path; which those are depends on how the program is started and installed, and
// is not known. So a file's imports are looked for below every folder that may be one of them, the likeliest first: the
// folder that holds its outermost package (an installed package, or `python -m`), its own (a script), and the folders
// from there up to the top of the project, each with its `src`. The top is the nearest folder upwards with `.git`, else
// with a file that marks a Python project, else the folder that the program is run in. The first that has the name
// counts. Installed libraries are not looked for: they are known by models.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/files/imports.h"

namespace ranklint::app {

class ImportSearch {
 public:
  // Absolute paths. `top`: the top of the project, where it is known; else empty.
  explicit ImportSearch(std::string cwd, std::string top = {}) : cwd_(std::move(cwd)), top_(std::move(top)) {}

  // Absolute paths of what the import runs, when it stands in `file`: packages on the way, the module, and modules that
  // it names as members of a package. Empty: it lies elsewhere.
  std::vector<std::string> files_of(const Import& import, const std::string& file);

  // Whether all that an import of the file may find lies in the folders.
  bool stays_in(const std::vector<std::string>& folders, const std::string& file);

 private:
  bool is_whole(const std::string& folder);
  const std::vector<std::string>& roots_of(const std::string& folder);
  std::string top_of(const std::string& folder);
  bool is_file(const std::string& path) { return kind_of(path) == std::filesystem::file_type::regular; }
  bool is_folder(const std::string& path) { return kind_of(path) == std::filesystem::file_type::directory; }
  std::filesystem::file_type kind_of(const std::string& path);
  // The files of `dotted` and of `names` in it below the folder; empty: it is not there.
  std::vector<std::string> below(const std::string& folder, std::string_view dotted,
                                 const std::vector<std::string>& names);

  std::string cwd_, top_;
  std::map<std::string, bool> whole_;                                  // by folder
  std::map<std::string, std::vector<std::string>> roots_;              // by folder
  std::unordered_map<std::string, std::filesystem::file_type> kinds_;  // by path
};

}  // namespace ranklint::app
