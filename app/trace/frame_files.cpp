#include "app/trace/frame_files.h"

#include <algorithm>

#include "app/files/paths.h"

namespace ranklint::app {

namespace {

constexpr size_t kLeastElsewhere = 2;  // components, of a file that lies in no folder that was named

size_t components(std::string_view path) { return static_cast<size_t>(std::count(path.begin(), path.end(), '/')) + 1; }

// How many components the paths have in common at their ends.
size_t common_end(std::string_view a, std::string_view b) {
  size_t count = 0;
  for (; !a.empty() && !b.empty(); ++count) {
    if (name_in(a) != name_in(b)) break;
    a = parent_of(a);
    b = parent_of(b);
  }
  return count;
}

}  // namespace

FrameFiles::FrameFiles(std::vector<std::string> files, std::vector<std::string> named, const std::string& cwd) {
  named.push_back(cwd);
  for (std::string& shown : files) {
    std::string absolute = absolute_path(shown, cwd);
    size_t least = 0;
    for (const std::string& folder : named) {
      if (!lies_in(absolute, folder)) continue;
      const size_t below = absolute == folder ? 1 : components(std::string_view(absolute).substr(folder.size() + 1));
      least = least == 0 ? below : std::min(least, below);
    }
    files_.push_back(
        {.shown = std::move(shown), .absolute = std::move(absolute), .least = least == 0 ? kLeastElsewhere : least});
  }
}

std::string_view FrameFiles::file_of(std::string_view frame_file) const {
  std::string_view best;
  size_t longest = 0;
  for (const File& file : files_) {
    const size_t common = common_end(frame_file, file.absolute);
    if (common < file.least || common <= longest) continue;
    best = file.shown;
    longest = common;
  }
  return best;
}

}  // namespace ranklint::app
