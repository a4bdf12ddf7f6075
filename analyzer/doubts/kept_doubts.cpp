// What is kept from an earlier time at which the ranks may have been together:
//
//     @functools.cache                            # a second call returns what the first, made by all ranks, returned
//     def score(point): ... all_gather(...)
//
//     if self.made_for == key: return self.made   # the key is a rank's own, but that it is the old one may hold on all
//     self.made_for = key                         # alike
#include <algorithm>

#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/doubts/function_text.h"
#include "analyzer/doubts/written_before.h"

namespace ranklint::doubts {

// `if ranks not in self.groups`: one of many, each kept under a key.
static bool fills_by_key(const Scene& scene, const Position& filling) {
  const Summary& s = scene.summary(filling.frame);
  const ir::BlockId asked = s.graph().dominator(filling.block);
  const ValueId condition = asked.valid() ? s.blocks[asked.index].condition : ValueId{};
  return condition.valid() &&
         (scene.values()[condition].op == ir::Operator::NotIn || scene.values()[condition].op == ir::Operator::In);
}

// It may have been made before, unless the others stand in another collective meanwhile. A model is wrapped where it is
// trained first, and that is before one rank does something with it; groups that are kept by their ranks are made by
// all in a loop first.
Seen made_before(const Scene& scene) {
  const Encounter& e = scene.e;
  const auto makes = [&](const Position& p, const Position& filling, bool anyway) {
    const Event* event = p.at_end() || filling.at_end() || !scene.step_at(p).event ? nullptr : &*scene.step_at(p).event;
    const bool may_be = event && (anyway || event->model->about == ModelAbout::Wrapper ||
                                  (event->model->kind == ModelKind::GroupCreate && fills_by_key(scene, filling)));
    return may_be && makes_what_is_kept(scene.frames, filling, p);
  };
  if (makes(e.waiting, e.state[e.first].fills, e.other.at_end()) ||
      makes(e.other, e.state[other(e.first)].fills, false))
    return scene.waiting();
  return finds_what_was_written(scene);
}

// Posting an operation does not block. If its handle is kept in an object, some other function waits for it, and ranks
// may post at different times: a correct protocol of this kind looks like ranks that diverge.
Seen posted_ahead(const Scene& scene) {
  const auto posts = [&](const Position& p) {
    return !p.at_end() && scene.step_at(p).event && scene.step_at(p).event->keeps_handle;
  };
  return seen(posts(scene.e.waiting) || posts(scene.e.other), scene.waiting());
}

static bool keeps_results(const Scene& scene, FunctionKey f) {
  const ProjectIndex& index = scene.index();
  const ir::Function& code = index.function(f);
  return std::ranges::any_of(code.decorators, [&](ir::ExprId decorator) {
    const bool called = code.exprs[decorator].kind == ir::ExprKind::Call;
    const std::string name =
        index.dotted(index.functions()[f].module, code, called ? ir::children(code, decorator)[0] : decorator);
    return scene.in.roles().play(name, Role::KeepsResult);
  });
}

Seen memoised_callee(const Scene& scene) {
  if (!scene.m.guard.known()) return std::nullopt;
  for (const PathStep& step : scene.m.first.steps)
    if (step.function != scene.m.function && keeps_results(scene, step.function))
      return CodePlace{step.function, scene.index().function(step.function).name_range};
  return std::nullopt;
}

// `if self.made_for == key:` there, with `self.made_for = key` further on.
Seen remembers_key(const Scene& scene) {
  const SourceRange& guard = scene.m.guard;
  if (!guard.known()) return std::nullopt;
  const FunctionText text(scene.index(), scene.m.function);
  const auto is_kept = [&](ir::ExprId kept, ir::ExprId key) {
    return text.is(kept, ir::ExprKind::Attribute) && text.is(key, ir::ExprKind::Name) &&
           text.any([&](const ir::Instruction& i) {
             return i.kind == ir::InstructionKind::Assign && i.range.line > guard.line &&
                    text.is(i.target, ir::ExprKind::Attribute) && text.name_of(i.target) == text.name_of(kept) &&
                    text.is(i.value, ir::ExprKind::Name) && text.name_of(i.value) == text.name_of(key);
           });
  };
  const auto compares = [&](ir::ExprId e) {
    if (!text.is_binary(e, ir::Operator::Equal) && !text.is_binary(e, ir::Operator::NotEqual)) return false;
    const auto sides = ir::children(text.ir, e);
    return is_kept(sides[0], sides[1]) || is_kept(sides[1], sides[0]);
  };
  return seen(text.any_asked_at(guard, [&](ir::ExprId asked) { return ir::any_part(text.ir, asked, compares); }),
              scene.guard());
}

}  // namespace ranklint::doubts
