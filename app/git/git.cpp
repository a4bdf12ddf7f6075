#include "app/git/git.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <vector>

#include "app/files/discover.h"
#include "app/files/paths.h"
#include "app/files/read.h"
#include "app/git/process.h"

extern char** environ;

namespace ranklint::app {

namespace fs = std::filesystem;

namespace {

std::string without_end(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

struct Call {
  std::vector<std::string> arguments;
  std::string index = {};  // GIT_INDEX_FILE; empty: as it is
  std::string input = {};  // a file; empty: nothing
};

class Git {
 public:
  Git(std::string cwd, const std::string& scratch)
      : cwd_(std::move(cwd)), out_(scratch + "/out"), err_(scratch + "/err") {}

  // What git prints; outputs go to files, so that neither side waits for the other.
  Result<std::string> operator()(const Call& call) const {
    std::string index = "GIT_INDEX_FILE=" + call.index;
    std::vector<char*> environment;
    for (char** entry = environ; *entry != nullptr; ++entry)
      if (call.index.empty() || !std::string_view(*entry).starts_with("GIT_INDEX_FILE=")) environment.push_back(*entry);
    if (!call.index.empty()) environment.push_back(index.data());
    environment.push_back(nullptr);

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, call.input.empty() ? "/dev/null" : call.input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&files, 2, err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const std::optional<pid_t> child = start_git(cwd_, call.arguments, files, environment.data());
    posix_spawn_file_actions_destroy(&files);
    if (!child) return Error{.message = "git can not be run; is it installed?", .path = {}};
    const std::optional<int> status = exit_status_of(*child);
    if (!status) return Error{.message = "git was lost", .path = {}};
    if (*status == 0) return read_file(out_, UINT64_MAX);
    Result<std::string> why = read_file(err_, UINT64_MAX);
    return Error{.message = "git " + call.arguments.front() + ": " + (why ? without_end(*why) : why.error().message),
                 .path = {}};
  }

 private:
  std::string cwd_, out_, err_;
};

// "a\0b\0"
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\0'), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// Writes the files of an index below the tree's folder.
std::optional<Error> write_files(const SourceTree& tree, const std::string& index) {
  const Git git(tree.root, tree.scratch.path());
  const Result<std::string> listed = git({.arguments = {"ls-files", "-z"}, .index = index});
  if (!listed) return listed.error();
  const std::string list = tree.scratch.path() + "/list";
  {
    std::ofstream file(list, std::ios::binary);
    for (const std::string& path : split(listed.value()))
      if (may_change_sources(name_in(path), false)) file << path << '\0';
  }
  const Result<std::string> written =
      git({.arguments = {"checkout-index", "-q", "-f", "-z", "--stdin", "--prefix=" + tree.folder + "/"},
           .index = index,
           .input = list});
  if (!written) return written.error();
  return std::nullopt;
}

Result<SourceTree> empty_tree(const std::string& cwd) {
  SourceTree tree{.scratch = {}, .root = {}, .folder = {}, .renamed = {}};
  if (tree.scratch.path().empty())
    return Error{.message = "no folder for the other sources can be made", .path = fs::temp_directory_path().string()};
  const Result<std::string> root = Git(cwd, tree.scratch.path())({.arguments = {"rev-parse", "--show-toplevel"}});
  if (!root) return root.error();
  tree.root = without_end(root.value());
  tree.folder = tree.scratch.path() + "/tree";
  std::error_code ignored;
  fs::create_directory(tree.folder, ignored);
  return tree;
}

}  // namespace

Result<SourceTree> tree_of_revision(const std::string& revision, const std::string& cwd, bool renamed_in_index) {
  Result<SourceTree> made = empty_tree(cwd);
  if (!made) return made;
  SourceTree& tree = made.value();
  const Git git(tree.root, tree.scratch.path());
  const Result<std::string> resolved =
      git({.arguments = {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{tree}"}});
  if (!resolved)
    return Error{.message = "git knows no revision `" + revision +
                            "`; in CI a checkout may be shallow: `fetch-depth: 0` on GitHub, GIT_DEPTH=0 on GitLab",
                 .path = {}};
  const std::string id = without_end(resolved.value());
  const std::string index = tree.scratch.path() + "/index";
  if (const auto read = git({.arguments = {"read-tree", id}, .index = index}); !read) return read.error();
  if (const auto error = write_files(tree, index)) return *error;

  std::vector<std::string> diff{"diff", "-M", "--diff-filter=R", "--name-status", "-z", id};
  if (renamed_in_index) diff.insert(diff.begin() + 1, "--cached");
  const Result<std::string> renames = git({.arguments = diff});
  if (!renames) return renames.error();
  const std::vector<std::string> parts = split(renames.value());  // "R100", old, new
  for (size_t i = 0; i + 2 < parts.size(); i += 3) tree.renamed.emplace(parts[i + 1], parts[i + 2]);
  return made;
}

Result<SourceTree> tree_of_index(const std::string& cwd) {
  Result<SourceTree> made = empty_tree(cwd);
  if (!made) return made;
  if (const auto error = write_files(made.value(), "")) return *error;
  return made;
}

}  // namespace ranklint::app
