#include "app/files/discover.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "app/files/paths.h"
#include "app/files/read.h"
#include "app/files/repository.h"
#include "frontends/launchers/launchers.h"
#include "frontends/requirements/requirements.h"

namespace ranklint::app {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 9> kCppSuffixes{".c", ".cc", ".cpp", ".cxx", ".c++",
                                                       ".C", ".cu", ".hip", ".cppm"};
constexpr std::array<std::string_view, 8> kOtherSuffixes{".py",    ".pyw",    ".sh",   ".bash",
                                                         ".slurm", ".sbatch", ".yaml", ".yml"};
constexpr std::array<std::string_view, 8> kHeaderSuffixes{".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".cuh"};

// Never source, with any content.
constexpr auto kToolFolders = std::to_array<std::string_view>(
    {".bzr",        ".direnv", ".eggs",    ".git",   ".hg",           ".idea",       ".ipynb_checkpoints",
     ".mypy_cache", ".nox",    ".pants.d", ".pyenv", ".pytest_cache", ".pytype",     ".ranklint_cache",
     ".ruff_cache", ".svn",    ".tox",     ".venv",  ".vscode",       "__pycache__", "__pypackages__",
     "node_modules"});

// Built or fetched, unless they are packages.
constexpr auto kBuildFolders = std::to_array<std::string_view>(
    {"_build", "buck-out", "build", "dist", "env", "site-packages", "venv", "virtualenv"});

// Read when they are named; a folder may hold many that are of no interest.
constexpr std::array<std::string_view, 1> kNamedSuffixes{".pyi"};

constexpr std::string_view kNotebookSuffix = ".ipynb";

bool ends_with_one_of(std::string_view name, auto& suffixes) {
  return std::any_of(suffixes.begin(), suffixes.end(), [&](std::string_view suffix) { return name.ends_with(suffix); });
}

bool is_one_of(std::string_view name, auto& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_source(std::string_view name) {
  return is_cpp_source(name) || ends_with_one_of(name, kOtherSuffixes) || may_require(name) || may_launch(name);
}

// A virtual environment of any name has it.
constexpr std::string_view kMarkOfEnvironment = "pyvenv.cfg";

bool left_out_by_name(const std::string& folder) {
  const std::string_view name = name_in(folder);
  if (is_one_of(name, kToolFolders)) return true;
  std::error_code ignored;
  return is_one_of(name, kBuildFolders) && !fs::exists(folder + "/__init__.py", ignored);
}

bool is_environment(const std::string& folder) {
  std::error_code ignored;
  return fs::exists(folder + "/" + std::string(kMarkOfEnvironment), ignored);
}

constexpr std::string_view kGitignore = ".gitignore";

constexpr std::array<std::string_view, 2> kOwnConfigurations{"ranklint.toml", ".ranklint.toml"};

// The .gitignore files that are in force in a folder, the outermost first.
using GitignoreStack = std::vector<std::shared_ptr<const IgnorePatterns>>;

// What a file says about what lies in the folder.
void push_patterns(GitignoreStack& stack, const std::string& folder, const std::string& file) {
  Result<std::string> text = read_file(file, uint64_t{1} << 20);
  if (!text) return;
  IgnorePatterns patterns(folder);
  patterns.add_text(text.value());
  if (!patterns.empty()) stack.push_back(std::make_shared<const IgnorePatterns>(std::move(patterns)));
}

void push_gitignore(GitignoreStack& stack, const std::string& folder) {
  push_patterns(stack, folder, folder + "/" + std::string(kGitignore));
}

// The innermost file that has a say decides.
bool ignored_by_git(const GitignoreStack& stack, std::string_view path, bool is_folder) {
  for (auto patterns = stack.rbegin(); patterns != stack.rend(); ++patterns)
    if (const std::optional<bool> decision = (*patterns)->decide(path, is_folder)) return *decision;
  return false;
}

// What holds in the whole repository: the user's own file, then the repository's.
GitignoreStack gitignores_of_repository(const std::string& top, const DiscoveryOptions& options) {
  GitignoreStack stack;
  if (options.git_excludes.valid())
    if (const std::string& file = options.git_excludes.get(); !file.empty()) push_patterns(stack, top, file);
  push_patterns(stack, top, top + "/.git/info/exclude");
  return stack;
}

// The .gitignore files from the top of the repository down to, but without, the folder itself.
GitignoreStack gitignores_above(const std::string& folder, const DiscoveryOptions& options) {
  const std::string top = repository_around(folder);
  if (top.empty()) return {};
  GitignoreStack stack = gitignores_of_repository(top, options);
  for (size_t end = top.size(); end < folder.size(); end = std::min(folder.find('/', end + 1), folder.size()))
    push_gitignore(stack, folder.substr(0, end));
  return stack;
}

// Whether git leaves out the path or a folder around it.
bool git_leaves_out(const std::string& path, bool is_folder, const DiscoveryOptions& options) {
  const std::string top = repository_around(std::string(parent_of(path)));
  if (top.empty()) return false;
  GitignoreStack stack = gitignores_of_repository(top, options);
  for (size_t end = top.size(); end < path.size();) {
    push_gitignore(stack, path.substr(0, end));
    end = std::min(path.find('/', end + 1), path.size());
    if (ignored_by_git(stack, path.substr(0, end), end < path.size() || is_folder)) return true;
  }
  return false;
}

class Walk {
 public:
  explicit Walk(const DiscoveryOptions& options) : options_(options) {}

  void add_root(const std::string& path);
  Discovery finish();

 private:
  struct Folder {
    std::string path;
    GitignoreStack gitignores;
  };

  void walk(const std::string& root);
  void visit(const fs::directory_entry& entry, const Folder& parent, std::vector<Folder>& below);
  bool left_out(const std::string& path, bool is_folder, const GitignoreStack& gitignores) const;
  void unreadable(const std::string& path, const std::error_code& error);

  const DiscoveryOptions& options_;
  std::vector<std::string> files_;
  std::set<std::string> named_;     // those among them that are named themselves
  std::vector<std::string> links_;  // links to files; kept if what they lead to is not in files_
  Discovery found_;
};

void Walk::unreadable(const std::string& path, const std::error_code& error) {
  found_.unreadable.push_back({shown_path(path, options_.cwd), reason_of(error)});
}

bool Walk::left_out(const std::string& path, bool is_folder, const GitignoreStack& gitignores) const {
  if (is_folder && options_.default_excludes && left_out_by_name(path)) return true;
  if (options_.excludes.decide(path, is_folder).value_or(false)) return true;
  return options_.respect_gitignore && ignored_by_git(gitignores, path, is_folder);
}

void Walk::visit(const fs::directory_entry& entry, const Folder& parent, std::vector<Folder>& below) {
  const std::string path = entry.path().string();
  std::error_code error;
  const bool is_link = entry.is_symlink(error);
  if (error) return unreadable(path, error);
  if (!is_link && entry.is_directory(error)) {
    if (!left_out(path, true, parent.gitignores)) below.push_back({path, parent.gitignores});
    return;
  }
  const bool is_notebook = path.ends_with(kNotebookSuffix);
  if ((!is_source(path) && !is_notebook) || left_out(path, false, parent.gitignores)) return;
  if (is_notebook) {
    found_.notebooks.push_back(shown_path(path, options_.cwd));
  } else if (!is_link) {
    files_.push_back(path);
  } else if (!fs::is_directory(path, error)) {
    links_.push_back(path);
  }
}

void Walk::walk(const std::string& root) {
  std::vector<Folder> open;
  open.push_back({root, options_.respect_gitignore ? gitignores_above(root, options_) : GitignoreStack()});
  while (!open.empty()) {
    Folder folder = std::move(open.back());
    open.pop_back();
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator at(folder.path.empty() ? "/" : folder.path, error), end; !error && at != end;
         at.increment(error))
      entries.push_back(*at);
    if (error) unreadable(folder.path, error);
    // Said by the list of names: asking for each of them in each folder costs more than the walk.
    const auto holds = [&](std::string_view name) {
      return std::ranges::any_of(entries, [&](const auto& entry) { return name_in(entry.path().native()) == name; });
    };
    if (options_.default_excludes && folder.path != root && holds(kMarkOfEnvironment)) continue;
    if (options_.respect_gitignore && holds(kGitignore)) push_gitignore(folder.gitignores, folder.path);
    found_.folders.push_back(folder.path);
    for (const std::string_view name : kOwnConfigurations)
      if (holds(name)) found_.configurations.push_back(folder.path + "/" + std::string(name));
    // In reverse, because the folders below are taken from the end. All lie in one folder, so that
    // their texts can be compared.
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return b.path().native() < a.path().native(); });
    for (const fs::directory_entry& entry : entries) visit(entry, folder, open);
  }
}

void Walk::add_root(const std::string& path) {
  const std::string absolute = absolute_path(path, options_.cwd);
  std::error_code error;
  const fs::file_status status = fs::status(absolute.empty() ? "/" : absolute, error);
  if (status.type() == fs::file_type::not_found) {
    found_.missing.push_back(path);
    return;
  }
  if (error) return unreadable(absolute, error);
  const bool is_folder = fs::is_directory(status);
  if (leaves_out_named(absolute, options_)) return;
  if (is_folder) {
    walk(absolute);
  } else if (may_be_named(name_in(absolute))) {
    files_.push_back(absolute);
    named_.insert(absolute);
  } else {
    (is_header(absolute) ? found_.headers : found_.strangers).push_back(path);
  }
}

Discovery Walk::finish() {
  std::sort(files_.begin(), files_.end());
  files_.erase(std::unique(files_.begin(), files_.end()), files_.end());
  // One link for each file that is reached through links alone: the first by name.
  std::map<std::string, std::string> by_target;
  std::sort(links_.begin(), links_.end());
  for (const std::string& link : links_) {
    std::error_code error;
    const std::string target = fs::canonical(link, error).string();
    if (error) {
      unreadable(link, error);
    } else if (!std::binary_search(files_.begin(), files_.end(), target)) {
      by_target.emplace(target, link);
    }
  }
  for (auto& [target, link] : by_target) files_.push_back(link);
  for (const std::string& file : files_)
    found_.files.push_back({file, shown_path(file, options_.cwd), named_.contains(file)});
  std::sort(found_.files.begin(), found_.files.end(),
            [](const DiscoveredFile& a, const DiscoveredFile& b) { return a.shown < b.shown; });
  found_.files.erase(std::unique(found_.files.begin(), found_.files.end()), found_.files.end());
  return std::move(found_);
}

}  // namespace

std::vector<std::string_view> suffixes_of_sources() {
  std::vector<std::string_view> all(kCppSuffixes.begin(), kCppSuffixes.end());
  all.insert(all.end(), kOtherSuffixes.begin(), kOtherSuffixes.end());
  all.insert(all.end(), kNamedSuffixes.begin(), kNamedSuffixes.end());
  all.insert(all.end(), kHeaderSuffixes.begin(), kHeaderSuffixes.end());
  return all;
}

bool is_cpp_source(std::string_view name) { return ends_with_one_of(name, kCppSuffixes); }

bool may_be_source(std::string_view name) { return is_source(name) || ends_with_one_of(name, kNamedSuffixes); }

bool may_be_named(std::string_view name) { return may_be_source(name) || name.find('.', 1) == std::string_view::npos; }

bool is_header(std::string_view name) { return ends_with_one_of(name, kHeaderSuffixes); }

bool may_change_sources(std::string_view name, bool is_folder) {
  if (is_folder) return !is_one_of(name, kToolFolders);
  return is_source(name) || name == kGitignore || is_header(name);
}

bool leaves_out_named(const std::string& absolute, const DiscoveryOptions& options) {
  if (!options.force_exclude) return false;
  std::error_code ignored;
  const bool is_folder = fs::is_directory(absolute, ignored);
  if (options.excludes.leaves_out(absolute, is_folder)) return true;
  if (options.default_excludes && !is_folder)
    for (std::string folder(parent_of(absolute)); !folder.empty(); folder = parent_of(folder))
      if (lies_in(folder, options.cwd) && folder != options.cwd && (left_out_by_name(folder) || is_environment(folder)))
        return true;
  return options.respect_gitignore && git_leaves_out(absolute, is_folder, options);
}

Discovery discover(const std::vector<std::string>& paths, const DiscoveryOptions& options) {
  Walk walk(options);
  for (const std::string& path : paths) walk.add_root(path);
  return walk.finish();
}

}  // namespace ranklint::app
