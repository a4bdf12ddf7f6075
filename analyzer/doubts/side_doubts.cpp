// What stands on the side of the class that never comes, and may be the same thing in other words.
#include <algorithm>

#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/flow/deciding_branch.h"
#include "analyzer/questions/code.h"
#include "analyzer/questions/communication.h"

namespace ranklint::doubts {

// In the branch itself, and not in a later round of a loop around it.
static bool is_on_own_side(const Scene& scene, const Position& p, Who who) {
  const FrameId frame = scene.divergence().at.frame;
  const ir::BlockId block = scene.frames.block_in(frame, p);
  return scene.own_side(who).contains(block) && scene.summary(frame).graph().dominates(scene.side(who), block);
}

// What one side of the branch where the ranks part communicates: the number of operations, and whether an early return
// (`if not found: return`) can skip some of them.
struct OwnOperations {
  size_t count = 0;
  bool are_written_out = false;    // one of them names what it does
  bool stand_behind_exit = false;  // such a one does
};

static OwnOperations own_operations(const Scene& scene, Who who) {
  const Summary& s = scene.summary(scene.divergence().at.frame);
  const std::set<ir::BlockId> side = scene.own_side(who);
  const auto leaves = [&](ir::BlockId branch) { return side.contains(branch) && !s.graph().join(branch).valid(); };
  OwnOperations found;
  for (const ir::BlockId b : side)
    for (const Step& step : s.blocks[b.index].steps) {
      if (!step.event) continue;
      ++found.count;
      if (step.event->model->several_collectives) continue;
      found.are_written_out = true;
      found.stand_behind_exit |= deciding_branch(s.graph(), b, leaves).valid();
    }
  return found;
}

// What a library does in several collectives, of which the model names none, may be what the other side writes out.
// Where that side leaves before, the library may do so as well.
Seen written_out(const Scene& scene) {
  const Encounter& e = scene.e;
  const auto is_of_several = [&](const Position& p) {
    return scene.step_at(p).event && scene.step_at(p).event->model->several_collectives;
  };
  if (!is_on_own_side(scene, e.waiting, e.first)) return std::nullopt;
  if (e.other.at_end()) {
    const OwnOperations others = own_operations(scene, other(e.first));
    return seen(is_of_several(e.waiting) && own_operations(scene, e.first).count == 1 &&
                    (e.other_left() ? others.are_written_out : others.stand_behind_exit),
                scene.waiting());
  }
  return seen(is_of_several(e.waiting) != is_of_several(e.other) && is_on_own_side(scene, e.other, other(e.first)),
              scene.waiting());
}

// Whether objects of some class keep something of this name, which is not a method then.
static bool is_data_attribute(const ProjectIndex& index, Symbol name) {
  for (ClassKey c{0}; c.index < index.classes().size(); ++c.index)
    if (index.classes()[c].attributes.contains(name)) return true;
  return false;
}

namespace {

// Of the function where the ranks diverge: whether something that a call is given communicates.
class HandedOn {
 public:
  explicit HandedOn(const Scene& scene)
      : in_(scene.in), index_(scene.index()), text_(index_, scene.summary(scene.divergence().at.frame)) {}

  Seen in(const std::set<ir::BlockId>& blocks) const {
    for (const ir::BlockId b : blocks)
      for (const ir::Instruction& i : text_.ir.blocks[b].instructions)
        if (i.kind == ir::InstructionKind::Call && !function_named(index_, text_, i.value).valid() &&
            std::ranges::any_of(ir::arguments(text_.ir, i),
                                [&](const ir::Argument& a) { return communicates(a.value); }))
          return CodePlace{text_.key, i.range};
    return std::nullopt;
  }

 private:
  bool is_method_that_communicates(ir::ExprId given) const {
    const ir::Expr& expr = text_.ir.exprs[given];
    if (expr.kind != ir::ExprKind::Attribute) return false;
    const Symbol name = index_.name(text_.module, expr.symbol);
    return !is_data_attribute(index_, name) && std::ranges::any_of(index_.methods_named(name), [&](FunctionKey f) {
      const Summary* method = in_.summary(f);
      return method && method->communicates;
    });
  }

  bool communicates(ir::ExprId given) const {
    if (is_method_that_communicates(given)) return true;
    const ir::Expr& expr = text_.ir.exprs[given];
    const bool is_code = expr.kind == ir::ExprKind::String;  // `cProfile.runctx("train()", None, locals())`
    const FunctionKey f = is_code ? function_called_in(index_, text_, text_.text.text(expr.symbol))
                                  : function_named(index_, text_, given);
    const Summary* callee = f.valid() ? in_.summary(f) : nullptr;
    return callee && callee->communicates;
  }

  const Query& in_;
  const ProjectIndex& index_;
  const FunctionCode text_;
};

}  // namespace

// What a wrapper calls that was made of a function which is not known: `def only(f): def wrapper(): if rank == 0: f()`,
// with no use of the decorator in sight.
static Seen calls_unknown_capture(const Scene& scene, Who who) {
  const FrameId frame = scene.divergence().at.frame;
  const Summary& s = scene.summary(frame);
  const FunctionKey decorator = scene.index().functions()[s.function].parent;
  const Summary* makes = decorator.valid() ? scene.in.summary(decorator) : nullptr;
  const auto is_wrapper = [&](ValueId part) {
    return scene.values()[part].kind == ValueKind::Function && scene.values()[part].a == s.function.index;
  };
  if (!makes || !makes->result.valid() || !scene.values().find_part(makes->result, is_wrapper).valid())
    return std::nullopt;
  const ModuleKey module = scene.index().functions()[decorator].module;
  const auto is_given = [&](Symbol name) {
    return std::ranges::any_of(scene.index().function(decorator).parameters,
                               [&](const ir::Parameter& p) { return scene.index().name(module, p.name) == name; });
  };
  // `log("not the first rank")`: no wrapper calls what it wraps with what it writes out.
  const auto is_given_constants = [&](const Call& call) {
    return !call.positional.empty() &&
           std::ranges::all_of(call.positional, [&](ValueId given) { return scene.values().is_constant(given); });
  };
  for (const ir::BlockId b : scene.own_side(who))
    for (const Step& step : s.blocks[b.index].steps) {
      const ValueId callee = scene.frames.in_root(frame, step.call.callee);
      if (callee.valid() && scene.values()[callee].kind == ValueKind::Free && !is_given_constants(step.call) &&
          is_given(Symbol{scene.values()[callee].b}) && scene.in.targets(callee).empty())
        return CodePlace{s.function, step.range};
    }
  return std::nullopt;
}

// `study.optimize(objective)`, `agent(sweep, function=trainer.train)` on the side of the class that never comes, or
// that is past it and waits elsewhere: what it passes to unknown code communicates, too.
Seen hands_communication_on(const Scene& scene) {
  const HandedOn handed(scene);
  const Encounter& e = scene.e;
  if (const Seen found = handed.in(scene.own_side(other(e.first)))) return found;
  if (const Seen found = calls_unknown_capture(scene, other(e.first))) return found;
  return e.other.at_end() ? std::nullopt : handed.in(scene.own_side(e.first));
}

// `if kind == "a": train(a)` and `elif kind == "b": train(b)` and nothing for others, on the side of the class that
// never comes: it is one of the two.
Seen one_of_the_kinds(const Scene& scene) {
  const FrameId frame = scene.divergence().at.frame;
  const Summary& s = scene.summary(frame);
  const ir::Function& f = scene.code(frame);
  const ValueStore& values = scene.values();
  const PathCondition& taken = scene.e.state.shared;
  const std::set<ir::BlockId> own = scene.own_side(other(scene.e.first));
  // What is compared with a text at the block, where it was taken not to be that.
  const auto denied_at = [&](ir::BlockId b) -> ValueId {
    const ir::Terminator& end = f.blocks[b].terminator;
    if (end.kind != ir::TerminatorKind::Branch || end.is_loop) return {};
    const ValueId condition = scene.frames.in_root(frame, s.blocks[b.index].condition);
    const ValueId asked =
        taken.undecided_part(scene.in.values(), scene.scenario(other(scene.e.first)).residual(condition));
    if (values[asked].kind != ValueKind::Binary || values[asked].op != ir::Operator::Equal) return {};
    const ValueId left = values.child(asked, 0), right = values.child(asked, 1);
    return values[right].kind == ValueKind::Text && taken.decide(values, asked) == ValueStore::Truth::No ? left
                                                                                                         : ValueId{};
  };
  const auto first_of_two = std::ranges::find_if(own, [&](ir::BlockId first) {
    const ir::BlockId next = f.blocks[first].terminator.kind == ir::TerminatorKind::Branch
                                 ? f.blocks[first].terminator.successors[1]
                                 : ir::BlockId{};
    if (!next.valid() || !own.contains(next)) return false;
    const ValueId kind = denied_at(first);
    return kind.valid() && kind == denied_at(next) && f.blocks[next].terminator.successors[1] == s.graph().join(next);
  });
  if (first_of_two == own.end()) return std::nullopt;
  return CodePlace{s.function, f.blocks[*first_of_two].terminator.range};
}

}  // namespace ranklint::doubts
