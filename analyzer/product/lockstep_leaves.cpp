// How a rank that is apart goes round loops and out of them, and where it leaves what the others go on to.
#include <algorithm>

#include "analyzer/product/lockstep.h"

namespace ranklint {

namespace {

// The block that a jump comes to past what a `for` does between its rounds.
ir::BlockId past_step(const ir::Function& f, const FlowGraph& graph, ir::BlockId target) {
  for (size_t most = f.blocks.size(); most > 0 && !graph.is_loop_header(target); --most) {
    const ir::Terminator& end = f.blocks[target].terminator;
    if (end.kind != ir::TerminatorKind::Jump || end.range.known()) break;
    target = end.successors[0];
  }
  return target;
}

}  // namespace

// Whether the jump breaks out of a loop that the ranks diverged in, or goes on with its next round. None: neither.
PathStep::Outcome Lockstep::leaves_round_of_divergence(const State& state, const Position& jump,
                                                       ir::BlockId target) const {
  const FlowGraph& graph = frames_[jump.frame].summary->graph();
  const ir::BlockId divergence = frames_.block_in(jump.frame, state.divergence->at);
  if (!divergence.valid()) return PathStep::Outcome::None;
  for (ir::BlockId above = jump.block; above.valid(); above = graph.dominator(above))
    if (graph.is_loop_header(above) && graph.lies_in_loop(divergence, above) && !graph.lies_in_loop(target, above))
      return PathStep::Outcome::Break;
  const ir::BlockId next = past_step(code(jump.frame), graph, target);
  return graph.is_loop_header(next) && graph.lies_in_loop(divergence, next) ? PathStep::Outcome::Continue
                                                                            : PathStep::Outcome::None;
}

// What a rank that is apart does at the head of a loop around the divergence, and where it jumps out of such a loop.
void Lockstep::note_loop(State& state, Who who, uint32_t successor) {
  const Position& p = state[who].at;
  if (!state.divergence || p.frame != state.divergence->at.frame) return;
  const ir::Terminator& end = code(p.frame).blocks[p.block].terminator;
  if (!end.range.known()) return;
  const FlowGraph& graph = frames_[p.frame].summary->graph();
  if (end.kind == ir::TerminatorKind::Jump) {
    const PathStep::Outcome how = leaves_round_of_divergence(state, p, end.successors[0]);
    if (how != PathStep::Outcome::None) note(state, who, PathStep::Kind::Exit, p.frame, end.range, how);
  } else if (end.is_loop) {
    const ir::BlockId divergence = frames_.block_in(p.frame, state.divergence->at);
    if (divergence.valid() && graph.lies_in_loop(divergence, p.block))
      note(state, who, PathStep::Kind::Branch, p.frame, end.range,
           successor == 0 ? PathStep::Outcome::NextRound : PathStep::Outcome::Done);
  }
}

// The jump by which the other class passes the place where the first one waits. Null: it passes it otherwise.
const Lockstep::Note* Lockstep::leaving_jump(const Encounter& e) const {
  const Divergence& divergence = *e.state.divergence;
  const FlowGraph& graph = frames_[divergence.at.frame].summary->graph();
  const ir::BlockId waits = frames_.block_in(divergence.at.frame, e.waiting);
  const Note* first = nullptr;
  for (TrailId t = e.state.trail; t.valid(); t = trails_[t].before) {
    const Trail& trail = trails_[t];
    if (trail.who != e.first && trail.note.kind == PathStep::Kind::Exit && trail.note.frame == divergence.at.frame)
      first = &trail.note;
  }
  if (!first || !waits.valid()) return nullptr;
  // Out of which block, and where to.
  const ir::Function& f = code(divergence.at.frame);
  for (const ir::BlockId block : graph.order()) {
    const ir::Terminator& end = f.blocks[block].terminator;
    if (end.kind != ir::TerminatorKind::Jump || end.range != first->range) continue;
    const ir::BlockId target = end.successors[0];
    const bool passes =
        graph.is_loop_header(target) ? graph.lies_in_loop(waits, target) : !graph.dominates(target, waits);
    return passes ? first : nullptr;
  }
  return nullptr;
}

PathStep::Outcome Lockstep::way_out(const State& state, Who who) const {
  if (state[who].has_left())
    return state[who].exit == Exit::Raised ? PathStep::Outcome::Raise : PathStep::Outcome::ExitProcess;
  const SourceRange& exit = state[who].exit_range;
  return exit.line == exit.end_line && exit.column == exit.end_column ? PathStep::Outcome::End
                                                                      : PathStep::Outcome::Return;
}

}  // namespace ranklint
