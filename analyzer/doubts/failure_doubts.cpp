// Failures that a program reports, or makes on purpose:
//
//     if (best == -1) {
//       printf("no mapping fits\n");
//       MPI_Barrier(comm);                    // a rank that waits here has more to mend than a hang
//       return ERROR;
//     }
//
//     if random.random() < args.faults: raise RuntimeError("a fault")
//
//     if rank == 0: dist.all_reduce(x)
//     abort_process_group()                   // ends the wait: that is what is tried here
#include <algorithm>
#include <set>

#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/doubts/function_text.h"
#include "analyzer/doubts/missing_attributes.h"
#include "analyzer/resolve/callee_role.h"
#include "analyzer/variance/local_source.h"

namespace ranklint::doubts {
namespace {

constexpr int kDeepestAbort = 2;  // calls

// What a function in C says of how it went, at a return. Invalid: nothing.
ValueId status_at(const ValueStore& values, const Summary& s, ir::BlockId block) {
  const ValueId result = s.blocks[block.index].result;
  if (!result.valid() || values[result].kind != ValueKind::Tuple) return result;
  return values[result].child_count > 0 ? values.child(result, 0) : ValueId{};  // behind it: what it writes
}

// The last return of the text: where a function comes to that did what it is for. Invalid: it has none.
ir::BlockId last_return(const Summary& s, const ir::Function& f) {
  ir::BlockId last;
  for (const ir::BlockId b : s.graph.order())
    if (const ir::Terminator& end = f.blocks[b].terminator;
        end.kind == ir::TerminatorKind::Return && end.range.known() &&
        (!last.valid() || end.range.line > f.blocks[last].terminator.range.line))
      last = b;
  return last;
}

// Whether from this block on the function only raises, or returns other statuses than at its end.
bool leads_to_failure(const ValueStore& values, const Summary& s, const ir::Function& f, ir::BlockId block) {
  const ir::BlockId last = last_return(s, f);
  const ValueId good = last.valid() ? status_at(values, s, last) : ValueId{};
  bool fails = false;
  std::set<ir::BlockId> seen{block};
  std::vector<ir::BlockId> work{block};
  while (!work.empty()) {
    const ir::BlockId at = work.back();
    work.pop_back();
    const ir::TerminatorKind end = f.blocks[at].terminator.kind;
    fails |= end == ir::TerminatorKind::Return || end == ir::TerminatorKind::Raise;
    if (end == ir::TerminatorKind::Return) {
      const ValueId status = status_at(values, s, at);
      const bool is_failure =
          status.valid() && good.valid() && values.is_constant(status) && values.is_constant(good) && status != good;
      if (!is_failure) return false;
    }
    for (const ir::BlockId next : FlowGraph::successors(f.blocks[at]))
      if (seen.insert(next).second) work.push_back(next);
  }
  return fails;
}

// Whether code aborts process groups: in itself, in what it calls, or in what it has run later.
class AbortSearch {
 public:
  explicit AbortSearch(const Query& in) : in_(in), index_(in.index()) {}

  Seen in(FunctionKey f, int depth = kDeepestAbort) const {
    const FunctionText text(index_, f);
    Seen found;
    text.any_call([&](const ir::Instruction& i) {
      if (aborts(text, i.value) || hands_over_end(text, i) || calls_abort(text, i.value, depth))
        found = CodePlace{f, i.range};
      return found.has_value();
    });
    return found;
  }

 private:
  bool plays(const FunctionText& text, ir::ExprId e, Role role) const {
    return role_of(in_.roles(), index_, text.module, text.ir, e, role) || in_.roles().play(text.word_of(e), role);
  }

  bool aborts(const FunctionText& text, ir::ExprId callee) const { return plays(text, callee, Role::AbortsGroups); }

  bool calls_abort(const FunctionText& text, ir::ExprId callee, int depth) const {
    if (depth == 0) return false;
    const Entity called = index_.resolve(text.module, text.ir, callee);
    return called.kind == Entity::Kind::Function && in(called.function, depth - 1);
  }

  // `Timer(5, dist.destroy_process_group)`
  bool hands_over_end(const FunctionText& text, const ir::Instruction& call) const {
    if (!plays(text, call.value, Role::RunsLater)) return false;
    return std::ranges::any_of(ir::arguments(text.ir, call), [&](const ir::Argument& a) {
      if (!text.name_of(a.value).valid()) return false;
      const Model* model = in_.models().find(foreign_name(index_, text.module, text.ir, a.value));
      return aborts(text, a.value) || (model && model->kind == ModelKind::Teardown);
    });
  }

  const Query& in_;
  const ProjectIndex& index_;
};

}  // namespace

// Where one of the two waits, in its function or in one that called it since they diverged, only an error is left to
// report.
Seen gives_up(const Scene& scene) {
  for (Position p : {scene.e.waiting, scene.e.other})
    for (; p.frame.valid(); p = scene.frames.after_call(p.frame)) {
      const Summary& s = scene.summary(p.frame);
      const ir::Module& module = scene.index().modules()[scene.index().functions()[s.function].module];
      const ir::Function& f = scene.code(p.frame);
      if (module.has(ir::Convention::ReturnsErrors) && leads_to_failure(scene.values(), s, f, p.block))
        return CodePlace{s.function, f.blocks[p.block].terminator.range};
      if (p.frame == scene.divergence().at.frame) break;
    }
  return std::nullopt;
}

Seen aborted_by_program(const Scene& scene) { return AbortSearch(scene.in).in(scene.m.function); }

// `if random.random() < 0.1: raise`: nothing but a drawn number is wrong. A handler may begin anew.
Seen raises_by_chance(const Scene& scene) {
  const bool fails = scene.e.other_left() || scene.e.state[Who::A].caught || scene.e.state[Who::B].caught;
  return seen(fails && scene.divergence().local && local_source_named(scene.m.local_reason) == LocalSource::Random,
              scene.guard());
}

// A hook of one rank, of an object in whose step the others fail.
Seen fails_before(const Scene& scene) { return reads_what_some_made(scene.in, scene.m.function); }

}  // namespace ranklint::doubts
