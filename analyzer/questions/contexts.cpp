#include "analyzer/questions/contexts.h"

#include <algorithm>

namespace ranklint {

Contexts::Contexts(const ProjectIndex& index, const Summary& summary)
    : index_(index),
      function_(summary.function),
      ir_(index.function(function_)),
      graph_(summary.graph()),
      at_end_(ir_.blocks.size()),
      changes_(ir_.blocks.size()) {
  for (const ir::BlockId block : graph_.order()) {  // a block's dominator stands before it
    const ir::BlockId above = graph_.dominator(block);
    at_end_[block.index] = read(block, above.valid() ? at_end_[above.index] : ListId{});
  }
  if (lists_.empty()) return;
  for (const ir::Block& block : ir_.blocks)
    for (const ir::Instruction& i : block.instructions)
      if (i.kind == ir::InstructionKind::Call && i.target.valid() && ir_.exprs[i.target].kind == ir::ExprKind::Name)
        called_[ir_.exprs[i.target].symbol] = i.value;
}

// What is open at the end of a block, at whose beginning `open` is.
Contexts::ListId Contexts::read(ir::BlockId block, ListId open) {
  const auto& instructions = ir_.blocks[block].instructions;
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    if (instructions[i].kind == ir::InstructionKind::EnterWith)
      open = lists_.push_back({instructions[i].value, open});
    else if (instructions[i].kind == ir::InstructionKind::ExitWith && open.valid())
      open = lists_[open].outer;
    else
      continue;
    changes_[block.index].push_back({i, open});
  }
  return open;
}

Contexts::ListId Contexts::list_at(ProgramPoint at) const {
  const std::vector<Change>& changes = changes_[at.block.index];
  const auto next = std::ranges::lower_bound(changes, at.instruction, {}, &Change::instruction);
  if (next != changes.begin()) return std::prev(next)->open;
  const ir::BlockId above = graph_.dominator(at.block);
  return above.valid() ? at_end_[above.index] : ListId{};
}

// The context manager is a name, or what a call before it returned.
OpenContext Contexts::context_of(ir::ExprId value) const {
  ir::ExprId named = value;
  if (ir_.exprs[value].kind == ir::ExprKind::Name)
    if (const auto call = called_.find(ir_.exprs[value].symbol); call != called_.end()) named = call->second;
  const ModuleKey module = index_.functions()[function_].module;
  const Entity entity = index_.resolve(module, ir_, named);
  if (entity.kind == Entity::Kind::External) return {std::string(index_.names().text(entity.name)), {}};
  return {index_.dotted(module, ir_, named), entity.kind == Entity::Kind::Function ? entity.function : FunctionKey{}};
}

std::vector<OpenContext> Contexts::open_at(ProgramPoint at) const {
  std::vector<OpenContext> open;
  for (ListId list = list_at(at); list.valid(); list = lists_[list].outer)
    open.push_back(context_of(lists_[list].innermost));
  std::ranges::reverse(open);
  return open;
}

std::vector<OpenContext> open_contexts(const ProjectIndex& index, const Summary& summary, SourceRange call) {
  const ir::Function& f = index.function(summary.function);
  for (ir::BlockId b : summary.graph().order())
    for (uint32_t i = 0; i < f.blocks[b].instructions.size(); ++i)
      if (f.blocks[b].instructions[i].kind == ir::InstructionKind::Call && f.blocks[b].instructions[i].range == call)
        return Contexts(index, summary).open_at({b, i});
  return {};
}

}  // namespace ranklint
