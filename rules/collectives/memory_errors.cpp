// An exception of its own for it came late; until then, and still, it is a RuntimeError that is asked what it says:
//
//     except torch.cuda.OutOfMemoryError:
//     except RuntimeError as e:
//         if "out of memory" in str(e):
//         if isinstance(e, torch.OutOfMemoryError):
//         if self.retries and is_oom(e):              # a function of the project that asks so, or calls one that does
#include "rules/collectives/memory_errors.h"

#include <algorithm>

#include "analyzer/ir/any_instruction.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

constexpr int kDeepestAsked = 2;  // calls within calls

// `"out of memory"`, or the exception's class
bool name_suggests_memory(const Roles& roles, const ir::Module& text, const ir::Expr& e) {
  if (e.kind == ir::ExprKind::Name || e.kind == ir::ExprKind::Attribute)
    return roles.play(text.text(e.symbol), Role::MemoryError);
  return e.kind == ir::ExprKind::String &&
         std::ranges::any_of(roles.names_in(Role::MemoryError), [&](const std::string& name) {
           const RoleEntry* error = roles.find(last_part(name), Role::MemoryError);
           return error && !error->note.empty() && text.text(e.symbol).find(error->note) != std::string_view::npos;
         });
}

bool queries_memory(const Query& in, FunctionKey asked, int depth) {
  const ProjectIndex& index = in.index();
  if (!asked.valid() || depth > kDeepestAsked) return false;
  const ModuleKey module = index.functions()[asked].module;
  const ir::Function& f = index.function(asked);
  if (std::ranges::any_of(
          f.exprs, [&](const ir::Expr& e) { return name_suggests_memory(in.roles(), index.modules()[module], e); }))
    return true;
  return ir::any_instruction(f, [&](const ir::Instruction& i) {
    return i.kind == ir::InstructionKind::Call &&
           queries_memory(in, index.resolve(module, f, i.value).function, depth + 1);
  });
}

// `is_oom(e)`, `isinstance(e, torch.OutOfMemoryError)`
bool is_question(const Query& in, const FunctionCode& code, const ir::Instruction& i, Symbol caught) {
  if (i.kind != ir::InstructionKind::Call) return false;
  const auto arguments = ir::arguments(code.ir, i);
  const auto is_caught = [&](const ir::Argument& a) {
    return code.ir.exprs[a.value].kind == ir::ExprKind::Name && code.ir.exprs[a.value].symbol == caught;
  };
  if (std::ranges::none_of(arguments, is_caught)) return false;
  const auto says = [&](ir::ExprId e) { return name_suggests_memory(in.roles(), code.text, code.ir.exprs[e]); };
  return std::ranges::any_of(arguments, [&](const ir::Argument& a) { return ir::any_part(code.ir, a.value, says); }) ||
         queries_memory(in, function_named(in.index(), code, i.value), 0);
}

bool is_negated(const ir::Expr& e) { return e.op == ir::Operator::Not || e.op == ir::Operator::NotIn; }

// Whether the block ends with such a question, and the answer does not make it raise.
bool goes_on_without_memory(const Query& in, const FunctionCode& code, const ir::Block& block, Symbol caught) {
  const ir::Terminator& asks = block.terminator;
  if (asks.kind != ir::TerminatorKind::Branch) return false;
  const auto says = [&](ir::ExprId e) { return name_suggests_memory(in.roles(), code.text, code.ir.exprs[e]); };
  const auto answers = [&](const ir::Instruction& i) {
    return i.target.valid() && code.ir.exprs[i.target].kind == ir::ExprKind::Name &&
           code.mentions(asks.value, code.ir.exprs[i.target].symbol) && is_question(in, code, i, caught);
  };
  if (!ir::any_part(code.ir, asks.value, says) && std::ranges::none_of(block.instructions, answers)) return false;
  return code.ir.blocks[asks.successors[is_negated(code.ir.exprs[asks.value])]].terminator.kind !=
         ir::TerminatorKind::Raise;
}

}  // namespace

bool takes_out_of_memory(const Query& in, const FunctionCode& code, ir::BlockId body) {
  const ir::Instruction& caught = code.ir.blocks[body].instructions[0];
  const auto is_memory_error = [&](ir::ExprId e) {
    return in.roles().play(in.index().dotted(code.module, code.ir, e), Role::MemoryError);
  };
  if (ir::any_part(code.ir, caught.value, is_memory_error)) return true;
  const Symbol name = caught.target.valid() ? code.ir.exprs[caught.target].symbol : Symbol{};
  return std::ranges::any_of(code.graph().order(), [&](ir::BlockId b) {
    return code.graph().dominates(body, b) && goes_on_without_memory(in, code, code.ir.blocks[b], name);
  });
}

}  // namespace ranklint
