#include "analyzer/summary/signal_handlers.h"

#include <algorithm>

namespace ranklint {
namespace {

// `signal.signal(signal.SIGTERM, self.on_signal)`, `loop.add_signal_handler(signal.SIGTERM, stop)`
bool registers(const ProjectIndex& index, ModuleKey module, const ir::Function& f, const ir::Instruction& i, Symbol handler) {
  const ir::Expr& callee = f.exprs[i.value];
  if (callee.kind != ir::ExprKind::Name && callee.kind != ir::ExprKind::Attribute) return false;
  const ir::Module& text = index.modules()[module];
  const bool is_registration = text.text(callee.symbol) == "add_signal_handler" || index.dotted(module, f, i.value) == "signal.signal";
  const auto arguments = ir::arguments(f, i);
  if (!is_registration || arguments.size() < 2) return false;
  const ir::Expr& given = f.exprs[arguments[1].value];
  return (given.kind == ir::ExprKind::Name || given.kind == ir::ExprKind::Attribute) && given.symbol == handler;
}

}  // namespace

bool is_signal_handler(const ProjectIndex& index, FunctionKey f) {
  const ModuleKey module = index.functions()[f].module;
  const ir::Module& ir = index.modules()[module];
  const Symbol handler = index.function(f).name;
  if (index.function(f).parameters.size() > 3) return false;
  return std::ranges::any_of(ir.functions, [&](const ir::Function& g) {
    return std::ranges::any_of(g.blocks, [&](const ir::Block& block) {
      return std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) {
        return i.kind == ir::InstructionKind::Call && registers(index, module, g, i, handler);
      });
    });
  });
}

}  // namespace ranklint
