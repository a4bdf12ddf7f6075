// What callers hand over, by the text of their calls alone.
//
// A summary is made before its callers are known, so a parameter's type comes from its annotation. Where it has none, it
// comes from the calls: a model that was wrapped above the call (handed_models.cpp), or an object that was made there
// (handed_objects.cpp). A function within another is handed the variables of that one.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "analyzer/resolve/index.h"
#include "analyzer/resolve/models.h"

namespace ranklint {

struct HandedArgument {
  FunctionKey callee;
  uint32_t parameter = 0;  // of the callee, `self` counted
  ir::ExprId value;        // in the caller
};

// The arguments of a call whose text names a function, a class or a method of `self` of the project, each with the parameter
// it comes to. Those behind a star are left out.
std::vector<HandedArgument> handed_arguments(const ProjectIndex& index, FunctionKey caller, const ir::Instruction& call);

// The nearest class that both are or derive from; invalid: none of the project.
ClassKey common_class(const ProjectIndex& index, ClassKey a, ClassKey b);

// Types as the value store writes them; 0: nothing is known.
class HandedTypes {
 public:
  HandedTypes(const ProjectIndex& index, const Models& models) : index_(index), models_(models) {}

  // Of a parameter, and of the elements of the list that it is.
  uint32_t type_of(FunctionKey f, uint32_t parameter);
  uint32_t element_type_of(FunctionKey f, uint32_t parameter);
  // Of what the function around `f` gives to a variable of its own; none: it gives it nothing.
  std::optional<uint32_t> type_of_captured(FunctionKey f, Symbol name);

  // What these modules hand over counts no longer: another state of them is in the index.
  void leave_out(std::set<ModuleKey> modules) { left_out_ = std::move(modules); }

 private:
  struct Site {
    ModuleKey module;  // where it is handed over
    uint32_t type;
  };
  using Sites = std::map<std::pair<FunctionKey, uint32_t>, std::vector<Site>>;

  void read_new_modules();
  void read_models(ModuleKey module);
  void read_objects(ModuleKey module);
  void read_captured_models(FunctionKey outer, std::span<const FunctionKey> inner);
  void read_captured_objects(FunctionKey outer, std::span<const FunctionKey> inner);
  uint32_t agreed(const Sites& sites, FunctionKey f, uint32_t parameter) const;
  bool is_same(ClassKey a, ClassKey b) const;

  const ProjectIndex& index_;
  const Models& models_;
  uint32_t modules_read_ = 0;
  Sites models_handed_, objects_handed_, lists_handed_;
  std::map<std::pair<FunctionKey, Symbol>, uint32_t> captured_;  // by the function within
  std::set<FunctionKey> outer_read_;
  std::set<ModuleKey> left_out_;
};

}  // namespace ranklint
