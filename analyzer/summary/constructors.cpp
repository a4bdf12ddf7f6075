#include "analyzer/summary/constructors.h"

#include <algorithm>

#include "analyzer/summary/is_call.h"

namespace ranklint {

bool is_constructor(const ProjectIndex& index, FunctionKey f) {
  const ClassKey owner = index.functions()[f].owner;
  if (!owner.valid()) return false;
  const auto& methods = index.classes()[owner].methods;
  const auto found = methods.find(index.intern("__init__"));
  return found != methods.end() && found->second == f;
}

std::optional<Binding> given_when_made(const Query& in, ClassKey c, ValueId object, FunctionKey of) {
  constexpr int kMostBases = 4;
  const ProjectIndex& index = in.index();
  const FunctionKey own = index.find_method(c, index.intern("__init__"));
  if (!own.valid()) return std::nullopt;
  Binding given{.function = own, .parameters = {object}, .captures = {}, .path = 0, .memo = {}};
  for (ValueId child : in.values().children(object)) given.parameters.push_back(child);
  const auto constructor_of_base = [&](const Step& step) -> std::optional<Target> {
    const std::vector<Target> called = is_call(step) ? in.targets(step.call.callee) : std::vector<Target>();
    const bool is_one =
        called.size() == 1 && called[0].function != given.function && is_constructor(index, called[0].function);
    const std::vector<ClassKey>& bases = index.linearization(c);
    return is_one && std::ranges::find(bases, index.functions()[called[0].function].owner) != bases.end()
               ? std::optional(called[0])
               : std::nullopt;
  };
  const auto hand_on = [&](const Step& step) {
    std::optional<Target> base = constructor_of_base(step);
    if (!base) return false;
    if (base->receiver.valid()) base->receiver = object;
    given = in.bind(*base, in.instantiate(step.call, given), 0);
    return true;
  };
  for (int bases = 0; given.function != of; ++bases) {
    const Summary* s = bases < kMostBases ? in.summary(given.function) : nullptr;
    const auto is_handed_on = [&](const BlockSteps& block) {
      return std::ranges::any_of(block.steps, hand_on) || std::ranges::any_of(block.point_to_point, hand_on);
    };
    if (!s || !std::ranges::any_of(s->blocks, is_handed_on)) return std::nullopt;
  }
  return given;
}

}  // namespace ranklint
