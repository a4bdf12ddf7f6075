#include "analyzer/resolve/source_tree.h"

#include <algorithm>
#include <optional>

#include "analyzer/resolve/builtins.h"

namespace ranklint {
namespace {

// Of the file that makes its folder a package, after the name.
constexpr std::string_view kSuffix = ".py";

std::string_view first_part(std::string_view dotted) { return dotted.substr(0, dotted.find('.')); }

template <typename Visit>
void for_each_import(const ir::Module& module, const Visit& visit) {
  for (const ir::Function& function : module.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (i.kind == ir::InstructionKind::Import) visit(i);
}

}  // namespace

SourceTree::SourceTree(const IdVector<ModuleKey, ir::Module>& modules, const std::vector<std::string>& libraries)
    : libraries_(libraries.begin(), libraries.end()) {
  folders_.push_back({});
  for (uint32_t m = 0; m < modules.size(); ++m) add(ModuleKey{m}, modules[ModuleKey{m}]);
  for (Folder& folder : folders_) folder.is_package = folder.package.valid() && folder.above.valid();
  for (uint32_t m = 0; m < modules.size(); ++m) find_top_packages(ModuleKey{m}, modules[ModuleKey{m}]);
}

bool SourceTree::names_library(std::string_view dotted) const { return libraries_.contains(first_part(dotted)); }

void SourceTree::add_overlay(ModuleKey original) {
  const ModuleLocation place = places_[original];
  places_.push_back(place);
}

SourceTree::FolderId SourceTree::folder_of(std::string_view path) {
  FolderId at{0};
  for (size_t slash; (slash = path.find('/')) != path.npos; path.remove_prefix(slash + 1)) {
    const std::string_view name = path.substr(0, slash);
    if (name.empty() || name == "." || name == "..") continue;
    if (const auto found = folders_[at].folders.find(name); found != folders_[at].folders.end()) {
      at = found->second;
      continue;
    }
    const FolderId next = folders_.push_back({.above = at, .depth = folders_[at].depth + 1});
    folders_[at].folders.emplace(name, next);
    holders_[std::string(name)].push_back(at);
    at = next;
  }
  return at;
}

void SourceTree::add(ModuleKey key, const ir::Module& module) {
  ModuleLocation place{.folder = folder_of(module.path)};
  if (!module.has(ir::Convention::NotImported)) {
    const std::string_view path = module.path;
    const std::string_view file = path.substr(path.rfind('/') + 1);
    place.is_package = file == std::string(name_of(Builtin::Init)).append(kSuffix);
    if (place.is_package) {
      folders_[place.folder].package = key;
    } else {
      std::string name(file.substr(0, file.rfind('.')));
      if (folders_[place.folder].modules.emplace(name, key).second) holders_[std::move(name)].push_back(place.folder);
    }
    for_each_import(module, [&](const ir::Instruction& i) { place.imports_relatively |= i.level > 0; });
  }
  places_.push_back(place);
}

// A package whose own files name a module of it from the package on is no part of the package around it. Where the name
// is a library's, they mean the library.
void SourceTree::find_top_packages(ModuleKey key, const ir::Module& module) {
  for_each_import(module, [&](const ir::Instruction& i) {
    const std::string_view dotted = module.text(i.symbol), top = first_part(dotted);
    if (i.level > 0 || top == dotted || names_library(dotted)) return;
    for (FolderId at = places_[key].folder; folders_[at].above.valid(); at = folders_[at].above) {
      const auto& neighbours = folders_[folders_[at].above].folders;
      if (const auto named = neighbours.find(top); named == neighbours.end() || named->second != at) continue;
      folders_[at].is_top |= below(folders_[at].above, dotted).valid();
    }
  });
}

ModuleKey SourceTree::in_folder(FolderId folder, std::string_view name) const {
  const Folder& in = folders_[folder];
  if (const auto found = in.folders.find(name); found != in.folders.end())
    if (const ModuleKey package = folders_[found->second].package; package.valid()) return package;
  const auto found = in.modules.find(name);
  return found == in.modules.end() ? ModuleKey{} : found->second;
}

ModuleKey SourceTree::below(FolderId folder, std::string_view dotted) const {
  for (size_t dot; (dot = dotted.find('.')) != dotted.npos; dotted.remove_prefix(dot + 1)) {
    const auto found = folders_[folder].folders.find(dotted.substr(0, dot));
    if (found == folders_[folder].folders.end()) return {};
    folder = found->second;
  }
  return in_folder(folder, dotted);
}

// What a folder has of the name if it is on the path. A package's folder is there for the packages that are none of its
// parts, and a library's name stands for a package.
ModuleKey SourceTree::in_root(FolderId folder, std::string_view dotted) const {
  const Folder& root = folders_[folder];
  const auto top = root.folders.find(first_part(dotted));
  const bool has_top = top != root.folders.end();
  if (root.is_package && !(has_top && folders_[top->second].is_top)) return {};
  if (names_library(dotted) && !(has_top && folders_[top->second].package.valid())) return {};
  return below(folder, dotted);
}

ModuleKey SourceTree::absolute(ModuleKey from, std::string_view dotted, ImportReach reach) const {
  const ModuleLocation& place = places_[from];
  if (!place.folder.valid()) return {};
  for (FolderId at = place.folder; at.valid(); at = folders_[at].above)
    if (const ModuleKey found = in_root(at, dotted); found.valid() && found != from) return found;
  if (!place.imports_relatively && !names_library(dotted))
    if (const ModuleKey found = below(place.folder, dotted); found.valid() && found != from) return found;
  return reach == ImportReach::Everywhere ? elsewhere(place.folder, dotted) : ModuleKey{};
}

ModuleKey SourceTree::elsewhere(FolderId own, std::string_view dotted) const {
  const auto holders = holders_.find(first_part(dotted));
  if (holders == holders_.end()) return {};
  const bool is_one_word = dotted.find('.') == dotted.npos;
  ModuleKey best;
  std::pair<uint32_t, uint32_t> distance;  // up to the folder that both lie in, and down from it
  bool is_ambiguous = false;
  for (const FolderId root : holders->second) {
    const FolderId meet = common(own, root);
    if (meet == root) continue;
    const ModuleKey found = in_root(root, dotted);
    // "utils" is a module beside its importer, or a package.
    if (!found.valid() || (is_one_word && !places_[found].is_package)) continue;
    const std::pair here{folders_[own].depth - folders_[meet].depth, folders_[root].depth - folders_[meet].depth};
    if (best.valid() && here > distance) continue;
    is_ambiguous = best.valid() && here == distance && found != best;
    best = found;
    distance = here;
  }
  return is_ambiguous ? ModuleKey{} : best;
}

ModuleKey SourceTree::relative(ModuleKey from, uint32_t level, std::string_view dotted) const {
  FolderId at = places_[from].folder;
  for (uint32_t up = 1; up < level && at.valid(); ++up) at = folders_[at].above;
  if (!at.valid()) return {};
  return dotted.empty() ? folders_[at].package : below(at, dotted);
}

ModuleKey SourceTree::submodule(ModuleKey package, std::string_view name) const {
  const ModuleLocation& place = places_[package];
  return place.is_package ? in_folder(place.folder, name) : ModuleKey{};
}

SourceTree::FolderId SourceTree::common(FolderId a, FolderId b) const {
  while (a != b) {
    FolderId& deeper = folders_[a].depth >= folders_[b].depth ? a : b;
    deeper = folders_[deeper].above;
  }
  return a;
}

}  // namespace ranklint
