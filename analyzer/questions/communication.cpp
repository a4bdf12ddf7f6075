#include "analyzer/questions/communication.h"

#include <algorithm>

#include "analyzer/base/among.h"

namespace ranklint {
namespace {

constexpr int kDeepestStep = 16;

class CommunicationSearch {
 public:
  explicit CommunicationSearch(const Query& query) : in_(query) {}

  // `step` in the terms of the function that was asked about.
  std::optional<Communication> of(const Step& step, int depth) {
    if (step.event) {
      if (step.event->model->kind == ModelKind::Setup) return std::nullopt;
      return Communication{.model = step.event->model,
                           .group = step.event->group,
                           .certainty = certainty_of(*step.event->model, place_of(step)),
                           .place = {},
                           .callee = step.call.callee};
    }
    if (step.ending != Ending::None || step.yields || depth > kDeepestStep) return std::nullopt;
    for (const Target& target : in_.targets(step.call.callee)) {
      const Summary* callee = in_.summary(target.function);
      const bool is_generator = in_.index().function(target.function).is_generator;
      if (!callee || (!callee->communicates && !callee->calls_captures) ||
          (is_generator && step.call.part == Call::Part::Whole))
        continue;
      if (!seen_.emplace(target.function, is_generator ? step.call.part : Call::Part::Whole).second) continue;
      const Binding binding = in_.bind(target, step.call, 0);
      if (std::optional<Communication> found =
              is_generator ? in_half(*callee, binding, depth, step.call.part) : inside(*callee, binding, depth)) {
        found->certainty.lower_to(target_certainty(in_.index(), target, place_of(step)));
        return found;
      }
    }
    return std::nullopt;
  }

 private:
  CodePlace place_of(const Step& step) const { return {in_.site(step.site).function, step.range}; }

  Assurance certainty_of(const Model& model, const CodePlace& place) const {
    Assurance sure = model_certainty(model, place);
    if (const std::optional<Doubt> older = in_.older_library(place.function, model.needs)) sure.doubt(*older);
    return sure;
  }

  std::optional<Communication> inside(const Summary& callee, const Binding& binding, int depth) {
    for (ir::BlockId block : callee.graph().order()) {
      if (callee.blocks[block.index].steps.empty() || excluded(callee, binding, block)) continue;
      for (const Step& step : callee.blocks[block.index].steps)
        if (std::optional<Communication> found = in_callee(step, binding, depth)) return found;
    }
    return std::nullopt;
  }

  std::optional<Communication> in_callee(const Step& step, const Binding& binding, int depth) {
    std::optional<Communication> found = of(bound(step, binding), depth + 1);
    if (found && step.event) found->callee = step.call.callee;
    return found;
  }

  // What a context manager does on the way in, or on the way out.
  std::optional<Communication> in_half(const Summary& callee, const Binding& binding, int depth, Call::Part half) {
    const std::optional<std::pair<ir::BlockId, size_t>> yield = yield_of(callee);
    if (!yield) return std::nullopt;
    const bool after = half == Call::Part::AfterYield;
    for (const ir::BlockId block : callee.graph().order()) {
      const bool lies_there =
          after ? callee.graph().dominates(yield->first, block) : callee.graph().dominates(block, yield->first);
      const auto& steps = callee.blocks[block.index].steps;
      for (size_t i = 0; lies_there && i < steps.size(); ++i) {
        if (block == yield->first && (after ? i <= yield->second : i >= yield->second)) continue;
        if (std::optional<Communication> found = in_callee(steps[i], binding, depth)) return found;
      }
    }
    return std::nullopt;
  }

  static std::optional<std::pair<ir::BlockId, size_t>> yield_of(const Summary& generator) {
    for (const ir::BlockId block : generator.graph().order()) {
      const auto& steps = generator.blocks[block.index].steps;
      for (size_t i = 0; i < steps.size(); ++i)
        if (steps[i].yields) return std::pair(block, i);
    }
    return std::nullopt;
  }

  // Whether the arguments say that the block is not reached: `if barrier:` called with `barrier=False`.
  bool excluded(const Summary& callee, const Binding& binding, ir::BlockId block) {
    const ir::Function& code = in_.index().function(callee.function);
    for (ir::BlockId above = callee.graph().dominator(block); above.valid(); above = callee.graph().dominator(above)) {
      const ir::Terminator& end = code.blocks[above].terminator;
      const ValueId condition = callee.blocks[above.index].condition;
      if (end.kind != ir::TerminatorKind::Branch || !condition.valid()) continue;
      const ValueStore::Truth truth = in_.values().truth(in_.instantiate(condition, binding));
      if (truth == ValueStore::Truth::Unknown) continue;
      const ir::BlockId never = end.successors[truth == ValueStore::Truth::Yes ? 1 : 0];
      if (callee.graph().predecessors(never).size() == 1 && callee.graph().dominates(never, block)) return true;
    }
    return false;
  }

  Step bound(Step step, const Binding& binding) {
    const auto put_in = [&](ValueId& v) {
      if (v.valid()) v = in_.instantiate(v, binding);
    };
    if (step.event) put_in(step.event->group);
    step.call = in_.instantiate(step.call, binding);
    return step;
  }

  const Query& in_;
  std::set<std::pair<FunctionKey, Call::Part>> seen_;  // a context manager has two halves
};

}  // namespace

std::optional<Communication> communication_of(const Query& query, const Step& step) {
  std::optional<Communication> found = CommunicationSearch(query).of(step, 0);
  if (found) found->place = step.range;
  return found;
}

std::string group_name(const Query& query, const Communication& communication) {
  return describe(*query.resolve_group(communication.group, Unknown::FreshAxis), query.index().names());
}

}  // namespace ranklint
