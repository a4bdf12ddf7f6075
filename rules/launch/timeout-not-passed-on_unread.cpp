// A function that takes a time-out, reads it nowhere, and makes a call that could take one:
//
//     def start(backend, timeout=timedelta(hours=1)):
//         dist.init_process_group(backend)
//
// A parameter is a time-out if its name ends in the keyword of the calls that make groups. A callee takes one if its
// model says so, or if it is a function of the project with such a parameter that it reads, and that communicates. A
// method that replaces another may have to take what it does not need; so of methods only constructors count.
#include <algorithm>
#include <optional>

#include "analyzer/ir/shared_variable.h"
#include "analyzer/program/handed.h"
#include "analyzer/questions/callee.h"
#include "rules/launch/timeout-names.h"
#include "rules/launch/timeout-not-passed-on.h"

namespace ranklint::timeout_not_passed_on {
namespace {

class UnreadTimeouts {
 public:
  explicit UnreadTimeouts(const Query& in) : in_(in), index_(in.index()), names_(in.roles()) {}

  std::vector<UnreadTimeout> run() {
    in_.for_each_function_to_check("time-outs that are not read", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      const std::optional<Symbol> taken = s && chooses_its_parameters(f) ? unread_parameter(f) : std::nullopt;
      if (taken) find_call(FunctionCode(index_, *s), *taken);
    });
    return std::move(found_);
  }

 private:
  bool chooses_its_parameters(FunctionKey f) const {
    const ClassKey owner = index_.functions()[f].owner;
    return !owner.valid() || index_.find_method(owner, index_.intern("__init__")) == f;
  }

  const ir::Module& text_of(FunctionKey f) const { return index_.modules()[index_.functions()[f].module]; }

  bool reads(FunctionKey f, Symbol parameter) const {
    const ir::Function& function = index_.function(f);
    const auto is_it = [&](Symbol s) { return s == parameter; };
    return std::ranges::any_of(
               function.exprs,
               [&](const ir::Expr& e) { return e.kind == ir::ExprKind::Name && e.symbol == parameter; }) ||
           is_shared_variable(text_of(f), function, is_it);
  }

  std::optional<Symbol> unread_parameter(FunctionKey f) const {
    for (const ir::Parameter& p : index_.function(f).parameters)
      if (names_.name_one(text_of(f).text(p.name)) && !reads(f, p.name)) return p.name;
    return std::nullopt;
  }

  void find_call(const FunctionCode& code, Symbol parameter) {
    for (const ir::BlockId b : code.graph().order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions) {
        if (i.kind != ir::InstructionKind::Call || !is_left_without(code, i)) continue;
        found_.push_back({code.key, std::string(code.text.text(parameter)), i.range,
                          std::string(code.text.text(code.ir.exprs[i.value].symbol))});
        return;
      }
  }

  bool is_left_without(const FunctionCode& code, const ir::Instruction& call) const {
    const ir::ExprKind named = code.ir.exprs[call.value].kind;
    if (gives_more(code.ir, call) || (named != ir::ExprKind::Name && named != ir::ExprKind::Attribute)) return false;
    if (const RoleEntry* role = role_of(in_, code, call, Role::TakesTimeout))
      return !given_for(code, call, *role).valid();
    const FunctionKey callee = named_callee(index_, code.key, call).function;
    const Summary* s = callee.valid() && callee != code.key ? in_.summary(callee) : nullptr;
    if (!s || !s->communicates) return false;
    const std::vector<HandedArgument> handed = handed_arguments(index_, code.key, call);
    const CompactVector<ir::Parameter>& parameters = index_.function(callee).parameters;
    for (uint32_t p = 0; p < parameters.size(); ++p) {
      const bool is_passed = std::ranges::any_of(handed, [&](const HandedArgument& a) { return a.parameter == p; });
      if (!is_passed && names_.name_one(text_of(callee).text(parameters[p].name)) && reads(callee, parameters[p].name))
        return true;
    }
    return false;
  }

  const Query& in_;
  const ProjectIndex& index_;
  const TimeoutNames names_;
  std::vector<UnreadTimeout> found_;
};

}  // namespace

std::vector<UnreadTimeout> unread_timeouts(const Query& in) { return UnreadTimeouts(in).run(); }

}  // namespace ranklint::timeout_not_passed_on
