// Runs git, and brings the sources of a revision or of the index into a folder of their own.
//
// git writes them itself (read-tree, checkout-index), so that they are what a checkout would hold; only files that a
// check may read are written. The user's index and work tree are not touched. A revision is resolved to a tree first,
// so that it cannot be taken for a flag.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "analyzer/base/result.h"
#include "app/git/scratch.h"

namespace ranklint::app {

struct SourceTree {
  ScratchFolder scratch;
  std::string root;    // of the work tree, absolute
  std::string folder;  // where the files lie as they do below `root`
  std::map<std::string, std::string>
      renamed;  // old to new path from the root, where git sees a file under another name
};

// What stands in a revision, with the names that files have by now: in the work tree, or in the index.
Result<SourceTree> tree_of_revision(const std::string& revision, const std::string& cwd, bool renamed_in_index);

// What would be committed.
Result<SourceTree> tree_of_index(const std::string& cwd);

}  // namespace ranklint::app
