#include "analyzer/summary/raises.h"

#include <algorithm>

#include "analyzer/summary/is_call.h"
#include "analyzer/summary/query.h"

namespace ranklint {
namespace {

constexpr int kDeepestRaise = 3;

// By the rank, or by what the caller gives.
bool may_differ(const ValueStore& values, ValueId condition) {
  if (values[condition].local) return false;
  return !values.variance(condition).empty() ||
         values.find_part(condition, [&](ValueId part) { return values[part].kind == ValueKind::Parameter; }).valid();
}

bool raises(const Query& in, FunctionKey f, int depth) {
  const Summary* s = in.summary(f);
  if (!s) return false;
  const ir::Function& code = in.index().function(f);
  bool by_rank = false, leaves = false;
  for (uint32_t b = 0; b < s->blocks.size(); ++b) {
    const BlockSteps& block = s->blocks[b];
    const ir::Block& written = code.blocks[ir::BlockId{b}];
    if (!block.reachable) continue;
    by_rank |= block.condition.valid() && may_differ(in.values(), block.condition);
    leaves |= written.terminator.kind == ir::TerminatorKind::Raise && !written.handler.valid();
    if (written.handler.valid() || depth == 0) continue;
    for (const Step& step : block.steps)
      if (is_call(step))
        for (const Target& target : in.targets(step.call.callee))
          if (target.function != f && raises(in, target.function, depth - 1)) return true;
  }
  return by_rank && leaves;
}

}  // namespace

bool raises_by_rank(const Query& interpreter, FunctionKey function) {
  return raises(interpreter, function, kDeepestRaise);
}

}  // namespace ranklint
