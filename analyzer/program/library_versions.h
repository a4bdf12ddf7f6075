// Which versions of the libraries a project is written for, by what it states:
//
//     pytorch-lightning==1.9.*           # requirements.txt, pyproject.toml, setup.cfg, environment.yml
//     setup(install_requires=["torch<2"])
//     Trainer(gpus=8)                    # an option that a later version has no more
//
// The statements nearest to a file count: those in its folder, else in the one above, and so on.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/base/library_requirement.h"
#include "analyzer/base/source_range.h"
#include "analyzer/resolve/index.h"
#include "analyzer/resolve/models.h"

namespace ranklint {

class LibraryVersions {
 public:
  struct Statement {
    LibraryRequirement requirement;
    FunctionKey within;
    SourceRange range;
  };

  LibraryVersions(const ProjectIndex& index, const Models& models);

  // A statement by which the function is written for versions that are all older than each of `needed`, which are
  // requirements ("torch>=2.2"). Null: none, or another one beside it allows newer ones alone.
  const Statement* too_old(FunctionKey function, const std::vector<std::string>& needed) const;

 private:
  void find_calls(ModuleKey module, const std::vector<Symbol>& words);
  void take_call(FunctionKey key, const ir::Instruction& call);
  void state(FunctionKey within, const SourceRange& range, std::string_view requirement);

  const ProjectIndex& index_;
  const Roles& roles_;
  std::map<std::string, std::vector<Statement>, std::less<>> in_folder_;  // by its path, "" for the root
};

}  // namespace ranklint
