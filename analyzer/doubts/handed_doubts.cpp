// Models that only some callers wrap, or only some programs shard. A helper that one caller hands a wrapped model and
// another one that nothing has wrapped:
//
//     def count(model, x): model(x)          # communicates for `fit`, and not for `describe`
//     def fit(net): count(DDP(net), x)
//     def describe(net): count(net, x)       # which one rank may call alone
//
// One caller may hand over both: `train(DDP(net), x)`, and `test(net, x)` on one rank.
//
// What a parameter is taken for comes from all calls together (analyzer/program/handed.h). A way says which of them it
// is about.
#include <algorithm>

#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/execution/wrapped_when.h"
#include "analyzer/summary/is_call.h"
#include "analyzer/summary/wrapped_model.h"

namespace ranklint::doubts {

// The parameter that holds the model which the step at a position runs. None: the function was not given it.
static std::optional<uint32_t> parameter_asked(const Scene& scene, const Position& p) {
  const Step& step = scene.step_at(p);
  const ValueStore& values = scene.values();
  if (!step.event) return std::nullopt;
  const ValueId model = model_called(scene.in, step.call.callee);
  const bool is_own = model.valid() && values[model].kind == ValueKind::Parameter &&
                      FunctionKey{values[model].a} == scene.summary(p.frame).function;
  return is_own ? std::optional(values[model].b) : std::nullopt;
}

// Whether it is a wrapped model, or may turn out to be one.
static bool may_be_wrapped(const Query& in, ValueId given) {
  return given.valid() &&
         std::ranges::any_of(in.values().leaves_of(given), [&](ValueId end) { return is_wrapped_model(in, end); });
}

// Whether what a function hands over is not wrapped, while it hands over a wrapped model in another call:
//
//     train(model, x)             # model = DDP(net)
//     if rank == 0: test(net, x)
static bool is_other_model(const Query& in, const Summary& caller, FunctionKey f, uint32_t parameter, ValueId given) {
  if (may_be_wrapped(in, given)) return false;
  return std::ranges::any_of(caller.blocks, [&](const BlockSteps& block) {
    return std::ranges::any_of(block.steps, [&](const Step& step) {
      if (!is_call(step)) return false;
      const std::vector<Target> targets = in.targets(step.call.callee);
      const auto same = std::ranges::find(targets, f, &Target::function);
      if (same == targets.end()) return false;
      const Binding binding = in.bind(*same, step.call, 0);
      return parameter < binding.parameters.size() && may_be_wrapped(in, binding.parameters[parameter]);
    });
  });
}

// Goes up the calls, as long as each hands on what it was handed itself.
static Seen handed_plain_at(const Scene& scene, const Position& p) {
  const HandedTypes& handed = scene.in.program().handed();
  const ValueStore& values = scene.values();
  std::optional<uint32_t> parameter = parameter_asked(scene, p);
  FrameId frame = p.frame;
  while (parameter && scene.frames[frame].caller.valid()) {
    const Frame& called = scene.frames[frame];
    const FunctionKey f = called.summary->function, caller = scene.summary(called.caller).function;
    // A decorator's wrapper hands on what its own callers give it.
    if (!handed.type_of(f, *parameter) || *parameter >= called.binding.parameters.size() ||
        !scene.index().function(f).decorators.empty())
      return std::nullopt;
    const ValueId given = called.binding.parameters[*parameter];
    if (!handed.hands_model(caller, f, *parameter))
      return seen(!given.valid() || !values.external_type_of(given).valid(), CodePlace{caller, called.call_range});
    if (is_other_model(scene.in, scene.summary(called.caller), f, *parameter, given))
      return seen(true, CodePlace{caller, called.call_range});
    const auto& own = scene.frames[called.caller].binding.parameters;
    const auto same = std::ranges::find(own, given);
    parameter =
        given.valid() && same != own.end() ? std::optional(static_cast<uint32_t>(same - own.begin())) : std::nullopt;
    frame = called.caller;
  }
  return std::nullopt;
}

Seen handed_plain(const Scene& scene) {
  for (const Position& p : {scene.e.waiting, scene.e.other})
    if (!p.at_end())
      if (const Seen found = handed_plain_at(scene, p)) return found;
  return std::nullopt;
}

// What communicates only with a sharded model, in a program that shards none: each rank has the whole model.
//
//     torch.save(accelerator.get_state_dict(model), path)       # is `model.state_dict()` under plain data parallelism
Seen not_sharded(const Scene& scene) {
  return seen(scene.model().if_sharded && !scene.in.program().sharding().reach(scene.m.function), scene.waiting());
}

}  // namespace ranklint::doubts
