// Loops that turn as often on each rank, or whose missing rounds somebody answers:
//
//     paths = paths[: len(paths) // world_size * world_size]      # equal_shares.h
//
//     with model.join():                          # ranks without data answer the others' passes
//         for path in paths[rank::world_size]: model(load(path)).backward()
#include <algorithm>

#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/doubts/equal_shares.h"
#include "analyzer/doubts/function_text.h"
#include "analyzer/questions/contexts.h"

namespace ranklint::doubts {

// Who made what the loop there goes through: `for path in own_paths(rank):`. Invalid: none of the project.
static FunctionKey maker_of_rounds(const FunctionText& text, SourceRange loop) {
  for (const ir::Block& header : text.ir.blocks) {
    const ir::Terminator& end = header.terminator;
    if (end.kind != ir::TerminatorKind::Iterate || end.range != loop || !text.is(end.value, ir::ExprKind::Name))
      continue;
    FunctionKey maker;
    text.any_call([&](const ir::Instruction& i) {
      const bool makes = text.gives_name(i, text.name_of(end.value));
      if (makes) maker = text.index.resolve(text.module, text.ir, i.value).function;
      return makes;
    });
    return maker;
  }
  return {};
}

Seen equal_shares(const Scene& scene) {
  const Mismatch& m = scene.m;
  if (!m.guard.known() || m.cause != Mismatch::Cause::RankLoop) return std::nullopt;
  const FunctionKey maker = maker_of_rounds(FunctionText(scene.index(), m.function), m.guard);
  return seen(makes_equal_shares(scene.in, m.function) || (maker.valid() && makes_equal_shares(scene.in, maker)),
              scene.guard());
}

// A pass through a wrapped model, which Join answers for a rank that has no more data.
static bool is_pass(const Arrival& arrival) { return arrival.about == "forward" || arrival.op == "gradient_reduction"; }

Seen answered_by_join(const Scene& scene) {
  const Mismatch& m = scene.m;
  const bool is_loop = m.cause == Mismatch::Cause::RankLoop || m.cause == Mismatch::Cause::LocalLoop;
  const Summary* s = is_loop && (is_pass(m.first) || is_pass(m.second)) ? scene.in.summary(m.function) : nullptr;
  if (!s) return std::nullopt;
  const ProjectIndex& index = scene.index();
  const ir::Function& f = index.function(m.function);
  return seen(std::ranges::any_of(s->graph.order(),
                                  [&](ir::BlockId header) {
                                    if (f.blocks[header].terminator.range != m.guard) return false;
                                    const Place at{header, static_cast<uint32_t>(f.blocks[header].instructions.size())};
                                    return std::ranges::any_of(
                                        Contexts(index, *s).open_at(at), [&](const OpenContext& c) {
                                          return scene.in.roles().play(c.name, Role::AnswersForFinished);
                                        });
                                  }),
              scene.guard());
}

}  // namespace ranklint::doubts
