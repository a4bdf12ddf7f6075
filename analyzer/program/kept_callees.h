// Functions and objects that are put into a table or a list in one place and called out of it in another:
//
//     HOOKS = {}
//     def register(name):                     @register("epoch_end")
//         def keep(function):                 def gather(metrics): ...
//             HOOKS[name] = function
//             return function                 HOOKS["epoch_end"](metrics)
//         return keep
//
// What is read is the text alone: what a function puts into a variable of a module, or into an attribute of its object,
// and what is handed to that function by a call or as a decorator. Other code may put in more.
#pragma once

#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "analyzer/resolve/index.h"
#include "analyzer/resolve/roles.h"

namespace ranklint {

// A function, a class, or an object of a class.
struct KeptCallee {
  Symbol key;  // the text that it is kept under; invalid: it is not known, or there is none
  FunctionKey function;
  ClassKey klass;
  bool is_object = false;
  friend auto operator<=>(const KeptCallee&, const KeptCallee&) = default;
};

class KeptCallees {
 public:
  // Without what these modules put anywhere: another state of them is in the index.
  KeptCallees(const ProjectIndex& index, const Roles& roles, const std::set<ModuleKey>& left_out);

  std::span<const KeptCallee> in_variable(ModuleKey module, Symbol name) const {
    return in(Storage{true, module.index, name});
  }
  // Of the objects of the class itself, without those of its bases.
  std::span<const KeptCallee> in_attribute(ClassKey owner, Symbol name) const {
    return in(Storage{false, owner.index, name});
  }

 private:
  friend class KeptReader;
  struct Storage {
    bool is_variable = false;
    uint32_t owner = 0;
    Symbol name;
    friend auto operator<=>(const Storage&, const Storage&) = default;
  };
  std::span<const KeptCallee> in(const Storage& place) const {
    const auto found = kept_.find(place);
    return found == kept_.end() ? std::span<const KeptCallee>() : std::span<const KeptCallee>(found->second);
  }

  std::map<Storage, std::vector<KeptCallee>> kept_;
};

}  // namespace ranklint
