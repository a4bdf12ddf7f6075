// The folders of a project, and the module that an import means in them.
//
// Python looks a module up in the folders of `sys.path`: that of the script that was started, PYTHONPATH, and where
// packages are installed. A project does not write these down, so they are read off its tree (The Python Language
// Reference, 5: "The import system"):
//
//   - a folder without an `__init__.py` is a root: a script in it sees its modules, and so does what lies below it;
//   - a package's folder is one for a package in it whose own files name it first;
//   - the folder of the importing file is one, unless the file imports relatively: it is then no script.
//
// The roots around the importing file count first, from its own folder outwards. Otherwise the nearest root elsewhere
// in the tree counts: a folder of sources, or the folder that a package is installed from. If two are equally near, as
// two copies of one program may be, the name is not resolved.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/ir/ir.h"
#include "analyzer/resolve/keys.h"

namespace ranklint {

// Where a name is looked for: in the roots around the importing file, or in those elsewhere as well.
enum class ImportReach { Around, Everywhere };

class SourceTree {
 public:
  // `libraries`: packages that are installed, whatever folder of the project has their name.
  SourceTree(const IdVector<ModuleKey, ir::Module>& modules, const std::vector<std::string>& libraries);
  // The next module, another state of `original`, stands where that one stands; no import means it.
  void add_overlay(ModuleKey original);

  // The module that `import dotted` in `from` means. Invalid: none of the project, or two are equally near.
  ModuleKey absolute(ModuleKey from, std::string_view dotted, ImportReach reach) const;
  // The same after `level` dots, at least one.
  ModuleKey relative(ModuleKey from, uint32_t level, std::string_view dotted) const;
  // Whether it is what a package's name stands for.
  bool is_package(ModuleKey module) const { return places_[module].is_package; }
  // The module of this name in the folder of a package. Invalid: there is none, or `package` is no package.
  ModuleKey submodule(ModuleKey package, std::string_view name) const;

 private:
  using FolderId = Id<struct FolderTag>;
  // An installed library takes precedence over a folder without an `__init__.py`. A file that shares the library's name
  // means the library when it imports that name.
  bool names_library(std::string_view dotted) const;
  struct Folder {
    FolderId above{};
    uint32_t depth = 0;
    ModuleKey package{};      // its `__init__.py`
    bool is_package = false;  // has one, and is not the folder that all others lie in: whose name is not known
    bool is_top = false;      // a package that its own files name first
    std::map<std::string, FolderId, std::less<>> folders{};
    std::map<std::string, ModuleKey, std::less<>> modules{};
  };
  struct ModuleLocation {
    FolderId folder{};
    bool is_package = false;
    bool imports_relatively = false;
  };

  FolderId folder_of(std::string_view path);
  void add(ModuleKey key, const ir::Module& module);
  void find_top_packages(ModuleKey key, const ir::Module& module);
  ModuleKey below(FolderId folder, std::string_view dotted) const;
  ModuleKey in_folder(FolderId folder, std::string_view name) const;
  ModuleKey in_root(FolderId folder, std::string_view dotted) const;
  ModuleKey elsewhere(FolderId own, std::string_view dotted) const;
  FolderId common(FolderId a, FolderId b) const;

  const std::set<std::string, std::less<>> libraries_;
  IdVector<FolderId, Folder> folders_;
  IdVector<ModuleKey, ModuleLocation> places_;
  std::map<std::string, std::vector<FolderId>, std::less<>> holders_;  // the folders that have something of a name
};

}  // namespace ranklint
