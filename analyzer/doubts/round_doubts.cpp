// Loops with as many rounds on each rank, or whose missing rounds the other ranks answer:
//
//     paths = paths[: len(paths) // world_size * world_size]      # equal_shares.h
//
//     with model.join():                          # ranks without data answer the others' passes
//         for path in paths[rank::world_size]: model(load(path)).backward()
//
//     while before < total:                       # only the round that reduces changes what is asked
//         if time.time() >= due:
//             before, total = total, all_reduce(len(items))
#include <algorithm>
#include <set>

#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/doubts/equal_shares.h"
#include "analyzer/doubts/function_text.h"
#include "analyzer/flow/reached.h"
#include "analyzer/questions/contexts.h"

namespace ranklint::doubts {

// The function that made what the loop there goes through: `for path in own_paths(rank):`. Invalid: none of the
// project.
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
static bool is_pass(const Arrival& arrival) {
  return arrival.about == ModelAbout::Forward || arrival.op == "gradient_reduction";
}

Seen answered_by_join(const Scene& scene) {
  const Mismatch& m = scene.m;
  const bool is_loop = m.cause == Mismatch::Cause::RankLoop || m.cause == Mismatch::Cause::LocalLoop;
  const Summary* s = is_loop && (is_pass(m.first) || is_pass(m.second)) ? scene.in.summary(m.function) : nullptr;
  if (!s) return std::nullopt;
  const ProjectIndex& index = scene.index();
  const ir::Function& f = index.function(m.function);
  return seen(
      std::ranges::any_of(s->graph().order(),
                          [&](ir::BlockId header) {
                            if (f.blocks[header].terminator.range != m.guard) return false;
                            const ProgramPoint at{header, static_cast<uint32_t>(f.blocks[header].instructions.size())};
                            return std::ranges::any_of(Contexts(index, *s).open_at(at), [&](const OpenContext& c) {
                              return scene.in.roles().play(c.name, Role::AnswersForFinished);
                            });
                          }),
      scene.guard());
}

namespace {

// The rounds of a loop in which nothing communicates.
class SilentRounds {
 public:
  SilentRounds(const Scene& scene, ir::BlockId header)
      : text_(scene.index(), scene.summary(scene.divergence().at.frame).function),
        graph_(scene.summary(scene.divergence().at.frame).graph()),
        header_(header) {
    for (const ir::BlockId b : graph_.loop_blocks(header))
      if (!scene.frames.relevant_block(scene.divergence().at.frame, b)) silent_.insert(b);
  }

  // Whether they leave the loop at its head only, and change nothing that its condition asks.
  bool keep_condition() const {
    const ir::Terminator& head = text_.ir.blocks[header_].terminator;
    if (head.kind != ir::TerminatorKind::Branch || !silent_.contains(header_) || !reads_only_names(head.value))
      return false;
    const std::set<ir::BlockId> begun = reached([&](ir::BlockId b) { return successors(b); });
    const std::set<ir::BlockId> ended = reached([&](ir::BlockId b) { return graph_.predecessors(b); });
    return std::ranges::all_of(
        begun, [&](ir::BlockId b) { return !leaves(b) && (!ended.contains(b) || !touches(text_.ir.blocks[b])); });
  }

 private:
  std::vector<ir::BlockId> successors(ir::BlockId b) const { return FlowGraph::successors(text_.ir.blocks[b]); }

  // The blocks that such a round passes on the way from the head, or to it.
  template <typename Next>
  std::set<ir::BlockId> reached(const Next& next) const {
    return reached_from({header_}, [&](ir::BlockId b) {
      std::vector<ir::BlockId> ways = next(b);
      std::erase_if(ways, [&](ir::BlockId way) { return !silent_.contains(way); });
      return ways;
    });
  }

  // Nothing but variables and numbers, so that only what is given to a variable changes it.
  bool reads_only_names(ir::ExprId condition) const {
    return condition.valid() && !ir::any_part(text_.ir, condition, [&](ir::ExprId part) {
             using enum ir::ExprKind;
             const ir::ExprKind kind = text_.ir.exprs[part].kind;
             return kind != Name && kind != Integer && kind != Float && kind != Unary && kind != Binary &&
                    kind != And && kind != Or;
           });
  }

  bool leaves(ir::BlockId b) const {
    const std::vector<ir::BlockId> after = successors(b);
    return b != header_ && (after.empty() || !std::ranges::all_of(after, [&](ir::BlockId next) {
                              return graph_.lies_in_loop(next, header_);
                            }));
  }

  // Whether it gives one of the variables of the condition a value, or passes it to a callee.
  bool touches(const ir::Block& block) const {
    return mentions(block.terminator.target) || std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) {
             return mentions(i.target) || (i.kind == ir::InstructionKind::Call && is_method_of_asked(i.value));
           });
  }

  bool is_method_of_asked(ir::ExprId callee) const {
    return text_.is(callee, ir::ExprKind::Attribute) && mentions(ir::children(text_.ir, callee)[0]);
  }

  bool mentions(ir::ExprId e) const {
    return ir::any_part(text_.ir, e, [&](ir::ExprId part) {
      return text_.is(part, ir::ExprKind::Name) && is_asked(text_.ir.exprs[part].symbol);
    });
  }

  bool is_asked(Symbol name) const {
    return ir::any_part(text_.ir, text_.ir.blocks[header_].terminator.value, [&](ir::ExprId part) {
      return text_.is(part, ir::ExprKind::Name) && text_.ir.exprs[part].symbol == name;
    });
  }

  const FunctionText text_;
  const FlowGraph& graph_;
  const ir::BlockId header_;
  std::set<ir::BlockId> silent_;
};

}  // namespace

// The one rank has waited since the round in which the other did not call: that one comes to the same place again,
// until it calls, too.
Seen same_loop_condition(const Scene& scene) {
  const Position& divergence = scene.divergence().at;
  const FlowGraph& graph = scene.summary(divergence.frame).graph();
  const ir::BlockId header = graph.loop_around(divergence.block);
  if (!header.valid() || header == divergence.block) return std::nullopt;
  const auto in_loop = [&](const Position& p) {
    const ir::BlockId block = scene.frames.block_in(divergence.frame, p);
    return block.valid() && graph.lies_in_loop(block, header);
  };
  if (!in_loop(scene.e.waiting) || in_loop(scene.e.other)) return std::nullopt;
  return seen(SilentRounds(scene, header).keep_condition(), scene.guard());
}

}  // namespace ranklint::doubts
