// Code that asks of what kind an object is, and communicates for some kinds only:
//
//     if isinstance(model, FSDP): evaluate(model)
//     elif rank == 0: model(batch)              # it is whole here
#include <algorithm>

#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/doubts/model_queries.h"
#include "analyzer/execution/wrapped_when.h"
#include "analyzer/questions/kinds.h"

namespace ranklint::doubts {

// On the way it was decided that the model is not what it is taken for.
static bool is_denied_its_kind(const Scene& scene) {
  const Step& waits = scene.step_at(scene.e.waiting);
  const ValueId model = model_called(scene.in, scene.frames.in_root(scene.e.waiting.frame, waits.call.callee));
  return std::ranges::any_of(scene.choices(), [&](const auto& chosen) {
    return !chosen.second && asks_for_own_kind(scene.in, chosen.first, model);
  });
}

// What a helper reads of sharded tensors, where it was decided on the way what something is.
Seen tests_kind(const Scene& scene) {
  if (scene.model().about == ModelAbout::Forward && is_denied_its_kind(scene)) return scene.waiting();
  if (!scene.is_below_divergence() || scene.model().about != ModelAbout::TensorRead) return std::nullopt;
  const ValueStore& values = scene.values();
  const auto asks = [&](ValueId part) { return values.is_result_of(part, ValueStore::Trait::AsksKind); };
  return seen(std::ranges::any_of(scene.choices(),
                                  [&](const auto& chosen) { return values.find_part(chosen.first, asks).valid(); }) &&
                  !queries_model(scene.in, scene.summary(scene.e.waiting.frame).function),
              scene.waiting());
}

}  // namespace ranklint::doubts
