#include "analyzer/compare/contexts.h"

#include <algorithm>

namespace ranklint {
namespace {

// The context manager is a name, or what a call before it returned.
OpenContext context_of(const ProjectIndex& index, FunctionKey key, const ir::Function& f, ir::ExprId value) {
  ir::ExprId named = value;
  if (f.exprs[value].kind == ir::ExprKind::Name)
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (i.kind == ir::InstructionKind::Call && i.target.valid() && f.exprs[i.target].kind == ir::ExprKind::Name &&
            f.exprs[i.target].symbol == f.exprs[value].symbol)
          named = i.value;
  const ModuleKey module = index.functions()[key].module;
  const Entity entity = index.resolve(module, f, named);
  if (entity.kind == Entity::Kind::External) return {std::string(index.names().text(entity.name)), {}};
  return {index.dotted(module, f, named), entity.kind == Entity::Kind::Function ? entity.function : FunctionKey{}};
}

}  // namespace

std::vector<OpenContext> open_contexts(const ProjectIndex& index, const Summary& summary, Place at) {
  const ir::Function& f = index.function(summary.function);
  std::vector<ir::BlockId> above;
  for (ir::BlockId b = at.block; b.valid(); b = summary.graph.dominator(b)) above.push_back(b);
  std::vector<OpenContext> open;
  for (auto b = above.rbegin(); b != above.rend(); ++b) {
    const auto& instructions = f.blocks[*b].instructions;
    const size_t end = *b == at.block ? std::min<size_t>(at.instruction, instructions.size()) : instructions.size();
    for (size_t i = 0; i < end; ++i) {
      if (instructions[i].kind == ir::InstructionKind::EnterWith) open.push_back(context_of(index, summary.function, f, instructions[i].value));
      if (instructions[i].kind == ir::InstructionKind::ExitWith && !open.empty()) open.pop_back();
    }
  }
  return open;
}

std::vector<OpenContext> open_contexts(const ProjectIndex& index, const Summary& summary, SourceRange call) {
  const ir::Function& f = index.function(summary.function);
  for (ir::BlockId b : summary.graph.order())
    for (uint32_t i = 0; i < f.blocks[b].instructions.size(); ++i)
      if (f.blocks[b].instructions[i].kind == ir::InstructionKind::Call && f.blocks[b].instructions[i].range == call) return open_contexts(index, summary, Place{b, i});
  return {};
}

}  // namespace ranklint
