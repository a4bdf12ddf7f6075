// What .gitignore files and the configuration's patterns leave out.
//
// One language for both: a pattern without a '/' matches a name at any depth, one with a '/' a path from the folder
// it is written for; a trailing '/' matches folders only, a leading '!' takes back; the last pattern that matches
// decides. What lies in a folder that is left out is left out, whatever later patterns say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/glob.h"

namespace ranklint::app {

class IgnorePatterns {
 public:
  // `folder`: the absolute folder that the patterns are written for, without a trailing '/' ("" is the root).
  explicit IgnorePatterns(std::string folder) : folder_(std::move(folder)) {}

  // One line of a .gitignore file, without its line end. Comments and empty lines add nothing.
  void add_line(std::string_view line);
  void add_text(std::string_view text);
  // Speaks of another folder from now on, where its own lies in `from`: of the same place in `to`.
  void move(std::string_view from, std::string_view to);
  bool empty() const { return patterns_.empty(); }

  // Whether the last pattern that matches leaves the path out (true) or takes it back (false); nothing when none
  // matches or the path lies outside the folder. The folders above the path are not asked.
  std::optional<bool> decide(std::string_view absolute_path, bool is_folder) const;

  // The same for the path and every folder above it, from the outside in.
  bool leaves_out(std::string_view absolute_path, bool is_folder) const;

 private:
  struct Pattern {
    Glob glob;
    bool negated = false;
    bool folders_only = false;
    bool name_only = false;  // no '/': compared with the last component
  };
  std::string folder_;
  std::vector<Pattern> patterns_;
};

}  // namespace ranklint::app
