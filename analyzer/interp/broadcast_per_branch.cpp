// A broadcast that each side of a rank's branch writes for itself, or whose result only the receivers take:
//
//     if rank == 0:                                     |  told = [status if rank == 0 else None]
//         stop = text == "stop"                         |  dist.broadcast_object_list(told)
//         dist.broadcast_object_list([text, stop])      |  if rank != 0:
//     else:                                             |      status = told[0]
//         told = [None, None]                           |
//         dist.broadcast_object_list(told)              |
//         text, stop = told                             |
//
// After it `stop` is one value on all ranks, although each side has it from another place: the one sent it, and the
// other made it of nothing but what it received.
#include <algorithm>

#include "analyzer/interp/function_run.h"
#include "analyzer/summary/guards.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

// From a buffer to what is made of it: `int(told[0].item())` is four.
static constexpr int kMostStepsBack = 6;

// Records what a broadcast sends and fills. Where only some ranks come to it, its buffer holds an unknown value here.
void FunctionRun::note_broadcast(const Model& model, ir::ExprId buffer, Environment& env) {
  if (!buffer.valid() || !model.root.present()) return;
  sent_.push_back(evaluate(buffer, env));
  if (f_.exprs[buffer].kind != ir::ExprKind::Name) return;
  const PlaceKey place = Environment::key(index_.name(module_, f_.exprs[buffer].symbol));
  if (is_guarded(values_, out_, f_, block_))
    env.set(place, opaque(values_[sent_.back()].type));
  else
    make_place_uniform(buffer, env);
  received_.insert(env.get(place));
}

bool FunctionRun::was_sent(ValueId v) const {
  return std::ranges::any_of(sent_, [&](ValueId sent) { return has_part(values_, sent, v); });
}

// Whether the value is made of what was received, and of constants, in at most `steps` steps.
bool FunctionRun::was_received(ValueId v, int steps) const {
  if (received_.contains(v)) return true;
  if (steps == 0) return false;
  bool received = false;
  for (ValueId part : values_.children(v)) {
    if (part.valid() && values_.is_constant(part)) continue;
    if (!part.valid() || !was_received(part, steps - 1)) return false;
    received = true;
  }
  return received;
}

// What a name holds after a branch on the rank, if one side sent it and the other received it. Invalid: otherwise.
ValueId FunctionRun::broadcast_per_branch(ValueId condition, ValueId yes, ValueId no, SiteId after) const {
  if (received_.empty() || yes == no || !values_.diverges(condition)) return {};
  const bool has_yes = was_received(yes, kMostStepsBack), has_no = was_received(no, kMostStepsBack);
  if (!(has_yes && (has_no || was_sent(no))) && !(has_no && was_sent(yes))) return {};
  return values_.leaf(ValueKind::Opaque, after.index, 0, 0, values_[has_yes ? yes : no].type);
}

}  // namespace ranklint
