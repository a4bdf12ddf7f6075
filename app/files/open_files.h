// Files that are open in an editor and that others include, so that these are read with the editor's text and not the
// one on disk; and which files include which. One thread says what is open, while others read files.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ranklint::app {

// All paths as they are shown.
class OpenFiles {
 public:
  using Text = std::shared_ptr<const std::string>;

  // Null: what is on disk counts again.
  void put(const std::string& path, Text text);
  std::map<std::string, Text> texts() const;

  // What a unit included when it was read, in place of what it did before.
  void note_included(const std::string& unit, const std::vector<std::string>& included);
  // The units that include a file, sorted.
  std::vector<std::string> includers(const std::string& path) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Text> texts_;
  // A large project has hundreds of headers in each of hundreds of units: so headers have numbers here.
  std::map<std::string, uint32_t> numbers_;
  std::map<std::string, std::vector<uint32_t>> included_;  // by unit; sorted
};

}  // namespace ranklint::app
