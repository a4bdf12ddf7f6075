// Whether the program that a function is a part of may shard a model at all, by its text:
//
//     model = FSDP(model)                                          # in a file of the program
//     accelerate launch --use_deepspeed train.py                   # in a launcher that starts its script
//     distributed_type: DEEPSPEED                                  # in a launcher's configuration, for any script
//
// Many calls communicate only if the model is sharded. A launcher may choose that for a script that does not mention
// it. But if neither a file of the program nor a launcher in the project mentions sharding, the model is probably
// whole.
//
// The files of a program are those that share an importer with the function's file: a file that imports the function's,
// directly or not, and all that it imports. What nothing in the project uses is part of none of its programs: only what
// its own file mentions, or what that imports, says anything of it; and that it asks for the kind of the run says
// nothing yet.
#pragma once

#include <vector>

#include "analyzer/program/imports.h"
#include "analyzer/program/used_names.h"
#include "analyzer/resolve/index.h"
#include "analyzer/resolve/models.h"

namespace ranklint {

class ShardingMentions {
 public:
  ShardingMentions(const ProjectIndex& index, const Models& models, const UsedNames& used);

  // Whether a file of a program that the module is part of, or what starts one, names an option of sharding.
  bool reach(ModuleKey module) const { return reached_[module.index]; }
  // The same of a program that uses the function.
  bool reach(FunctionKey f) const;
  // The files of all programs that the module is part of, itself among them.
  std::vector<ModuleKey> files_around(ModuleKey module) const;
  // The module, all that it imports, and all that these import in turn: true for each, by module.
  std::vector<bool> files_below(ModuleKey module) const;
  // Which files import it; one may come twice.
  const std::vector<ModuleKey>& importers_of(ModuleKey module) const { return importers_[module.index]; }
  // The module, the last of the index, is another state of `original`.
  void add_overlay(ModuleKey original) {
    const ModuleKey overlay{static_cast<uint32_t>(imports_.size())};
    imports_.emplace_back(imported_modules(index_, overlay));
    importers_.emplace_back(importers_[original.index]);
    reached_.push_back(reached_[original.index]);
    names_kind_.push_back(names_kind_[original.index]);
  }

 private:
  void find_imports(ModuleKey module);
  void take_choice(const ir::Start& start);
  bool names(const ir::Module& module, NameMeaning meaning) const;
  static void spread(const std::vector<std::vector<ModuleKey>>& edges, std::vector<bool>& reached);

  const ProjectIndex& index_;
  const Models& models_;
  std::vector<std::vector<ModuleKey>> imports_, importers_;  // by module
  std::vector<bool> reached_;                                // by module
  std::vector<bool> names_kind_;  // by module: whether it, or what it imports, names a way to shard models
  const UsedNames& used_;
};

}  // namespace ranklint
