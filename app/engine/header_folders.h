// Where the headers lie that a file includes, for files without a compile command: a build system would name the
// folders, and where there is none the project is searched for them.
#pragma once

#include <map>
#include <memory>
#include <mutex>
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
  HeaderFolders(std::string root, std::shared_ptr<ObservedFiles> files)
      : root_(std::move(root)), files_(std::move(files)) {}

  // The folders (absolute) that have to be searched so that what the file includes, and what that includes, is found;
  // by the order in which they are needed. Of several headers of one name the one nearest to who includes it is meant.
  std::vector<std::string> folders_of(const std::string& absolute, std::string_view bytes);

 private:
  const std::vector<std::string>& includes_of(const std::string& header);
  std::string find(const std::string& included, const std::string& from);
  void find_all();

  std::string root_;
  std::shared_ptr<ObservedFiles> files_;
  std::mutex mutex_;
  bool has_looked_ = false;
  std::map<std::string, std::vector<std::string>> by_name_;   // absolute paths
  std::map<std::string, std::vector<std::string>> includes_;  // by header
};

// What `#include "..."` and `#include <...>` lines name, headers of the C++ library and those that are read through our
// own left out.
std::vector<std::string> includes_in(std::string_view bytes);

}  // namespace ranklint::app
