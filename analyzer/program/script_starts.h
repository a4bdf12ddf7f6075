// Which programs the project itself starts as several processes, and which as one, where it starts others as several:
//
// A page, a shell script, or a comment has
//
//     torchrun --nproc_per_node=8 train.py
//     python export.py --checkpoint last.pt
//
// or a function is run by processes that are numbered (`mp.spawn`). A function is started as several if one of the
// files that it is part of is. It is known to be started alone if each file that it is part of and that may be run,
// since it has a `__main__` or nothing imports it, is started so, and none of them starts ranks itself or uses a
// library that may, by the files of its folder.
#pragma once

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "analyzer/program/program.h"

namespace ranklint {

class ScriptStarts {
 public:
  // A command that starts a script as one process.
  struct Start {
    FunctionKey within;
    SourceRange range;
  };

  explicit ScriptStarts(const Program& program);

  // Whether anything is started as several processes.
  bool any_several() const { return !several_.empty(); }

  // The command that starts one of the programs that the function is part of. Null: not known to be so.
  const Start* alone(FunctionKey f) const;
  // Whether a command starts one of these programs as several processes.
  bool as_several(FunctionKey f) const;

 private:
  void take(ModuleKey commands, const ir::Start& start);
  void find_processes();
  std::vector<ModuleKey> programs_of(FunctionKey f) const;
  std::vector<bool> own_files(ModuleKey script) const;
  std::vector<bool> name_what_starts_processes() const;

  const Program& program_;
  const ProjectIndex& index_;
  std::map<ModuleKey, Start> alone_;  // by the script
  std::set<ModuleKey> several_;
  std::set<ModuleKey> start_ranks_;  // of those that are started alone, by what they import
};

}  // namespace ranklint
