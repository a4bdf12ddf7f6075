// Whether there is anything of what is then gathered as an object:
//
//     if not failures: return                    # on this rank
//     dist.all_gather_object(everywhere, failures)
//
// Objects are gathered because each rank has its own. Then whether a rank has any at all is its own as well, and a rank
// that leaves over it leaves the others in the gather. Read off the text of one function: a name is passed to a gather
// of objects as this rank's contribution, and is tested by itself or by its length before it is given another value.
#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/interp/function_run.h"

namespace ranklint {
namespace {

// In which name an instruction hands an object to a gather. Invalid: it does not.
Symbol name_given(const Roles& roles, const ir::Module& module, const ir::Function& f, const ir::Instruction& i) {
  if (i.kind != ir::InstructionKind::Call) return {};
  const ir::Expr& callee = f.exprs[i.value];
  if (callee.kind != ir::ExprKind::Name && callee.kind != ir::ExprKind::Attribute) return {};
  const RoleEntry* gather = roles.find(module.text(callee.symbol), Role::GathersObjects);
  const int position = gather ? gather->argument.position : -1;
  const auto arguments = ir::arguments(f, i);
  if (position < 0 || arguments.size() <= static_cast<size_t>(position)) return {};
  const ir::Argument& given = arguments[static_cast<size_t>(position)];
  const bool is_name = given.value.valid() && !given.keyword.valid() && f.exprs[given.value].kind == ir::ExprKind::Name;
  return is_name ? f.exprs[given.value].symbol : Symbol{};
}

// Where in the function, in the order of its graph: blocks that come later have higher numbers.
using Moment = std::pair<uint32_t, uint32_t>;

std::map<Symbol, Moment> gathered_objects(const Roles& roles, const ir::Module& module, const ir::Function& f,
                                          const FlowGraph& graph) {
  std::map<Symbol, Moment> given, out;
  for (const ir::BlockId b : graph.order())
    for (uint32_t i = 0; i < f.blocks[b].instructions.size(); ++i) {
      const ir::Instruction& instruction = f.blocks[b].instructions[i];
      const Moment now{graph.position(b), i};
      if (const Symbol name = name_given(roles, module, f, instruction);
          name.valid() && given.emplace(name, now).second)
        out.emplace(name, Moment{UINT32_MAX, 0});
      if (!instruction.target.valid() || f.exprs[instruction.target].kind != ir::ExprKind::Name) continue;
      if (const auto known = out.find(f.exprs[instruction.target].symbol); known != out.end())
        known->second = std::min(known->second, now);
    }
  return out;
}

}  // namespace

bool FunctionRun::is_gathered_object(ir::ExprId e) {
  if (!e.valid() || f_.exprs[e].kind != ir::ExprKind::Name) return false;
  if (!gathered_) gathered_ = gathered_objects(in_.roles(), ir_, f_, out_.graph());
  const auto name = gathered_->find(f_.exprs[e].symbol);
  return name != gathered_->end() && Moment{out_.graph().position(block_), instruction_} < name->second;
}

// `if names:`, `if not names:`. Invalid: the branch asks nothing of the kind.
ValueId FunctionRun::asked_of_gathered(ir::ExprId condition) {
  const ir::Expr& e = f_.exprs[condition];
  if (e.kind == ir::ExprKind::Unary && e.op == ir::Operator::Not) {
    const ValueId asked = asked_of_gathered(ir::children(f_, condition)[0]);
    return asked.valid() ? values_.unary(ir::Operator::Not, asked) : ValueId{};
  }
  if (!is_gathered_object(condition)) return {};
  return values_.binary(ir::Operator::Greater, values_.batch(here().index), values_.integer(0));
}

}  // namespace ranklint
