#include "app/files/import_search.h"

#include <algorithm>

#include "app/files/paths.h"
#include "app/files/repository.h"

namespace ranklint::app {

std::filesystem::file_type ImportSearch::kind_of(const std::string& path) {
  const auto [entry, is_new] = kinds_.try_emplace(path);
  if (is_new) entry->second = kind_on_disk(path);
  return entry->second;
}

std::string ImportSearch::top_of(const std::string& folder) {
  if (!top_.empty() && lies_in(folder, top_)) return top_;
  const std::string top = top_of_project(folder, cwd_, [this](const std::string& path) { return kind_of(path); });
  return top.empty() ? folder : top;
}

const std::vector<std::string>& ImportSearch::roots_of(const std::string& folder) {
  const auto [entry, is_new] = roots_.try_emplace(folder);
  std::vector<std::string>& roots = entry->second;
  if (!is_new) return roots;
  std::string holder = folder;  // of the outermost package
  while (!holder.empty() && is_file(holder + "/__init__.py")) holder = parent_of(holder);
  const auto add = [&](const std::string& root) {
    if (std::find(roots.begin(), roots.end(), root) == roots.end()) roots.push_back(root);
  };
  add(holder);
  const std::string top = top_of(folder);
  for (std::string at = folder;; at = parent_of(at)) {
    add(at);
    if (is_folder(at + "/src")) add(at + "/src");
    if (at == top || at.empty()) break;
  }
  return roots;
}

std::vector<std::string> ImportSearch::below(const std::string& folder, std::string_view dotted,
                                             const std::vector<std::string>& names) {
  std::vector<std::string> files;
  std::string at = folder;
  while (!dotted.empty()) {
    const size_t end = std::min(dotted.find('.'), dotted.size());
    at.append("/").append(dotted.substr(0, end));
    dotted.remove_prefix(std::min(end + 1, dotted.size()));
    if (is_file(at + "/__init__.py")) {
      files.push_back(at + "/__init__.py");
    } else if (is_file(at + ".py")) {
      files.push_back(at + ".py");
      return files;  // what follows are its attributes
    } else if (!is_folder(at)) {
      return files;
    }
  }
  for (const std::string& name : names) {
    const std::string member = at + "/" + name;
    if (is_file(member + "/__init__.py"))
      files.push_back(member + "/__init__.py");
    else if (is_file(member + ".py"))
      files.push_back(member + ".py");
  }
  return files;
}

// Whether imports of files in the folder never leave it: it is the top of its project, or holds that, and is no
// package.
bool ImportSearch::is_whole(const std::string& folder) {
  const auto [entry, is_new] = whole_.try_emplace(folder);
  if (is_new) entry->second = lies_in(top_of(folder), folder) && !is_file(folder + "/__init__.py");
  return entry->second;
}

bool ImportSearch::stays_in(const std::vector<std::string>& folders, const std::string& file) {
  if (std::ranges::any_of(folders, [&](const std::string& f) { return lies_in(file, f) && is_whole(f); })) return true;
  return std::ranges::all_of(roots_of(std::string(parent_of(file))), [&](const std::string& root) {
    return std::ranges::any_of(folders, [&](const std::string& folder) { return lies_in(root, folder); });
  });
}

std::vector<std::string> ImportSearch::files_of(const Import& import, const std::string& file) {
  std::string folder(parent_of(file));
  if (import.level > 0) {
    for (unsigned up = 1; up < import.level && !folder.empty(); ++up) folder = parent_of(folder);
    std::vector<std::string> files = below(folder, import.module, import.names);
    if (is_file(folder + "/__init__.py")) files.push_back(folder + "/__init__.py");
    return files;
  }
  for (const std::string& root : roots_of(folder))
    if (std::vector<std::string> files = below(root, import.module, import.names); !files.empty()) return files;
  return {};
}

}  // namespace ranklint::app
