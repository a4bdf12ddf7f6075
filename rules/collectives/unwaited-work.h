// Whether anybody may wait for what an asynchronous operation has returned.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint::unwaited_work {

// Follows a handle from the place that it is put in: a variable, an attribute, and on into the collections that it is
// added to and the rounds of loops over them. Whatever else is done with it may wait for it. Nobody waits who only asks
// whether there is one, adds it to a collection that nobody looks into, goes over such a one with a variable that
// nobody reads, or empties it.
class HandleUses {
 public:
  explicit HandleUses(const Query& query) : in_(query) {}

  // Whether somebody may wait for what the target of an instruction of `f` receives.
  bool may_wait(FunctionKey f, ir::ExprId target) {
    asked_.clear();
    return put_in(scope_of(f), target);
  }

  // Whether `f` may wait for what an attribute of this name holds.
  bool may_wait_in(FunctionKey f, const std::string& attribute) {
    asked_.clear();
    return used_in(scope_of(f), {{}, attribute});
  }

  // Whether a function inside of `f` names its variable, or others share it.
  bool is_captured(FunctionKey f, const std::string& variable) const { return is_captured(scope_of(f), {f, variable}); }

 private:
  // A variable of one function, or an attribute of whatever object.
  struct Holder {
    FunctionKey function;  // invalid: an attribute
    std::string name;
    friend auto operator<=>(const Holder&, const Holder&) = default;
  };
  struct Scope {
    FunctionKey key;
    ModuleKey module;
    const ir::Module& text;
    const ir::Function& ir;
  };

  Scope scope_of(FunctionKey f) const;
  bool is(const Scope& in, ir::ExprId e, const Holder& holder) const;
  bool mentions(const Scope& in, ir::ExprId e, const Holder& holder) const;
  bool carries(const Scope& in, ir::ExprId e, const Holder& holder) const;
  bool put_in(const Scope& in, ir::ExprId target);
  bool followed(const Holder& holder);
  bool used_in(const Scope& in, const Holder& holder);
  bool used_by(const Scope& in, const ir::Instruction& i, const Holder& holder);
  bool used_by_call(const Scope& in, const ir::Instruction& call, const Holder& holder);
  bool used_by(const Scope& in, const ir::Terminator& t, const Holder& holder);
  bool used_in_test(const Scope& in, ir::ExprId e, const Holder& holder) const;
  bool handed_on(const Scope& in, ir::ExprId value, ir::ExprId target, const Holder& holder);
  bool is_captured(const Scope& in, const Holder& holder) const;

  const Query& in_;
  std::set<Holder> asked_;  // for this handle; none of them has led to anybody yet
};

// What an object has started, in a function that makes it, keeps it to itself and calls no method of it that waits.
struct LooseObject {
  FunctionKey function;
  SourceRange range;         // the call that starts it
  std::string name, method;  // of the variable, and of what is called
  FunctionKey started_in;    // that method
  SourceRange started;       // and where the operation is started in it
};

std::vector<LooseObject> loose_objects(const Query& in);

}  // namespace ranklint::unwaited_work
