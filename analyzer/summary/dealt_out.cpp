//     class Lines(IterableDataset):
//         def __iter__(self):
//             for i, line in enumerate(open(self.path)):
//                 if i % self.world == self.rank: yield line
//
// Whose turn the last line is, the others have one less. Nothing is said of a data set that never ends, or that divides
// anything without a rest: it may have left the rest away.
#include "analyzer/summary/dealt_out.h"

#include <algorithm>

#include "analyzer/summary/guards.h"

namespace ranklint {
namespace {

bool divides(const ir::Function& f) {
  return std::ranges::any_of(f.exprs, [](const ir::Expr& e) { return e.kind == ir::ExprKind::Binary && e.op == ir::Operator::FloorDivide; });
}

bool has_endless_loop(const Summary& s, const ir::Function& f, const ValueStore& values) {
  return std::ranges::any_of(s.graph.order(), [&](ir::BlockId b) {
    if (!s.graph.is_loop_header(b)) return false;
    const ValueId condition = s.blocks[b.index].condition;
    return f.blocks[b].terminator.kind != ir::TerminatorKind::Iterate && (!condition.valid() || values.truth(condition) != ValueStore::Truth::No);
  });
}

}  // namespace

bool deals_out_unevenly(Interpreter& interpreter, ValueId dataset) {
  const ProjectIndex& index = interpreter.index();
  ValueStore& values = interpreter.values();
  const ClassKey c = values.class_of(dataset);
  if (!c.valid() || !index.derives_from_external(c, "IterableDataset")) return false;
  for (ClassKey k : index.linearization(c))
    for (const auto& [name, method] : index.classes()[k].methods)
      if (divides(index.function(method))) return false;
  const FunctionKey iterates = index.find_method(c, index.spell("__iter__"));
  const Summary* s = iterates.valid() ? interpreter.summary(iterates) : nullptr;
  if (!s) return false;
  const ir::Function& f = index.function(iterates);
  if (has_endless_loop(*s, f, values)) return false;
  return std::ranges::any_of(s->graph.order(), [&](ir::BlockId b) {
    const bool yields = std::ranges::any_of(f.blocks[b].instructions, [](const ir::Instruction& i) { return i.kind == ir::InstructionKind::Yield; });
    const ValueId guard = yields ? guard_of(values, *s, f, b) : ValueId{};
    return guard.valid() && !values.variance(guard).empty();
  });
}

}  // namespace ranklint
