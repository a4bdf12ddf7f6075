// Groups of some ranks, as the functions on the path make them and pass them on:
//
//     if rank < 2: init_process_group("gloo", rank=rank, world_size=2)      # a group of two, which are there
//
//     if rank < members: check(model, group=some)   # a group of the first `members` ranks, most likely
//
//     if rank == 0: mesh = Mesh(4, comm=COMM_SELF)  # the caller is alone, or with those of its part
//
//     runtime = Fabric(strategy=DDPStrategy(process_group=part))   # and so is what this function sets up
//
//     if rank < half: model = prepare(half)         # the callee gets the number of ranks
//
//     for group in get_pipeline_group(): broadcast(x, 0, group)    # some ranks are in several
#include <algorithm>

#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/doubts/function_text.h"
#include "analyzer/variance/terms.h"

namespace ranklint::doubts {

// `for group in get_group():`, `for i, group in enumerate(get_group()):` where it is taken for one group.
static bool goes_through_groups(const Scene& scene, FunctionKey f) {
  const ValueStore& values = scene.values();
  const ProjectIndex& index = scene.index();
  const auto is_it = [&](ValueId v) {
    return values[v].kind == ValueKind::Group && values.axes(AxesId{values[v].a}) == scene.frames.group();
  };
  const Summary* s = scene.in.summary(f);
  return s && std::ranges::any_of(s->graph().order(), [&](ir::BlockId b) {
           const ValueId more = s->blocks[b.index].condition;
           if (index.function(f).blocks[b].terminator.kind != ir::TerminatorKind::Iterate || !more.valid())
             return false;
           const auto through = values.children(more);
           if (std::ranges::any_of(through, is_it)) return true;
           return std::ranges::any_of(through, [&](ValueId all) {
             return scene.in.roles().play(function_of(values, index, all), Role::HandsOnElements) &&
                    std::ranges::any_of(values.children(all), is_it);
           });
         });
}

Seen several_groups(const Scene& scene) {
  for (const Arrival* arrival : {&scene.m.first, &scene.m.second})
    for (const PathStep& step : arrival->steps)
      if (goes_through_groups(scene, step.function)) return CodePlace{step.function, step.range};
  return std::nullopt;
}

// `init_process_group(..., world_size=2)` there.
Seen group_of_number(const Scene& scene) {
  if (!scene.m.guard.known() || scene.model().kind != ModelKind::Setup) return std::nullopt;
  const PathStep& last = scene.m.first.steps.back();
  const FunctionText text(scene.index(), last.function);
  return seen(text.any_argument_at(last.range,
                                   [&](const ir::Argument& a) {
                                     return scene.in.roles().takes_by_keyword(text.keyword(a), Role::TakesWorldSize) &&
                                            text.is(a.value, ir::ExprKind::Integer);
                                   }),
              {last.function, last.range});
}

// The calls on the way that stand in the function where the ranks diverge.
static bool is_call_beside_guard(const Scene& scene, const PathStep& step) {
  return step.function == scene.m.function && step.kind == PathStep::Kind::Call;
}

// Whether the call there gets the number that the guard there compares a rank with: `if rank < members:
// prepare(members)`.
static bool tells_bound(const FunctionText& text, SourceRange guard, SourceRange call) {
  const auto compares_with = [&](ir::ExprId asked, Symbol bound) {
    return text.is_binary(asked, ir::Operator::Less) && text.name_of(ir::children(text.ir, asked)[1]) == bound;
  };
  return text.any_argument_at(call, [&](const ir::Argument& a) {
    if (!text.is(a.value, ir::ExprKind::Name)) return false;
    const Symbol bound = text.ir.exprs[a.value].symbol;
    return text.any_asked_at(guard, [&](ir::ExprId asked) {
      return compares_with(asked, bound) || (text.is(asked, ir::ExprKind::And) &&
                                             std::ranges::any_of(ir::children(text.ir, asked), [&](ir::ExprId part) {
                                               return compares_with(part, bound);
                                             }));
    });
  });
}

Seen tells_how_many(const Scene& scene) {
  if (!scene.m.guard.known()) return std::nullopt;
  const FunctionText text(scene.index(), scene.m.function);
  for (const PathStep& step : scene.m.first.steps)
    if (is_call_beside_guard(scene, step) && tells_bound(text, scene.m.guard, step.range))
      return CodePlace{step.function, step.range};
  return std::nullopt;
}

// `if rank < members: check(model, group=some)`
Seen group_of_first(const Scene& scene) {
  if (!scene.m.guard.known() || scene.frames.group().world) return std::nullopt;
  const FunctionText text(scene.index(), scene.m.function);
  const auto is_among_the_first = [&](ir::ExprId asked) {
    return text.is_binary(asked, ir::Operator::Less) || text.is_binary(asked, ir::Operator::LessEqual);
  };
  if (!text.any_asked_at(scene.m.guard, is_among_the_first)) return std::nullopt;
  const auto is_group = [&](const ir::Argument& a) {
    return scene.in.priors().suggest(text.keyword(a), NameMeaning::Group) && text.is(a.value, ir::ExprKind::Name);
  };
  for (const PathStep& step : scene.m.first.steps)
    if (is_call_beside_guard(scene, step) && text.any_argument_at(step.range, is_group))
      return CodePlace{step.function, step.range};
  return std::nullopt;
}

// `Mesh(4, comm=COMM_SELF)` there, and `Mesh(4, comm=part)` with `part = everyone.Split(colour)`: the caller is alone,
// or with some.
Seen hands_over_part(const Scene& scene) {
  if (!scene.m.guard.known() || scene.frames.group().world) return std::nullopt;
  for (const PathStep& step : scene.m.first.steps) {
    if (step.kind != PathStep::Kind::Call) continue;
    const FunctionText text(scene.index(), step.function);
    const auto splits_above = [&](Symbol name) {
      return text.any_call([&](const ir::Instruction& i) {
        return i.range.line < step.range.line && text.gives_name(i, name) &&
               scene.in.roles().play(text.word_of(i.value), Role::MakesPart);
      });
    };
    const auto is_part = [&](const ir::Argument& a) {
      if (!text.name_of(a.value).valid()) return false;
      return scene.in.roles().play(text.word_of(a.value), Role::GroupOfSelf) ||
             (text.is(a.value, ir::ExprKind::Name) && splits_above(text.name_of(a.value)));
    };
    if (text.any_argument_at(step.range, is_part)) return CodePlace{step.function, step.range};
  }
  return std::nullopt;
}

// `DDPStrategy(process_group=part)`: what is set up here is of those ranks.
Seen sets_up_part(const Scene& scene) {
  if (!scene.m.guard.known()) return std::nullopt;
  for (const PathStep& step : scene.m.first.steps) {
    if (step.function == scene.m.function) continue;
    const FunctionText text(scene.index(), step.function);
    const auto is_given_part = [&](const ir::Argument& a) {
      return scene.in.priors().suggest(text.keyword(a), NameMeaning::Group) && !text.is(a.value, ir::ExprKind::None);
    };
    if (text.any_call([&](const ir::Instruction& i) {
          return scene.in.priors().suggest(text.word_of(i.value), NameMeaning::Strategy) &&
                 std::ranges::any_of(ir::arguments(text.ir, i), is_given_part);
        }))
      return CodePlace{step.function, step.range};
  }
  return std::nullopt;
}

}  // namespace ranklint::doubts
