// Whether anything in the project uses a function, or the class that it is a method of, by their names alone:
//
//     class Trainer:                     # a library's: nothing here makes one
//         def save(self): ...
//
// A name counts wherever it is read, also of another thing, and as the end of a dotted text ("package.train:main"). So
// what is used is never called unused, except what is looked up by its bare name as a text. What has a decorator that
// may keep it, and what is no named function, counts as used: a registry, or the file itself, runs it.
#pragma once

#include <vector>

#include "analyzer/resolve/index.h"
#include "analyzer/resolve/models.h"

namespace ranklint {

class UsedNames {
 public:
  UsedNames(const ProjectIndex& index, const Models& models);

  bool are_of(FunctionKey f) const;

 private:
  void read(FunctionKey f);
  FunctionKey outermost(FunctionKey f) const;
  Symbol outermost_name(FunctionKey f) const;
  bool is_read(Symbol name) const { return name.index < read_.size() && read_[name.index]; }

  bool may_be_kept(ClassKey c) const;

  const ProjectIndex& index_;
  const Models& models_;
  std::vector<bool> read_;  // by name
};

}  // namespace ranklint
