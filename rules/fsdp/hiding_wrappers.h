// Which variables hold a model in a wrapper that hides the members of the model:
//
//     if args.distributed:
//         self.model = DDP(self.model)      # from here on `self.model` may hold the wrapper, in other methods, too
//     train(self.model)                     # and so may the parameter of `train`
//
// The search begins at the calls that wrap (Role::HidesMembers) and follows the text: the definitions that reach a
// place, the attributes of an object, what functions return and what they are given. It ends where code asks what the
// variable holds, or for an option under which it is wrapped (wrapper_questions.h), and where the model is taken out of
// the wrapper again. In an attribute the wrapper is only for places that no call is seen to reach before.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/program/call_places.h"
#include "analyzer/summary/watched.h"
#include "rules/fsdp/wrapper_questions.h"

namespace ranklint {

struct HeldWrapper {
  Site made_at;
  SourceRange range;  // of the call that wraps
  const RoleEntry* wrapper = nullptr;
  ValueId model;                     // what is wrapped, in the terms of that call's function
  bool is_of_job = false;            // the call communicates: where there is one process, nothing is wrapped
  bool in_some_runs = false;         // the call wraps in some set-ups only, and does not say so
  std::vector<std::string> options;  // names that the branches above the wrapping ask for
  ValueId condition;                 // where it is wrapped, in the terms of the function that asks; invalid: not known
};

class HidingWrappers {
 public:
  // Of the calls that are watched for.
  explicit HidingWrappers(const Query& in);

  // Those in which a variable may hold one.
  const std::set<FunctionKey>& functions() const { return functions_; }
  // What the expression holds where the instruction begins. Nothing: no wrapper is seen, or the code asks.
  std::optional<HeldWrapper> held(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const;

 private:
  static constexpr uint32_t kWhole = UINT32_MAX;  // and no element of a tuple
  using Trail = std::vector<std::pair<FunctionKey, ProgramPoint>>;
  struct Kept {
    FunctionKey method;
    ProgramPoint place;
    HeldWrapper held;
  };
  // What runs before an attribute is given a wrapper.
  struct Before {
    std::set<FunctionKey> called;
    std::map<FunctionKey, std::vector<ProgramPoint>> above;  // what leads there, and where it does
  };

  std::optional<HeldWrapper> held(const FunctionCode& code, ir::ExprId e, ProgramPoint at, Trail& trail) const;
  std::optional<HeldWrapper> given_by(const FunctionCode& code, const Definition& d, ir::ExprId e, Trail& trail) const;
  std::optional<HeldWrapper> made_by(const FunctionCode& code, ProgramPoint place, uint32_t element,
                                     Trail& trail) const;
  std::optional<HeldWrapper> wrapped_by(const FunctionCode& code, const Site& site, const WatchedCall& call,
                                        uint32_t element) const;
  std::optional<HeldWrapper> returned_to(const FunctionCode& code, ProgramPoint call, FunctionKey callee,
                                         uint32_t element, Trail& trail) const;
  ValueId condition_above(const FunctionCode& code, ir::BlockId block) const;
  std::optional<HeldWrapper> returned_by(FunctionKey f, uint32_t element, Trail& trail) const;
  std::optional<HeldWrapper> before_all(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const;
  std::optional<HeldWrapper> kept_for(const FunctionCode& code, ir::ExprId attribute, ProgramPoint at) const;
  const RoleEntry* wrapper_of(const WatchedCall& call) const;
  bool is_told_to_shard(ValueId object) const;
  bool is_model(const FunctionCode& code, ir::ExprId given, ValueId value) const;
  // The element of a target that the variable is; nothing: it is none of them.
  std::optional<uint32_t> element_given(const FunctionCode& code, ir::ExprId target, ir::ExprId variable) const;

  void look(FunctionKey f);
  void look_at_call(const FunctionCode& code, ProgramPoint place);
  void keep(const FunctionCode& code, ProgramPoint place);
  void keep_in(const FunctionCode& code, ProgramPoint place, ir::ExprId attribute);
  void ask_again(FunctionKey f);
  void ask_methods_again(ClassKey owner);

  FunctionKey method_around(FunctionKey f) const;
  bool is_taken_out_again(ClassKey owner, Symbol attribute) const;
  const Before& before(const Kept& kept) const;
  bool runs_before(const FunctionCode& code, ProgramPoint at, const Kept& kept) const;
  void add_called(FunctionKey caller, const ProgramPoint* before, std::set<FunctionKey>& called) const;
  const CallPlaces& places() const;

  const Query& in_;
  const ProjectIndex& index_;
  WrapperQuestions questions_{in_};
  std::set<FunctionKey> functions_, open_;
  std::map<FunctionKey, int> times_looked_;
  std::map<std::pair<ClassKey, Symbol>, std::vector<Kept>> kept_;
  std::map<std::pair<FunctionKey, uint32_t>, HeldWrapper> handed_;  // by parameter
  mutable std::optional<CallPlaces> places_;
  mutable std::map<std::pair<FunctionKey, ProgramPoint>, Before> before_;  // by where the attribute is given it
};

}  // namespace ranklint
