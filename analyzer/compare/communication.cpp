#include "analyzer/compare/communication.h"

#include <algorithm>

namespace ranklint {
namespace {

constexpr int kDeepest = 16;

class Search {
 public:
  explicit Search(Interpreter& interpreter) : in_(interpreter) {}

  std::optional<Communication> of(const Step& step, int depth) {
    if (step.event) {
      if (step.event->model->kind == ModelKind::Setup) return std::nullopt;
      return Communication{step.event->model, step.event->group, model_certainty(*step.event->model)};
    }
    if (step.leaves || step.yields || depth > kDeepest) return std::nullopt;
    for (const Target& target : in_.targets(step.call.callee)) {
      const Summary* callee = in_.summary(target.function);
      if (!callee || !callee->communicates || in_.index().function(target.function).is_generator) continue;
      if (!seen_.insert(target.function).second) continue;
      if (std::optional<Communication> found = inside(*callee, depth)) {
        if (found->group.valid()) found->group = in_.instantiate(found->group, in_.bind(target, step.call, 0));
        found->certainty = std::min(found->certainty, target.certainty);
        return found;
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<Communication> inside(const Summary& callee, int depth) {
    for (ir::BlockId block : callee.graph.order())
      for (const Step& step : callee.blocks[block.index].steps)
        if (std::optional<Communication> found = of(step, depth + 1)) return found;
    return std::nullopt;
  }

  Interpreter& in_;
  std::set<FunctionKey> seen_;
};

}  // namespace

std::optional<Communication> communication_of(Interpreter& interpreter, const Step& step) {
  return Search(interpreter).of(step, 0);
}

std::string group_name(Interpreter& interpreter, const Communication& communication) {
  return describe(*interpreter.as_group(communication.group, true), interpreter.index().names());
}

}  // namespace ranklint
