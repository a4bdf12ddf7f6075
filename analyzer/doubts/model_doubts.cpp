// Models that are trained, wrapped or sharded, and what is taken for that on a way where it hardly is:
//
//     model = Model.from_pretrained(folder)       # another caller wraps its model; this one does not
//     evaluate(model)
//
//     whole = get_model_state_dict(model)         # and only then:
//     fully_shard(model)
#include <algorithm>
#include <array>

#include "analyzer/base/among.h"
#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/doubts/function_text.h"
#include "analyzer/doubts/term_words.h"
#include "analyzer/program/given_for.h"
#include "analyzer/questions/contexts.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/callee_role.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/variance/terms.h"

namespace ranklint::doubts {
namespace {

// Whether code asks if something is sharded: `isinstance(x, DTensor)`, in itself or in what it calls.
class ShardingQuestion {
 public:
  explicit ShardingQuestion(const Query& in) : index_(in.index()), roles_(in.roles()) {}

  bool is_asked_in(FunctionKey f, int depth = 3) const {
    const ir::Function& code = index_.function(f);
    const ModuleKey module = index_.functions()[f].module;
    const ir::Module& text = index_.modules()[module];
    for (const ir::Block& block : code.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind != ir::InstructionKind::Call || code.exprs[i.value].kind != ir::ExprKind::Name) continue;
        const auto arguments = ir::arguments(code, i);
        if (is_builtin(text.text(code.exprs[i.value].symbol), Builtin::Isinstance) && arguments.size() == 2 &&
            names_sharded(code, text, arguments[1].value))
          return true;
        const Entity callee = index_.resolve(module, code, i.value);
        if (depth > 0 && callee.kind == Entity::Kind::Function && is_asked_in(callee.function, depth - 1)) return true;
      }
    return depth > 0 && is_asked_below(f, depth - 1);
  }

 private:
  // In a generator, lambda or function that is written inside `f`.
  bool is_asked_below(FunctionKey f, int depth) const {
    const ModuleKey module = index_.functions()[f].module;
    for (FunctionKey inner{f.index + 1};
         inner.index < index_.functions().size() && index_.functions()[inner].module == module; ++inner.index)
      if (index_.functions()[inner].parent == f && is_asked_in(inner, depth)) return true;
    return false;
  }

  bool names_sharded(const ir::Function& code, const ir::Module& text, ir::ExprId e) const {
    const ir::Expr& expr = code.exprs[e];
    if (expr.kind == ir::ExprKind::Name || expr.kind == ir::ExprKind::Attribute)
      return roles_.play(text.text(expr.symbol), Role::ShardedType);
    return expr.kind == ir::ExprKind::Tuple &&
           std::ranges::any_of(ir::children(code, e), [&](ir::ExprId part) { return names_sharded(code, text, part); });
  }

  const ProjectIndex& index_;
  const Roles& roles_;
};

// Whether a function or a block runs without gradients: `@torch.no_grad()`, `with torch.inference_mode():`.
bool takes_gradients_off(const Query& in, std::string_view name) {
  return in.roles().play(name, Role::TakesGradientsOff);
}

bool runs_without_gradients(const Query& in, FunctionKey f) {
  const ProjectIndex& index = in.index();
  const ir::Function& function = index.function(f);
  return std::ranges::any_of(function.decorators, [&](ir::ExprId decorator) {
    const bool called = function.exprs[decorator].kind == ir::ExprKind::Call;
    return takes_gradients_off(in, index.dotted(index.functions()[f].module, function,
                                                called ? ir::children(function, decorator)[0] : decorator));
  });
}

bool runs_without_gradients(const Query& in, const Summary& summary, SourceRange call) {
  return runs_without_gradients(in, summary.function) ||
         std::ranges::any_of(open_contexts(in.index(), summary, call),
                             [&](const OpenContext& open) { return takes_gradients_off(in, open.name); });
}

// Whether one of the choices takes a model for being trained: `self.training` holds.
bool takes_for_training(const Scene& scene) {
  return std::ranges::any_of(scene.choices(), [&](const auto& chosen) {
    const Value& v = scene.values()[chosen.first];
    return chosen.second && v.kind == ValueKind::Attribute &&
           scene.in.roles().play(scene.index().names().text(Symbol{v.a}), Role::TellsTraining);
  });
}

// `isinstance(x, DTensor)` is a part of it, by what the class is called: here, or where it comes from.
bool tests_for_sharded(const Query& in, const ValueStore& values, ValueId condition) {
  const auto names_sharded = [&](ValueId part) {
    return in.roles().play(word_of(values, in.index(), part), Role::ShardedType);
  };
  return values
      .find_part(condition,
                 [&](ValueId part) {
                   return is_call_of(values, in.index(), part, Builtin::Isinstance) &&
                          values.find_part(part, names_sharded).valid();
                 })
      .valid();
}

// Whether one of the choices takes something for a sharded model or tensor: `isinstance(model, FSDP)` holds.
bool takes_for_sharded(const Scene& scene) {
  const ValueStore& values = scene.values();
  return std::ranges::any_of(scene.choices(), [&](const auto& chosen) {
    if (!chosen.second) return false;
    // `any(is_sharded(m) for m in models)`: what the generator yields is known by its place only.
    const ValueId unknown = values.find_part(chosen.first, [&](ValueId part) {
      return values[part].kind == ValueKind::Pure && values[part].child_count == 1 &&
             values[values.child(part, 0)].kind == ValueKind::Opaque && scene.in.made_at(values.child(part, 0));
    });
    if (unknown.valid() && ShardingQuestion(scene.in).is_asked_in(scene.in.made_at(values.child(unknown, 0))->function))
      return true;
    return tests_for_sharded(scene.in, values, chosen.first);
  });
}

// Whether what is waited in reads a tensor of which each rank has a part.
bool reads_parts(const Scene& scene) { return scene.model().about == ModelAbout::TensorRead; }

bool sends_buffers(const Query& in, const Step& step) {
  return step.event && in.roles().play(step.event->model->name, Role::SendsBuffers);
}

// The class sends the buffers of a model in a forward pass there, with none with gradients after it.
bool sends_them_once(const Scene& scene, const Position& p) {
  const Step& step = scene.step_at(p);
  if (!sends_buffers(scene.in, step)) return false;
  if (runs_without_gradients(scene.in, scene.summary(p.frame), step.range)) return true;
  for (FrameId f = p.frame; scene.frames[f].caller.valid(); f = scene.frames[f].caller)
    if (runs_without_gradients(scene.in, scene.summary(scene.frames[f].caller), scene.frames[f].call_range))
      return true;
  return false;
}

// So the buffers that they send may be out of step after one rank's evaluation, and in step again later.
bool sent_them_alone(const Scene& scene, const Arrival& arrival) {
  return std::ranges::any_of(arrival.steps, [&](const PathStep& step) {
    const bool sends =
        step.kind == PathStep::Kind::Collective && scene.in.roles().play(step.what, Role::BringsToOthers);
    const Summary* s = sends ? scene.in.summary(step.function) : nullptr;
    return s && runs_without_gradients(scene.in, *s, step.range);
  });
}

// In rounds of which ranks make different numbers: but for the first, nothing is sent in them.
bool sends_them_in_loop_around(const Scene& scene, const Position& p) {
  const Position& divergence = scene.divergence().at;
  if (p.frame != divergence.frame || !sends_them_once(scene, p)) return false;
  const FlowGraph& graph = scene.summary(p.frame).graph();
  const ir::BlockId header = graph.loop_around(p.block);
  return header.valid() && graph.lies_in_loop(divergence.block, header);
}

// The call that is written there is given a variable that is such.
template <typename Wanted>
bool hands_over(const FunctionText& text, SourceRange call, const Wanted& wanted) {
  return text.any_argument_at(call, [&](const ir::Argument& a) {
    return text.is(a.value, ir::ExprKind::Name) && wanted(text.ir.exprs[a.value].symbol);
  });
}

bool shards_behind(const Scene& scene, const FunctionText& text, Symbol model, SourceRange from) {
  return text.any_call([&](const ir::Instruction& i) {
    return i.range.line > from.line && scene.in.priors().suggest(text.word_of(i.value), NameMeaning::Sharder) &&
           std::ranges::any_of(ir::arguments(text.ir, i), [&](const ir::Argument& a) {
             return text.is(a.value, ir::ExprKind::Name) && text.name_of(a.value) == model;
           });
  });
}

// A model that was loaded above it, and that nothing else has made since.
bool is_loaded(const Scene& scene, const FunctionText& text, Symbol name, SourceRange before) {
  const ir::Instruction* last = nullptr;
  for (const ir::Block& block : text.ir.blocks)
    for (const ir::Instruction& i : block.instructions)
      if (text.gives_name(i, name) && i.range.line < before.line && (!last || i.range.line >= last->range.line))
        last = &i;
  return last && last->kind == ir::InstructionKind::Call && text.is(last->value, ir::ExprKind::Attribute) &&
         scene.in.roles().play(text.word_of(last->value), Role::MakesModel);
}

// The last instruction above a line that gives the variable a value, by itself or among others; null: none. What gives
// one to a part of the variable does not count.
const ir::Instruction* last_giving(const FunctionText& text, Symbol name, uint32_t line) {
  const auto is_part = [&](ir::ExprId target) {
    return text.is(target, ir::ExprKind::Attribute) || text.is(target, ir::ExprKind::Subscript);
  };
  const ir::Instruction* last = nullptr;
  for (const ir::Block& block : text.ir.blocks)
    for (const ir::Instruction& i : block.instructions)
      if (i.range.line < line && (!last || i.range.line >= last->range.line) && !is_part(i.target) &&
          ir::any_part(
              text.ir, i.target,
              [&](ir::ExprId part) { return text.is(part, ir::ExprKind::Name) && text.ir.exprs[part].symbol == name; }))
        last = &i;
  return last;
}

bool may_wrap(const Scene& scene, const FunctionText& text, const ir::Instruction& call) {
  const std::string_view word = text.word_of(call.value);
  return call.kind != ir::InstructionKind::Call ||
         std::ranges::any_of(std::array{NameMeaning::Wrapper, NameMeaning::Sharder, NameMeaning::PlacesModel},
                             [&](NameMeaning meaning) { return scene.in.priors().suggest(word, meaning); });
}

// Whether what may wrap a model in place is given the variable between two lines.
bool is_wrapped_between(const Scene& scene, const FunctionText& text, Symbol name, uint32_t from, uint32_t to) {
  return text.any_call([&](const ir::Instruction& i) {
    return i.range.line >= from && i.range.line < to && may_wrap(scene, text, i) &&
           std::ranges::any_of(
               ir::arguments(text.ir, i),
               [&](const ir::Argument& a) {
                 return text.is(a.value, ir::ExprKind::Name) && text.name_of(a.value) == name;
               });
  });
}

// `average = copy.deepcopy(model)` above the place where `model` is wrapped: the copy stays as it was made.
bool is_plain_copy(const Scene& scene, const FunctionText& text, Symbol name, SourceRange before) {
  const ir::Instruction* copied = last_giving(text, name, before.line);
  if (!copied || copied->kind != ir::InstructionKind::Call || ir::arguments(text.ir, *copied).empty() ||
      !scene.in.roles().play(text.index.dotted(text.module, text.ir, copied->value), Role::CopiesObject))
    return false;
  const Symbol original = text.name_of(ir::arguments(text.ir, *copied)[0].value);
  const ir::Instruction* made = original.valid() ? last_giving(text, original, copied->range.line) : nullptr;
  return made && !may_wrap(scene, text, *made) && !is_wrapped_between(scene, text, original, 0, copied->range.line) &&
         !is_wrapped_between(scene, text, name, copied->range.line, before.line);
}

// Whether it makes an object of a class, the project's or an imported one, out of no other model.
bool makes_model_anew(const Scene& scene, const FunctionText& text, const ir::Instruction& call) {
  if (call.kind != ir::InstructionKind::Call || may_wrap(scene, text, call)) return false;
  const Entity made = text.index.resolve(text.module, text.ir, call.value);
  const std::string_view word = text.word_of(call.value);
  const bool is_class = made.kind == Entity::Kind::Class ||
                        (made.kind == Entity::Kind::External && !word.empty() && word[0] >= 'A' && word[0] <= 'Z');
  return is_class && std::ranges::none_of(ir::arguments(text.ir, call), [&](const ir::Argument& a) {
           return scene.in.priors().suggest(text.word_of(a.value), NameMeaning::Model);
         });
}

// `model = Model(options)` after the branch where ranks diverge, then `state_of(model)`: this rank made the model
// alone, and sharding one takes all ranks.
bool is_made_alone(const Scene& scene, const FunctionText& text, const PathStep& step) {
  if (step.function != scene.m.function) return false;
  return text.any_call([&](const ir::Instruction& call) {
    const auto arguments = ir::arguments(text.ir, call);
    if (call.range != step.range || arguments.empty() || !text.is(arguments[0].value, ir::ExprKind::Name)) return false;
    const Symbol name = text.name_of(arguments[0].value);
    const ir::Instruction* made = last_giving(text, name, step.range.line);
    return made && made->range.line > scene.m.guard.line && text.gives_name(*made, name) &&
           makes_model_anew(scene, text, *made) &&
           !is_wrapped_between(scene, text, name, made->range.line, step.range.line);
  });
}

// Whether the call gives the whole state of a model: `get_model_state_dict(model, options=Options(whole=True))`.
bool gives_whole_state(const Scene& scene, const FunctionText& text, const ir::Instruction& call) {
  const RoleEntry* gives =
      role_of(scene.in.roles(), text.index, text.module, text.ir, call.value, Role::GivesWholeState);
  const ir::ExprId options =
      gives ? given_for(text.ir, text.words, call, gives->argument.position, gives->argument.keyword) : ir::ExprId{};
  const Symbol name = text.name_of(options);
  const ir::Instruction* made = name.valid() ? last_giving(text, name, call.range.end_line + 1) : nullptr;
  return made && made->kind == ir::InstructionKind::Call &&
         std::ranges::any_of(ir::arguments(text.ir, *made), [&](const ir::Argument& a) {
           return text.keyword(a) == gives->note && text.is(a.value, ir::ExprKind::True);
         });
}

// Whether the call gives such a state, or is a method of a variable that holds one: `state.items()`.
bool is_of_whole_state(const Scene& scene, const FunctionText& text, const ir::Instruction& call) {
  if (gives_whole_state(scene, text, call)) return true;
  const Symbol holder =
      text.is(call.value, ir::ExprKind::Attribute) ? text.name_of(ir::children(text.ir, call.value)[0]) : Symbol{};
  const ir::Instruction* made = holder.valid() ? last_giving(text, holder, call.range.line) : nullptr;
  return made && made->kind == ir::InstructionKind::Call && gives_whole_state(scene, text, *made);
}

}  // namespace

Seen trains_without_gradients(const Scene& scene) {
  if (!takes_for_training(scene)) return std::nullopt;
  for (const FrameId from : {scene.e.waiting.frame, scene.e.other.frame})
    for (FrameId f = from; f.valid(); f = scene.frames[f].caller)
      if (const FunctionKey function = scene.summary(f).function; runs_without_gradients(scene.in, function))
        return CodePlace{function, scene.index().function(function).name_range};
  return std::nullopt;
}

// `DistributedDataParallel(model, broadcast_buffers=False)` in one of the files on the way: its forward pass sends
// nothing.
Seen keeps_buffers(const Scene& scene) {
  const ProjectIndex& index = scene.index();
  Seen found;
  const auto keeps_in = [&](FunctionKey f) {
    const FunctionText text(index, f);
    return text.any_call([&](const ir::Instruction& i) {
      const bool keeps = std::ranges::any_of(ir::arguments(text.ir, i), [&](const ir::Argument& a) {
        return scene.in.roles().takes_by_keyword(text.keyword(a), Role::SendsBuffers) &&
               !text.is(a.value, ir::ExprKind::True);
      });
      if (keeps) found = CodePlace{f, i.range};
      return keeps;
    });
  };
  const auto keeps_in_file = [&](ModuleKey module) {
    const auto count = static_cast<uint32_t>(index.modules()[module].functions.size());
    for (uint32_t f = 0; f < count; ++f)
      if (keeps_in(index.key(module, ir::FunctionId{f}))) return true;
    return false;
  };
  for (const Position& p : {scene.e.waiting, scene.e.other}) {
    if (p.at_end() || !sends_buffers(scene.in, scene.step_at(p))) continue;
    for (FrameId f = p.frame; f.valid(); f = scene.frames[f].caller)
      if (keeps_in_file(index.functions()[scene.summary(f).function].module)) return found;
  }
  return std::nullopt;
}

// DistributedDataParallel sends the buffers of its model, if it has any, in the first forward pass after one with
// gradients. Where rank 0 evaluates alone, what it sends then is what the others send before their next step.
Seen sends_buffers_once(const Scene& scene) {
  const Encounter& e = scene.e;
  const bool goes_on = e.other.at_end() || e.met;
  return seen((goes_on && sends_them_once(scene, e.waiting)) ||
                  (e.met && (sent_them_alone(scene, scene.m.first) || sent_them_alone(scene, scene.m.second))) ||
                  sends_them_in_loop_around(scene, e.waiting) ||
                  (!e.other.at_end() && sends_them_in_loop_around(scene, e.other)),
              scene.waiting());
}

// Whether it was decided on the way that another strategy of sharding is in use than one that communicates, or the
// options that are written out say so.
Seen other_strategy(const Scene& scene) {
  if (scene.model().about == ModelAbout::GatheredParameters && keeps_parameters_whole(scene)) return scene.waiting();
  if (!scene.model().conditional) return std::nullopt;
  if (const Seen options = made_without_sharding(scene)) return options;
  const ValueStore& values = scene.values();
  const auto names_strategy = [&](ValueId part) {
    const std::string_view word = word_of(values, scene.index(), part);
    return scene.in.priors().suggest(word, NameMeaning::ShardingOption);
  };
  const auto negates = [&](ValueId part) {
    using enum ir::Operator;
    const ir::Operator op = values[part].op;
    return op == Not || op == NotEqual || op == NotIn || op == IsNot;
  };
  const auto asks = [&](ValueId condition) { return values.find_part(condition, names_strategy).valid(); };
  const auto denies = [&](ValueId condition) { return values.find_part(condition, negates).valid(); };
  return seen(asks(scene.divergence().condition) ||
                  std::ranges::any_of(scene.choices(),
                                      [&](const auto& chosen) {
                                        return asks(chosen.first) && (!chosen.second || denies(chosen.first));
                                      }),
              scene.waiting());
}

// What communicates only in later versions of its library than the project is written for.
Seen older_library(const Scene& scene) {
  const std::optional<Doubt> older = scene.in.older_library(scene.m.function, scene.model().needs);
  return older ? Seen(older->place) : std::nullopt;
}

// A helper that asks whether the model is sharded before it communicates is called by one rank alone where it is not.
Seen taken_for_sharded(const Scene& scene) {
  const ModelAbout about = scene.model().about;
  return seen(scene.is_below_divergence() && (about == ModelAbout::Communication || about == ModelAbout::StateDict) &&
                  takes_for_sharded(scene),
              scene.waiting());
}

// Whether what the call is handed is sharded further down: here it is whole.
Seen sharded_behind(const Scene& scene) {
  const Mismatch& m = scene.m;
  if (!m.guard.known() || m.first.about != ModelAbout::StateDict) return std::nullopt;
  const FunctionText text(scene.index(), m.function);
  for (const PathStep& step : m.first.steps)
    if (step.function == m.function &&
        hands_over(text, step.range, [&](Symbol model) { return shards_behind(scene, text, model, step.range); }))
      return CodePlace{step.function, step.range};
  return std::nullopt;
}

// Whether an argument of a call is a model that was loaded above it, copied before the original was wrapped, or made by
// this rank alone, and is called otherwise by nothing since.
Seen loaded_unwrapped(const Scene& scene) {
  const Mismatch& m = scene.m;
  const bool may_be_whole = m.first.about == ModelAbout::Forward || m.first.about == ModelAbout::StateDict;
  if (!m.guard.known() || !may_be_whole) return std::nullopt;
  for (const PathStep& step : m.first.steps) {
    if (step.kind != PathStep::Kind::Call && step.kind != PathStep::Kind::Collective) continue;
    const bool calls = step.kind == PathStep::Kind::Call;
    const FunctionText text(scene.index(), step.function);
    if (hands_over(text, step.range,
                   [&](Symbol model) {
                     return (calls && is_loaded(scene, text, model, step.range)) ||
                            is_plain_copy(scene, text, model, step.range);
                   }) ||
        is_made_alone(scene, text, step))
      return CodePlace{step.function, step.range};
  }
  return std::nullopt;
}

// Whether what is read was gathered before, on all ranks: no part is left on another.
Seen whole_before(const Scene& scene) {
  const Step& step = scene.step_at(scene.e.waiting);
  if (!reads_parts(scene) || !step.event->group.valid()) return std::nullopt;
  const ValueStore& values = scene.values();
  Seen found;
  values.find_part(step.event->group, [&](ValueId part) {
    const Site* site = scene.in.made_at(part);
    if (!site || values[part].kind != ValueKind::Opaque) return false;
    const ir::Instruction* call = scene.in.call_at(*site);
    if (call && is_of_whole_state(scene, FunctionText(scene.index(), site->function), *call))
      found = CodePlace{site->function, call->range};
    return found.has_value();
  });
  return found;
}

}  // namespace ranklint::doubts
