#include "rules/fsdp/wrapper_questions.h"

#include <algorithm>

#include "analyzer/flow/deciding_branch.h"
#include "analyzer/flow/side_of_branch.h"
#include "analyzer/program/wrapped_models.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"

namespace ranklint {
namespace {

ProgramPoint before_end(const FunctionCode& code, ir::BlockId block) {
  return {block, static_cast<uint32_t>(code.ir.blocks[block].instructions.size())};
}

// The branches that decide whether the block is reached, innermost first, until `is_such` takes one.
template <typename IsSuch>
bool any_branch_above(const FunctionCode& code, ir::BlockId block, const IsSuch& is_such) {
  const FlowGraph& graph = code.graph();
  for (ir::BlockId above = graph.dominator(block); above.valid(); above = graph.dominator(above))
    if (code.ir.blocks[above].terminator.kind == ir::TerminatorKind::Branch && decides(graph, above, block) &&
        is_such(above))
      return true;
  return false;
}

}  // namespace

bool WrapperQuestions::is_same(const FunctionCode& code, ir::ExprId a, ir::ExprId b) const {
  if (!ir::is_dotted(code.ir, a) || !ir::is_dotted(code.ir, b)) return false;
  const ir::Expr &x = code.ir.exprs[a], &y = code.ir.exprs[b];
  if (x.kind != y.kind || x.symbol != y.symbol) return false;
  return x.kind == ir::ExprKind::Name ||
         (own_attribute(index_, code.key, a).valid() && own_attribute(index_, code.key, b).valid());
}

std::vector<std::string> WrapperQuestions::options_above(const FunctionCode& code, ir::BlockId block) const {
  std::vector<std::string> options;
  any_branch_above(code, block, [&](ir::BlockId above) {
    for (std::string& name : names_asked(code, code.ir.blocks[above].terminator.value, before_end(code, above)))
      options.push_back(std::move(name));
    return false;
  });
  return options;
}

// What a call answers goes by the name of what is called.
std::vector<std::string> WrapperQuestions::names_asked(const FunctionCode& code, ir::ExprId condition,
                                                       ProgramPoint at) const {
  std::vector<std::string> names;
  mention_names(code.ir, code.text, condition, names);
  std::erase_if(names, [](const std::string& name) { return SymbolTable::is_unnamed(name); });
  for (const ir::Instruction* call : calls_asked(code, condition, at)) names.emplace_back(name_of_callee(code, *call));
  std::erase(names, std::string());
  return names;
}

// The calls that stand in the condition itself.
std::vector<const ir::Instruction*> WrapperQuestions::calls_asked(const FunctionCode& code, ir::ExprId condition,
                                                                  ProgramPoint at) const {
  std::vector<const ir::Instruction*> calls;
  ir::any_part(code.ir, condition, [&](ir::ExprId part) {
    const std::optional<Definition> by =
        SymbolTable::is_unnamed(code.name(part)) ? code.only_definition(part, at) : std::nullopt;
    if (by && by->instruction->kind == ir::InstructionKind::Call) calls.push_back(by->instruction);
    return false;
  });
  return calls;
}

bool WrapperQuestions::stand_above(const FunctionCode& code, ir::BlockId block, ir::ExprId variable,
                                   const Site& wrapped_at, const std::vector<std::string>& options) const {
  const FlowGraph& graph = code.graph();
  if (in_.program().set_ups().deny(graph, code.key, block) || expects_failure(code, block, variable) ||
      is_fallback(code, block, variable) || is_asserted(code, block, variable, options))
    return true;
  return any_branch_above(code, block, [&](ir::BlockId above) {
    const ir::ExprId condition = code.ir.blocks[above].terminator.value;
    const std::optional<bool> side = side_of_branch(graph, code.ir, above, block);
    if (side && is_taken_beside(code, variable, above, *side)) return true;
    // On the side where it is wrapped.
    const bool is_there =
        side && wrapped_at.function == code.key && side == side_of_branch(graph, code.ir, above, wrapped_at.block);
    return asks(code, condition, before_end(code, above), variable, is_there ? std::vector<std::string>() : options);
  });
}

// Whether the condition asks what the variable holds, or for one of the options.
bool WrapperQuestions::asks(const FunctionCode& code, ir::ExprId condition, ProgramPoint at, ir::ExprId variable,
                            const std::vector<std::string>& options) const {
  const auto is_option = [&](const std::string& name) { return std::ranges::find(options, name) != options.end(); };
  return asks_what_is(code, variable, condition, at) || hands_over(code, condition, at, variable) ||
         std::ranges::any_of(names_asked(code, condition, at), is_option);
}

bool WrapperQuestions::is_asserted(const FunctionCode& code, ir::BlockId block, ir::ExprId variable,
                                   const std::vector<std::string>& options) const {
  for (ir::BlockId b = block; b.valid(); b = code.graph().dominator(b)) {
    const auto& instructions = code.ir.blocks[b].instructions;
    for (uint32_t i = 0; i < instructions.size(); ++i)
      if (instructions[i].kind == ir::InstructionKind::Assert &&
          asks(code, instructions[i].value, {b, i}, variable, options))
        return true;
  }
  return false;
}

bool WrapperQuestions::stand_in(const FunctionCode& code, ir::ExprId whole, ProgramPoint at, ir::ExprId variable,
                                const std::vector<std::string>& options) const {
  const bool is_choice = ir::any_part(code.ir, whole, [&](ir::ExprId part) {
    const ir::ExprKind kind = code.ir.exprs[part].kind;
    return kind == ir::ExprKind::And || kind == ir::ExprKind::Or || kind == ir::ExprKind::Conditional;
  });
  if (!is_choice) return false;
  std::vector<std::string> names;
  mention_names(code.ir, code.text, whole, names);
  return asks_what_is(code, variable, whole, at) ||
         ir::any_part(code.ir, whole, [&](ir::ExprId part) { return is_wrapped_of(code, part, variable); }) ||
         std::ranges::any_of(
             names, [&](const std::string& name) { return std::ranges::find(options, name) != options.end(); });
}

bool WrapperQuestions::asks_what_is(const FunctionCode& code, ir::ExprId variable, ir::ExprId condition,
                                    ProgramPoint at) const {
  const Derivation from = derivation_of(code, condition, at);
  return std::ranges::any_of(from.calls, [&](const ProgramPoint& p) {
    const ir::Instruction& call = code.instruction(p);
    return plays(in_, code, call, Role::TestsModel) &&
           any_part_read(code.ir, call, [&](ir::ExprId part) { return is_same(code, part, variable); });
  });
}

// Whether the condition is what a function says of the variable: `if is_parallel(model)`.
bool WrapperQuestions::hands_over(const FunctionCode& code, ir::ExprId condition, ProgramPoint at,
                                  ir::ExprId variable) const {
  return std::ranges::any_of(calls_asked(code, condition, at), [&](const ir::Instruction* call) {
    return std::ranges::any_of(ir::arguments(code.ir, *call),
                               [&](const ir::Argument& a) { return is_same(code, a.value, variable); });
  });
}

// Whether a handler around the block takes the failure of a member that is missing, or takes the model out of the
// wrapper.
bool WrapperQuestions::expects_failure(const FunctionCode& code, ir::BlockId block, ir::ExprId variable) const {
  std::set<ir::BlockId> seen;
  for (ir::BlockId head = code.ir.blocks[block].handler; head.valid() && seen.insert(head).second;
       head = code.ir.blocks[head].handler)
    if (is_taken_under(code, variable, head) || std::ranges::any_of(code.graph().order(), [&](ir::BlockId b) {
          return code.graph().dominates(head, b) && takes_failure(code, b);
        }))
      return true;
  return false;
}

// Whether the block runs where taking the model out of the wrapper has failed.
bool WrapperQuestions::is_fallback(const FunctionCode& code, ir::BlockId block, ir::ExprId variable) const {
  const auto& order = code.graph().order();
  return std::ranges::any_of(order, [&](ir::BlockId b) {
    const ir::BlockId head = code.ir.blocks[b].handler;
    return head.valid() && is_taken_in(code, variable, b) && std::ranges::any_of(order, [&](ir::BlockId begin) {
             return code.graph().dominates(head, begin) && code.graph().dominates(begin, block) &&
                    takes_failure(code, begin);
           });
  });
}

// Whether the block begins a handler that takes it and does not raise it again.
bool WrapperQuestions::takes_failure(const FunctionCode& code, ir::BlockId block) const {
  const auto& instructions = code.ir.blocks[block].instructions;
  if (instructions.empty() || instructions[0].kind != ir::InstructionKind::Catch) return false;
  // What a `with` does on the way of an exception.
  if (instructions.size() > 1 && instructions[1].kind == ir::InstructionKind::ExitWith) return false;
  const bool takes = !instructions[0].value.valid() || ir::any_part(code.ir, instructions[0].value, [&](ir::ExprId e) {
    return ir::is_dotted(code.ir, e) &&
           in_.roles().play(code.text.text(code.ir.exprs[e].symbol), Role::MissingAttribute);
  });
  return takes && std::ranges::none_of(code.graph().order(), [&](ir::BlockId b) {
           return code.graph().dominates(block, b) && code.ir.blocks[b].terminator.kind == ir::TerminatorKind::Raise;
         });
}

// Whether the wrapped model is taken out of the variable on the other side of the branch.
bool WrapperQuestions::is_taken_beside(const FunctionCode& code, ir::ExprId variable, ir::BlockId branch,
                                       bool side) const {
  const ir::BlockId other = code.ir.blocks[branch].terminator.successors[side ? 1 : 0];
  return code.graph().predecessors(other).size() == 1 && is_taken_under(code, variable, other);
}

bool WrapperQuestions::is_taken_under(const FunctionCode& code, ir::ExprId variable, ir::BlockId top) const {
  return std::ranges::any_of(code.graph().order(), [&](ir::BlockId b) {
    return code.graph().dominates(top, b) && is_taken_in(code, variable, b);
  });
}

bool WrapperQuestions::is_taken_in(const FunctionCode& code, ir::ExprId variable, ir::BlockId b) const {
  const auto is_taken = [&](ir::ExprId part) { return is_wrapped_of(code, part, variable); };
  const ir::Block& block = code.ir.blocks[b];
  return ir::any_part(code.ir, block.terminator.value, is_taken) ||
         std::ranges::any_of(block.instructions,
                             [&](const ir::Instruction& i) { return any_part_read(code.ir, i, is_taken); });
}

bool WrapperQuestions::is_wrapped_of(const FunctionCode& code, ir::ExprId e, ir::ExprId variable) const {
  const ir::Expr& expr = code.ir.exprs[e];
  return expr.kind == ir::ExprKind::Attribute && in_.roles().play(code.text.text(expr.symbol), Role::GivesWrapped) &&
         (variable.valid() ? is_same(code, ir::children(code.ir, e)[0], variable)
                           : !own_attribute(index_, code.key, e).valid());
}

bool WrapperQuestions::takes_wrapped(const FunctionCode& code, const ir::Instruction& i) const {
  return any_part_read(code.ir, i, [&](ir::ExprId part) { return is_wrapped_of(code, part, {}); });
}

bool WrapperQuestions::are_in(const FunctionCode& code) const {
  const auto takes = [&](const ir::Expr& e) {
    return e.kind == ir::ExprKind::Attribute && in_.roles().play(code.text.text(e.symbol), Role::GivesWrapped);
  };
  return names_one(in_, code, Role::TestsModel) || std::ranges::any_of(code.ir.exprs, takes);
}

}  // namespace ranklint
