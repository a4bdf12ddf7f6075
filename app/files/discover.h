// Which files a check reads: the paths the user names, and below folders every source file that nothing leaves out.
//
// A walk goes through names in order, so that its result does not depend on the file system. It does not follow
// links to folders, which could lead in a circle or out of the project; a link to a file counts only when the file
// itself is not found as well. Folders that hold built or fetched code are left out by name, but a package of the
// user's may have such a name too: `build/` with an `__init__.py` is source.
#pragma once

#include <future>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/ignore.h"

namespace ranklint::app {

struct DiscoveryOptions {
  std::string cwd;  // absolute, as absolute_path gives it
  bool default_excludes = true;
  IgnorePatterns excludes{""};  // of the configuration and the flags
  bool force_exclude = false;   // also for the paths that are named themselves
  bool respect_gitignore = true;
  // The file of git's core.excludesFile, absolute; empty, or not valid: none. Deferred: git is asked for it where a
  // folder is walked, and a run on a named file does not pay for that.
  std::shared_future<std::string> git_excludes;
};

struct DiscoveredFile {
  std::string absolute;
  std::string shown;
  bool is_named = false;  // itself, not a folder that holds it
  friend auto operator<=>(const DiscoveredFile&, const DiscoveredFile&) = default;
};

// Something on the way that could not be read; `reason` as read_file gives it.
struct UnreadablePath {
  std::string shown;
  std::string reason;
};

struct Discovery {
  std::vector<DiscoveredFile> files;        // sorted by `shown`, without repetition
  std::vector<UnreadablePath> unreadable;   // in the order met
  std::vector<std::string> missing;         // named paths that do not exist
  std::vector<std::string> strangers;       // named files that are no source by their name, nor without a suffix
  std::vector<std::string> headers;         // named files that are read with those that include them
  std::vector<std::string> notebooks;       // shown; in folders: they hold code that is not read
  std::vector<std::string> folders;         // absolute; all that were looked into
  std::vector<std::string> configurations;  // absolute; ranklint's own, in folders
};

bool is_header(std::string_view name);

// How the names of sources and headers end.
std::vector<std::string_view> suffixes_of_sources();

// Whether a file of this name is a source of C or C++, CUDA and HIP included, and no header.
bool is_cpp_source(std::string_view name);

// Whether a file of this name is a source, in a folder or where it is named or opened itself.
bool may_be_source(std::string_view name);

// Whether files may be found otherwise, or otherwise read, when something of this name changes: sources, headers,
// .gitignore, and folders that are not left out by their name.
bool may_change_sources(std::string_view name, bool is_folder);

// Whether a file of this name is taken where it is named itself: a source, or a name without a suffix, which a script
// may have.
bool may_be_named(std::string_view name);

// Whether a file that is named itself is left out all the same (`force_exclude`).
bool leaves_out_named(const std::string& absolute, const DiscoveryOptions& options);

Discovery discover(const std::vector<std::string>& paths, const DiscoveryOptions& options);

}  // namespace ranklint::app
