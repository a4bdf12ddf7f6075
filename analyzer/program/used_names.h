// Whether anything in the project uses a function, or the class that it is a method of, by their names alone:
//
//     class Trainer:                     # a library's: nothing here makes one
//         def save(self): ...
//
// A name counts wherever it is read, also of another thing, and as the end of a dotted text ("package.train:main"). So
// what is used is never called unused, except what is looked up by its bare name as a text. What has a decorator that
// may keep it, and what is no named function, counts as used: a registry, or the file itself, runs it.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "analyzer/resolve/index.h"
#include "analyzer/resolve/models.h"

namespace ranklint {

// The function or method that it lies in, itself where it lies in none.
FunctionKey outermost_of(const ProjectIndex& index, FunctionKey f);

// Calls `see` with each name that the function reads, and each that ends a dotted text of it or is all of one, and with
// what reads it: a name, an attribute or a text. What is given a value, or defined, is not read there.
void each_name_read(const ProjectIndex& index, FunctionKey f, const std::function<void(Symbol, ir::ExprId)>& see);
// "main" of "package.train:main"; empty: the text is not dotted.
std::string_view end_of_dotted(std::string_view text);

class UsedNames {
 public:
  UsedNames(const ProjectIndex& index, const Models& models);

  // Whether anything uses the function, or the class that it is a method of.
  bool may_use(FunctionKey f) const { return is_among(read_, f); }
  // Likewise, also by a text that is no more than its name.
  bool may_look_up(FunctionKey f) const { return is_among(named_, f); }

 private:
  void read(FunctionKey f);
  Symbol outermost_name(FunctionKey f) const;
  bool is_among(const std::vector<bool>& names, FunctionKey f) const;
  bool may_be_kept(ClassKey c) const;

  const ProjectIndex& index_;
  const Models& models_;
  std::vector<bool> read_, named_;  // by name
};

}  // namespace ranklint
