// One rank works alone, or its process is a job by itself:
//
//     os.environ["WORLD_SIZE"] = "1"                # from here on this process is the whole world
//
//     writer = open_table(path, world_size=1)       # it is alone by its argument
//
//     assert rank == 0                              # the others do not come here
//
//     if rank == 0: barrier()                       # a program for two
//     elif rank == 1: barrier()
#include <algorithm>

#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/doubts/function_text.h"
#include "analyzer/flow/graph.h"
#include "analyzer/variance/terms.h"

namespace ranklint::doubts {

static bool is_string(const FunctionText& text, ir::ExprId e, std::string_view wanted) {
  return text.is(e, ir::ExprKind::String) && text.words.text(text.ir.exprs[e].symbol) == wanted;
}

Seen world_of_its_own(const Scene& scene) {
  if (!scene.m.guard.known()) return std::nullopt;
  Seen found;
  const auto runs_alone = [&](FunctionKey f) {
    const FunctionText text(scene.index(), f);
    return text.any([&](const ir::Instruction& i) {
      const bool sets = i.kind == ir::InstructionKind::Assign && text.is(i.target, ir::ExprKind::Subscript) &&
                        is_string(text, i.value, "1") &&
                        is_string(text, ir::children(text.ir, i.target)[1], "WORLD_SIZE");
      if (sets) found = CodePlace{f, i.range};
      return sets;
    });
  };
  if (!runs_alone(scene.m.function))
    std::ranges::any_of(scene.m.first.steps, [&](const PathStep& step) { return runs_alone(step.function); });
  return found;
}

// `f(..., world_size=1)` between the guard and where the ranks go on.
Seen states_one_rank(const Scene& scene) {
  const Mismatch& m = scene.m;
  if (!m.guard.known()) return std::nullopt;
  const auto goes_on = std::ranges::find_if(m.first.steps, [&](const PathStep& step) {
    return step.function == m.function &&
           (step.kind == PathStep::Kind::Call || step.kind == PathStep::Kind::Collective);
  });
  if (goes_on == m.first.steps.end()) return std::nullopt;
  const FunctionText text(scene.index(), m.function);
  const auto says_one = [&](const ir::Argument& a) {
    return scene.in.priors().suggest(text.keyword(a), NameMeaning::WorldSize) &&
           text.is(a.value, ir::ExprKind::Integer) && text.words.text(text.ir.exprs[a.value].symbol) == "1";
  };
  return seen(text.any_call([&](const ir::Instruction& i) {
    return i.range.line >= m.guard.line && i.range.line <= goes_on->range.line &&
           std::ranges::any_of(ir::arguments(text.ir, i), says_one);
  }),
              scene.guard());
}

// `rank`, `self.rank`, and what `get_rank()` was stored in.
static bool is_rank(const NamePriors& priors, const FunctionText& text, ir::ExprId e) {
  const Symbol name = text.name_of(e);
  if (!name.valid()) return false;
  const auto suggests = [&](std::string_view word) { return priors.suggest(word, NameMeaning::Rank); };
  if (!SymbolTable::is_unnamed(text.words.text(name))) return suggests(text.words.text(name));
  return text.any_call(
      [&](const ir::Instruction& i) { return text.gives_name(i, name) && suggests(text.word_of(i.value)); });
}

// `assert rank == 0` stands after a place.
Seen asserts_rank(const Scene& scene) {
  if (!scene.m.guard.known()) return std::nullopt;
  const FunctionText text(scene.index(), scene.m.function);
  Seen found;
  text.any([&](const ir::Instruction& i) {
    if (i.kind != ir::InstructionKind::Assert || i.range.line <= scene.m.guard.line ||
        !text.is_binary(i.value, ir::Operator::Equal))
      return false;
    const auto sides = ir::children(text.ir, i.value);
    if (!text.is(sides[1], ir::ExprKind::Integer) || !is_rank(scene.in.priors(), text, sides[0])) return false;
    found = CodePlace{scene.m.function, i.range};
    return true;
  });
  return found;
}

// The variable that the block's branch compares with another value: `rank` of `rank == 0` and of `0 == rank`.
static Symbol number_asked(const FunctionText& text, const ir::Block& block) {
  const ir::Terminator& end = block.terminator;
  if (end.kind != ir::TerminatorKind::Branch || end.is_loop || !text.is_binary(end.value, ir::Operator::Equal))
    return {};
  const auto sides = ir::children(text.ir, end.value);
  return text.name_of(text.is(sides[0], ir::ExprKind::Integer) ? sides[1] : sides[0]);
}

static Symbol called_at(const FunctionText& text, SourceRange range) {
  Symbol name;
  text.any_call([&](const ir::Instruction& i) {
    if (i.range == range) name = text.name_of(i.value);
    return i.range == range;
  });
  return name;
}

// `if rank == 0: call() elif rank == 1: call()`, where the first one is asked for at the guard.
Seen names_two_ranks(const Scene& scene) {
  const Mismatch& m = scene.m;
  if (!m.guard.known() || m.first.steps.empty() || m.first.steps.back().function != m.function) return std::nullopt;
  const FunctionText text(scene.index(), m.function);
  const auto first = std::ranges::find_if(text.ir.blocks, [&](const ir::Block& b) {
    return b.terminator.range.line == m.guard.line && number_asked(text, b).valid();
  });
  const Symbol callee = called_at(text, m.first.steps.back().range);
  if (first == text.ir.blocks.end() || !callee.valid()) return std::nullopt;
  const ir::Block& next = text.ir.blocks[first->terminator.successors[1]];
  if (!next.instructions.empty() || number_asked(text, next) != number_asked(text, *first)) return std::nullopt;
  const FlowGraph flow(text.ir);
  return seen(
      std::ranges::any_of(flow.order(),
                          [&](ir::BlockId b) {
                            return flow.dominates(next.terminator.successors[0], b) &&
                                   std::ranges::any_of(text.ir.blocks[b].instructions, [&](const ir::Instruction& i) {
                                     return i.kind == ir::InstructionKind::Call && text.name_of(i.value) == callee;
                                   });
                          }),
      {m.function, next.terminator.range});
}

// At a program's end rank 0 looks at results by itself: what its helpers do with sharded tensors and within groups they
// hardly do for it. What meets all ranks they do for anyone. Where each rank decides by what it sees alone, its clock
// or its files, it is no choice of rank 0.
Seen looks_at_results(const Scene& scene) {
  const Encounter& e = scene.e;
  const Model& model = scene.model();
  const bool meets_all = scene.frames.group().world && model.about == ModelAbout::Communication && !model.conditional &&
                         scene.divergence().decided;
  return seen(e.state[other(e.first)].exit == Exit::ToreDown && scene.is_below_divergence() && !meets_all &&
                  !scene.divergence().local,
              scene.guard());
}

// A rank that ends its process first is not in the world that the others set up, and the function that sets it up
// further down tests whether it is there.
Seen sets_up_world_below(const Scene& scene) {
  const Encounter& e = scene.e;
  return seen(
      scene.model().kind == ModelKind::Setup && ((e.other_left() && !e.other_raised()) || scene.is_below_divergence()),
      scene.waiting());
}

// `if torch.cuda.device_count() > 1:` around what makes them agree: a job of several ranks has more than one device, as
// a rule.
Seen agrees_on_many_devices(const Scene& scene) {
  const ValueStore& values = scene.values();
  const auto counts_devices = [&](ValueId part) {
    return scene.in.roles().play(function_of(values, scene.index(), part), Role::CountsDevices);
  };
  return seen(scene.asks([&](ValueId part) {
    if (values[part].kind != ValueKind::Conditional || !values.find_part(values.child(part, 0), counts_devices).valid())
      return false;
    return !values.diverges(values.child(part, 1)) || !values.diverges(values.child(part, 2));
  }),
              scene.guard());
}

}  // namespace ranklint::doubts
