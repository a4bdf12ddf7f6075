// What callers hand over, by the text of their calls alone.
//
// A summary is made before its callers are known, so a parameter's type comes from its annotation. Where it has none,
// it comes from the calls: a model that was wrapped above the call or before (wrapped_models.h, handed_models.cpp), or
// an object that was made there (handed_objects.cpp). A function within another is handed the variables of that one.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "analyzer/program/wrapped_models.h"
#include "analyzer/resolve/index.h"
#include "analyzer/resolve/models.h"

namespace ranklint {

struct HandedArgument {
  FunctionKey callee;
  uint32_t parameter = 0;  // of the callee, `self` counted
  ir::ExprId value;        // in the caller
};

// The function, class or method of the project that a call names, of `self` or of an object that the text shows the
// class of: the function that runs, and which of its parameters the first argument comes to. Invalid: none.
struct NamedCallee {
  FunctionKey function;
  uint32_t first_parameter = 0;
};
NamedCallee named_callee(const ProjectIndex& index, FunctionKey caller, const ir::Instruction& call);

// The arguments of such a call, each with its parameter. Those after a star are left out.
std::vector<HandedArgument> handed_arguments(const ProjectIndex& index, FunctionKey caller,
                                             const ir::Instruction& call);

// The nearest class that both are or derive from; invalid: none of the project.
ClassKey common_class(const ProjectIndex& index, ClassKey a, ClassKey b);

// Types as the value store writes them; 0: nothing is known.
class HandedTypes {
 public:
  HandedTypes(const ProjectIndex& index, const Models& models) : index_(index), models_(models) {}

  // Of a parameter, and of the elements of the list that it is.
  uint32_t type_of(FunctionKey f, uint32_t parameter) const;
  uint32_t element_type_of(FunctionKey f, uint32_t parameter) const;
  // Of each object that is handed over there, in the order of the text: classes of the project.
  std::vector<ClassKey> classes_of(FunctionKey f, uint32_t parameter) const;
  // Of an attribute that a method gives a wrapped model, where values do not show it: `self.model = FSDP(self.model)`.
  uint32_t type_of_kept(ClassKey c, Symbol attribute) const;
  // Of what the function around `f` gives to a variable of its own; none: it gives it nothing.
  std::optional<uint32_t> type_of_captured(FunctionKey f, Symbol name) const;

  // Whether a function is among those that hand over a wrapped model there, itself or by handing on what it was given.
  bool hands_model(FunctionKey caller, FunctionKey f, uint32_t parameter) const;

  // Reads the modules of the index that it has not read yet. Without that nothing is known of them.
  void read_new_modules();

  // What these modules hand over counts no longer: another state of them is in the index.
  void leave_out(std::set<ModuleKey> modules) { left_out_ = std::move(modules); }

 private:
  struct Site {
    std::vector<ModuleKey> through;  // where it is handed over, and where it was before
    uint32_t type;
    FunctionKey from = {};  // of a wrapped model: the function that passes it on
  };
  // A wrapped model on its way: to a parameter, or to an attribute of the objects of a class.
  struct Handing {
    FunctionKey callee;
    uint32_t parameter = 0;
    WrappedModel model;
    std::vector<ModuleKey> through;
    FunctionKey from;
  };
  using Sites = std::map<std::pair<FunctionKey, uint32_t>, std::vector<Site>>;

  void read_captured(ModuleKey module);
  void read_given_back(uint32_t first_module);
  void read_models(ModuleKey module);
  void hand_on(std::vector<Handing> handings);
  void hand_attribute_on(ClassKey owner, Symbol attribute, const Handing& handing, std::vector<Handing>& handings);
  void hand_on_in_methods(ClassKey c, Symbol attribute, const Handing& handing, std::vector<Handing>& handings);
  void read_objects(ModuleKey module);
  void read_captured_models(FunctionKey outer, std::span<const FunctionKey> inner);
  void read_captured_objects(FunctionKey outer, std::span<const FunctionKey> inner);
  uint32_t agreed(const Sites& sites, FunctionKey f, uint32_t parameter) const;
  bool is_same(ClassKey a, ClassKey b) const;
  bool is_left_out(const Site& site) const {
    return std::ranges::any_of(site.through, [&](ModuleKey m) { return left_out_.contains(m); });
  }

  const ProjectIndex& index_;
  const Models& models_;
  uint32_t modules_read_ = 0;
  Sites models_handed_, objects_handed_, lists_handed_;
  GivenBack given_back_;
  std::map<std::pair<ClassKey, Symbol>, Site>
      models_kept_;  // in attributes that methods of the class give a wrapped model
  std::set<std::pair<ClassKey, Symbol>> attributes_handed_on_;
  std::map<std::pair<FunctionKey, Symbol>, uint32_t> captured_;  // by the function within
  std::set<ModuleKey> left_out_;
};

}  // namespace ranklint
