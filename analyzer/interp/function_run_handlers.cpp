// A handler is reached by exceptions alone, and its blocks come after all others in flow order; where its path meets
// the others again they have been run already. So a body with such a meeting is run twice, and the second time the
// places that the handler changed are a choice there: whether the exception came is not known, and alike on all
// ranks unless it is of a kind that one rank meets alone.
//
// Only plain data is a choice. A module, a function or a group that a handler replaces by a stand-in stays what it is
// where nothing fails: that is the program worth checking.
#include <algorithm>

#include "analyzer/interp/function_run.h"

namespace ranklint {
namespace {

bool is_plain(const Value& v) {
  switch (v.kind) {
    case ValueKind::Group:
    case ValueKind::Instance:
    case ValueKind::Class:
    case ValueKind::Function:
    case ValueKind::Bound:
    case ValueKind::Module:
    case ValueKind::External:
    case ValueKind::Partial:
    case ValueKind::Super:
    case ValueKind::Guarded: return false;
    default: return v.type == 0;
  }
}

}  // namespace

// Keeps how the handlers left. True: some lead to a block that was run before them.
bool FunctionRun::handlers_come_late() {
  if (f_.kind == ir::FunctionKind::Module || f_.kind == ir::FunctionKind::ClassBody) return false;
  for (ir::BlockId block : out_.graph().order())
    for (ir::BlockId from : out_.graph().predecessors(block))
      if (done_[from.index] && out_.graph().position(from) > out_.graph().position(block) &&
          !out_.graph().dominates(block, from))
        late_[from.index] = after_[from.index];
  return !late_.empty();
}

void FunctionRun::merge_handled(ir::BlockId block, Environment& env) {
  for (ir::BlockId from : out_.graph().predecessors(block)) {
    const auto late = late_.find(from.index);
    if (late == late_.end() || done_[from.index]) continue;
    std::vector<std::pair<PlaceKey, ValueId>> handled;
    for (const auto& [place, value] : late->second.places())
      if (const ValueId here = env.get(place); here.valid() && here != value) handled.emplace_back(place, value);
    for (const auto& [place, value] : handled) env.set(place, choose_handled(from, value, env.get(place)));
  }
}

// The function's result with what handlers return that the walk along the normal edges did not come by.
ValueId FunctionRun::result_of_handlers(ValueId result, const std::map<uint32_t, ValueId>& walked) {
  if (!result.valid()) return result;
  for (ir::BlockId block : out_.graph().order())
    if (f_.blocks[block].terminator.kind == ir::TerminatorKind::Return && !walked.contains(block.index) &&
        out_.blocks[block.index].result.valid())
      result = choose_handled(block, out_.blocks[block.index].result, result);
  return result;
}

ValueId FunctionRun::choose_handled(ir::BlockId from, ValueId handled, ValueId otherwise) {
  if (handled == otherwise || !is_plain(values_[handled]) || !is_plain(values_[otherwise])) return otherwise;
  // `except: rank = 0`: where there is a process group it is the rank.
  if (!values_.variance(otherwise).empty() && values_.is_constant(handled)) return otherwise;
  const SiteId site = site_of(from, Site::Why::ExceptionCame);
  const ValueId came =
      out_of_memory(from) ? values_.local("memory", site.index) : values_.leaf(ValueKind::Opaque, site.index);
  return values_.conditional(came, handled, otherwise);
}

// Whether the handler in which `from` stands is one for what this rank's memory does not hold.
bool FunctionRun::out_of_memory(ir::BlockId from) const {
  for (ir::BlockId at = from; at.valid(); at = out_.graph().dominator(at)) {
    const auto& instructions = f_.blocks[at].instructions;
    if (instructions.empty() || instructions[0].kind != ir::InstructionKind::Catch) continue;
    return instructions[0].value.valid() &&
           in_.roles().play(index_.dotted(module_, f_, instructions[0].value), Role::MemoryError);
  }
  return false;
}

}  // namespace ranklint
