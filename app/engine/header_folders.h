// Which headers of the project a file includes, and where they lie: a build system would name the folders, and where
// there is none the project is searched for them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/observed_files.h"

namespace ranklint::app {

// The headers below a folder. Looked for once, and only when a file includes what does not lie at the usual places. May
// be asked from several threads at once.
class HeaderFolders {
 public:
  // `marks`: what `includes_marked` looks for in a header's text.
  HeaderFolders(std::string root, std::shared_ptr<ObservedFiles> files, std::function<bool(std::string_view)> marks)
      : root_(std::move(root)), files_(std::move(files)), marks_(std::move(marks)) {}

  // The folders (absolute) that have to be searched so that what the file includes, and what that includes, is found;
  // by the order in which they are needed. Of several headers of one name it takes the one nearest to the including
  // file.
  std::vector<std::string> folders_of(const std::string& absolute, std::string_view bytes);
  // Whether the file includes a marked header of the project, directly or through other headers. Only the last part of
  // a header's name counts, so two headers of the same name count as one.
  bool includes_marked(std::string_view bytes);

 private:
  struct Header {
    std::vector<std::string> includes = {};  // as its text names them
    bool is_marked = false;
  };
  const Header& header(const std::string& absolute);
  bool is_of_system(const std::string& included);
  void find_marked();
  std::string find(const std::string& included, const std::string& from);
  void find_all();

  std::string root_;
  std::shared_ptr<ObservedFiles> files_;
  std::function<bool(std::string_view)> marks_;
  std::mutex mutex_;
  bool has_looked_ = false;
  std::map<std::string, std::vector<std::string>> by_name_;  // absolute paths
  std::map<std::string, Header> headers_;                    // those that were read, by absolute path
  std::map<std::string, bool> of_system_;                    // by how they are included
  std::optional<std::set<std::string>> marked_;              // last parts of names; none: not looked for yet
};

// What `#include "..."` and `#include <...>` lines name, headers of the C++ library and those that are read through our
// own left out.
std::vector<std::string> includes_in(std::string_view bytes);

}  // namespace ranklint::app
