// Failures that a program reports, or makes on purpose:
//
//     if (best == -1) {
//       printf("no mapping fits\n");
//       MPI_Barrier(comm);                    // a rank that waits here has more to mend than a hang
//       return ERROR;
//     }
//
//     if random.random() < args.faults: raise RuntimeError("a fault")
#include <algorithm>

#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/doubts/missing_attributes.h"
#include "analyzer/flow/reached.h"
#include "analyzer/variance/local_source.h"

namespace ranklint::doubts {
namespace {

// What a function in C says of how it went, at a return. Invalid: nothing.
ValueId status_at(const ValueStore& values, const Summary& s, ir::BlockId block) {
  const ValueId result = s.blocks[block.index].result;
  if (!result.valid() || values[result].kind != ValueKind::Tuple) return result;
  return values[result].child_count > 0 ? values.child(result, 0) : ValueId{};  // then its outputs
}

// The last return in the text, taken for success. Invalid: there is none.
ir::BlockId last_return(const Summary& s, const ir::Function& f) {
  ir::BlockId last;
  for (const ir::BlockId b : s.graph().order())
    if (const ir::Terminator& end = f.blocks[b].terminator;
        end.kind == ir::TerminatorKind::Return && end.range.known() &&
        (!last.valid() || end.range.line > f.blocks[last].terminator.range.line))
      last = b;
  return last;
}

// Whether from this block on the function only raises, or returns other statuses than at its end, where it returns 0.
bool leads_to_failure(const ValueStore& values, const Summary& s, const ir::Function& f, ir::BlockId block) {
  const ir::BlockId last = last_return(s, f);
  const ValueId good = last.valid() ? status_at(values, s, last) : ValueId{};
  int64_t at_end = -1;
  const bool tells_success = good.valid() && values.integer_of(good, at_end) && at_end == 0;
  bool fails = false;
  const auto succeeds = [&](ir::BlockId at) {
    const ir::TerminatorKind end = f.blocks[at].terminator.kind;
    fails |= end == ir::TerminatorKind::Return || end == ir::TerminatorKind::Raise;
    if (end != ir::TerminatorKind::Return) return false;
    const ValueId status = status_at(values, s, at);
    return !tells_success || !status.valid() || !values.is_constant(status) || status == good;
  };
  return !leads_to(f, block, succeeds) && fails;
}

// Whether that is so of the whole side of the branch on which the ranks diverge, where the block lies.
bool side_leads_to_failure(const Scene& scene, const Summary& s, const ir::Function& f, ir::BlockId block) {
  return std::ranges::any_of(FlowGraph::successors(f.blocks[scene.divergence().at.block]), [&](ir::BlockId side) {
    return s.graph().dominates(side, block) && leads_to_failure(scene.values(), s, f, side);
  });
}

}  // namespace

// Where one of the two waits, in its function or in one that called it since they diverged, only an error is left to
// report.
Seen gives_up(const Scene& scene) {
  for (Position p : {scene.e.waiting, scene.e.other})
    for (; p.frame.valid(); p = scene.frames.after_call(p.frame)) {
      const Summary& s = scene.summary(p.frame);
      const ir::Module& module = scene.index().modules()[scene.index().functions()[s.function].module];
      const ir::Function& f = scene.code(p.frame);
      // That a rank is the first, say, is no error: its whole side of the branch is not on the way out of one.
      const bool is_by_rank = !scene.divergence().local && p.frame == scene.divergence().at.frame;
      if (module.has(ir::Convention::ReturnsErrors) && leads_to_failure(scene.values(), s, f, p.block) &&
          !(is_by_rank && side_leads_to_failure(scene, s, f, p.block)))
        return CodePlace{s.function, f.blocks[p.block].terminator.range};
      if (p.frame == scene.divergence().at.frame) break;
    }
  return std::nullopt;
}

// `if random.random() < 0.1: raise`: nothing but a drawn number is wrong. A handler may begin anew.
Seen raises_by_chance(const Scene& scene) {
  const bool fails = scene.e.other_left() || scene.e.state[Who::A].caught || scene.e.state[Who::B].caught;
  if (!fails || !scene.divergence().local || scene.m.local_source != LocalSource::Random) return std::nullopt;
  // `if not data[drawn]: raise`: what is wrong is what stands there.
  const ValueStore& values = scene.values();
  const bool looks_up = std::ranges::any_of(scene.choices(), [&](const auto& choice) {
    return values
        .find_part(choice.first,
                   [&](ValueId part) { return values[part].kind == ValueKind::Subscript && values[part].local; })
        .valid();
  });
  return seen(!looks_up, scene.guard());
}

// A hook of one rank, of an object in whose step the others fail.
Seen fails_before(const Scene& scene) { return reads_what_some_made(scene.in, scene.m.function); }

}  // namespace ranklint::doubts
