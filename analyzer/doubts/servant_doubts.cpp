// One class of ranks serves the other: it waits in a loop for the root's commands. The walk does not know when a
// command makes it leave, and what it does next.
#include <algorithm>
#include <functional>

#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/flow/side_of_branch.h"

namespace ranklint::doubts {
namespace {

constexpr int kDeepestCommand = 2;  // calls within calls: a helper that sends objects, and one for tensors below it

class Servants {
 public:
  explicit Servants(const Scene& scene) : scene_(scene), index_(scene.index()) {}

  // The ranks that serve wait in a loop for the root's command, and for what goes with it. Where the root leaves
  // without one, it gives them in a server's callback, where this walk does not look.
  bool waits_for_command(Position at, Who who) const {
    const Position& divergence = scene_.divergence().at;
    const bool is_command = is_commanded(scene_.step_at(at), who, at.frame);
    for (;; at = scene_.frames[at.frame].back) {
      const Summary& s = scene_.summary(at.frame);
      for (ir::BlockId header : s.graph().order()) {
        if (!s.graph().lies_in_loop(at.block, header) ||
            (at.frame == divergence.frame && s.graph().lies_in_loop(divergence.block, header)))
          continue;
        if ((is_command && loops_until_commanded(s, header)) || receives_in_loop(s, header, who)) return true;
      }
      if (at.frame == divergence.frame || !scene_.frames[at.frame].caller.valid()) return false;
    }
  }

  // `while more: broadcast(more, src=0)`: the value that the root broadcasts decides whether the loop continues.
  bool continues_as_commanded(Position at, Who who) const {
    const Summary& s = scene_.summary(at.frame);
    const Step& step = scene_.step_at(at);
    const ir::Function& f = index_.function(s.function);
    const ir::Instruction* call = scene_.in.call_at(scene_.in.site(step.site));
    if (!call || !is_commanded(step, who, at.frame)) return false;
    return std::ranges::any_of(ir::arguments(f, *call), [&](const ir::Argument& a) {
      if (!a.value.valid() || f.exprs[a.value].kind != ir::ExprKind::Name) return false;
      return std::ranges::any_of(s.graph().order(), [&](ir::BlockId header) {
        return loops_until_commanded(s, header) && s.graph().lies_in_loop(at.block, header) &&
               asks(f, f.blocks[header], f.exprs[a.value].symbol);
      });
    });
  }

  bool waits_as_root() const {
    const Position& waiting = scene_.e.waiting;
    const std::optional<int64_t> root = root_of(scene_.step_at(waiting), waiting.frame);
    return root && scene_.of_waiting().rank() == static_cast<uint64_t>(*root);
  }

  // Seen from the root: it waits to broadcast a command, and the others have left their loop. If they wait in another
  // collective, it is the same operation.
  bool commands() const {
    const Who who = scene_.e.first;
    const Summary& s = scene_.summary(scene_.divergence().at.frame);
    const ir::BlockId served = scene_.side(other(who));
    if (!served.valid()) return false;
    const ir::Function& code = index_.function(s.function);
    return std::ranges::any_of(s.graph().order(), [&](ir::BlockId b) {
      return s.graph().dominates(served, b) &&
             (is_commanded_in_loop(s, b, other(who)) ||
              std::ranges::any_of(code.blocks[b].instructions,
                                  [&](const ir::Instruction& i) { return calls_servant(s.function, i, other(who)); }));
    });
  }

  // The other ranks wait for such commands in another method of the object, either until a command stops them or until
  // the process ends. If only the root runs this code, they may wait in any other function of the file:
  //
  //     def step(self, batch):
  //         if self.rank == 0: self.tell(batch)
  //     def serve(self):
  //         while True: command = self.tell()
  bool commands_servants_elsewhere() const {
    const FunctionInfo& here = index_.functions()[scene_.summary(scene_.divergence().at.frame).function];
    const auto serve = [&](FunctionKey f, bool without_root) {
      const Summary* s = scene_.in.summary(f);
      return s && s->communicates && serves(*s, without_root);
    };
    if (here.owner.valid() && std::ranges::any_of(index_.classes()[here.owner].methods,
                                                  [&](const auto& method) { return serve(method.second, false); }))
      return true;
    if (others_communicate_here()) return false;
    const auto& functions = index_.modules()[here.module].functions;
    for (uint32_t i = 0; i < functions.size(); ++i)
      if (serve(index_.key(here.module, ir::FunctionId{i}), true)) return true;
    return false;
  }

 private:
  // On their side of the branch.
  bool others_communicate_here() const {
    const FrameId frame = scene_.divergence().at.frame;
    return std::ranges::any_of(scene_.own_side(other(scene_.e.first)),
                               [&](ir::BlockId b) { return scene_.frames.relevant_block(frame, b); });
  }

  // The root of a step's collective, in terms of a frame's root where one is given; none: it has none, or it is not
  // known. 0 by default.
  std::optional<int64_t> root_of(const Step& step, FrameId frame = {}) const {
    if (!step.event || !step.event->model->root.present()) return std::nullopt;
    if (!step.event->root.valid()) return 0;
    const ValueId term = frame.valid() ? scene_.frames.in_root(frame, step.event->root) : step.event->root;
    int64_t root = 0;
    return scene_.values().integer_of(term, root) ? std::optional(root) : std::nullopt;
  }

  // Another rank's broadcast sends the class something.
  bool is_commanded(const Step& step, Who who, FrameId frame = {}) const {
    const std::optional<int64_t> root = root_of(step, frame);
    return root && scene_.scenario(who).rank() != static_cast<uint64_t>(*root);
  }

  // Whether the block's branch asks the variable, at once or in what the block does for it: `while more.item():`.
  static bool asks(const ir::Function& f, const ir::Block& block, Symbol variable) {
    const auto is_it = [&](ir::ExprId e) {
      return f.exprs[e].kind == ir::ExprKind::Name && f.exprs[e].symbol == variable;
    };
    return block.terminator.kind == ir::TerminatorKind::Branch && block.terminator.is_loop &&
           (ir::any_part(f, block.terminator.value, is_it) ||
            std::ranges::any_of(block.instructions,
                                [&](const ir::Instruction& i) { return ir::any_part(f, i.value, is_it); }));
  }

  // `while True:`, as against a loop through something that all ranks may have.
  bool loops_until_commanded(const Summary& s, ir::BlockId header) const {
    return s.graph().is_loop_header(header) &&
           index_.function(s.function).blocks[header].terminator.kind != ir::TerminatorKind::Iterate;
  }

  // `while True:`
  bool loops_forever(const Summary& s, ir::BlockId header) const {
    const ir::Function& f = index_.function(s.function);
    const ir::Terminator& end = f.blocks[header].terminator;
    if (!s.graph().is_loop_header(header) || end.kind == ir::TerminatorKind::Iterate) return false;
    return end.kind != ir::TerminatorKind::Branch || !end.is_loop || f.exprs[end.value].kind == ir::ExprKind::True;
  }

  template <typename Wanted>
  static bool any_step_in_loop(const Summary& s, ir::BlockId header, const Wanted& wanted) {
    return std::ranges::any_of(s.graph().loop_blocks(header),
                               [&](ir::BlockId b) { return std::ranges::any_of(s.blocks[b.index].steps, wanted); });
  }

  // Whether the class receives something in the loop, by another rank's broadcast, that decides when it ends.
  bool receives_in_loop(const Summary& s, ir::BlockId header, Who who) const {
    return loops_until_commanded(s, header) && any_step_in_loop(s, header, [&](const Step& step) {
             return is_commanded(step, who) ||
                    is_commanded_below(step, who, [](ValueId root) { return root; }, kDeepestCommand);
           });
  }

  // In a function that the step calls. `as_here`: what the step's terms are where the loop stands.
  template <typename AsHere>
  bool is_commanded_below(const Step& call, Who who, const AsHere& as_here, int depth) const {
    if (call.event || !call.call.callee.valid() || depth == 0) return false;
    return std::ranges::any_of(scene_.in.targets(call.call.callee), [&](const Target& target) {
      const Summary* s = scene_.in.summary(target.function);
      if (!s || !s->communicates) return false;
      const Binding binding = scene_.in.bind(target, call.call, scene_.in.extend_path(0, call.site));
      const std::function<ValueId(ValueId)> above = [&](ValueId term) {
        return as_here(scene_.in.instantiate(term, binding));
      };
      return std::ranges::any_of(s->blocks, [&](const BlockSteps& block) {
        return std::ranges::any_of(block.steps, [&](const Step& step) {
          return step.event ? is_commanded_as(step, who, above) : is_commanded_below(step, who, above, depth - 1);
        });
      });
    });
  }

  template <typename AsHere>
  bool is_commanded_as(const Step& step, Who who, const AsHere& as_here) const {
    if (!step.event->model->root.present()) return false;
    int64_t root = 0;
    const bool is_known = !step.event->root.valid() || scene_.values().integer_of(as_here(step.event->root), root);
    return is_known && scene_.scenario(who).rank() != static_cast<uint64_t>(root);
  }

  bool is_commanded_in_loop(const Summary& s, ir::BlockId header, Who who) const {
    return loops_until_commanded(s, header) && any_step_in_loop(s, header, [&](const Step& step) {
             return is_commanded(step, who) && (scene_.e.other.at_end() || step.event->model->op == scene_.model().op);
           });
  }

  bool obeys(FunctionKey f, Who who) const {
    const Summary* s = scene_.in.summary(f);
    return s && s->communicates && std::ranges::any_of(s->graph().order(), [&](ir::BlockId header) {
             return is_commanded_in_loop(*s, header, who);
           });
  }

  // By its name: whose method it is need not be known.
  bool calls_servant(FunctionKey f, const ir::Instruction& i, Who who) const {
    if (i.kind != ir::InstructionKind::Call) return false;
    const ir::Expr& called = index_.function(f).exprs[i.value];
    if (called.kind != ir::ExprKind::Name && called.kind != ir::ExprKind::Attribute) return false;
    const ModuleKey module = index_.functions()[f].module;
    return std::ranges::any_of(index_.methods_named(index_.name(module, called.symbol)),
                               [&](FunctionKey method) { return obeys(method, who); });
  }

  // Whether the other ranks wait there for commands; `without_root`: in a loop that the root stays out of.
  bool serves(const Summary& s, bool without_root) const {
    return std::ranges::any_of(s.graph().order(), [&](ir::BlockId header) {
      if (without_root && may_come_to(s, header, scene_.e.first)) return false;
      return loops_forever(s, header) && may_come_to(s, header, other(scene_.e.first)) &&
             any_step_in_loop(s, header,
                              [&](const Step& step) { return is_commanded_at(step, other(scene_.e.first)); });
    });
  }

  // No branch above the block keeps the class away.
  bool may_come_to(const Summary& s, ir::BlockId block, Who who) const {
    const ir::Function& f = index_.function(s.function);
    for (ir::BlockId above = s.graph().dominator(block); above.valid(); above = s.graph().dominator(above)) {
      const std::optional<bool> side = side_of_branch(s.graph(), f, above, block);
      const ValueId condition = s.blocks[above.index].condition;
      if (!side || !condition.valid()) continue;
      const ValueStore::Truth truth = scene_.values().truth(scene_.scenario(who).residual(condition));
      if (truth == (*side ? ValueStore::Truth::No : ValueStore::Truth::Yes)) return false;
    }
    return true;
  }

  // By the step, or by the function that it calls.
  bool is_commanded_at(const Step& step, Who who) const {
    if (is_commanded(step, who)) return true;
    if (!step.call.callee.valid()) return false;
    return std::ranges::any_of(scene_.in.targets(step.call.callee), [&](const Target& target) {
      const Summary* callee = scene_.in.summary(target.function);
      return callee && std::ranges::any_of(callee->blocks, [&](const BlockSteps& block) {
               return std::ranges::any_of(block.steps, [&](const Step& inner) { return is_commanded(inner, who); });
             });
    });
  }

  const Scene& scene_;
  const ProjectIndex& index_;
};

}  // namespace

Seen commanded_by_root(const Scene& scene) {
  const Encounter& e = scene.e;
  if (e.endless) return std::nullopt;
  const Servants servants(scene);
  if (servants.continues_as_commanded(e.waiting, e.first) ||
      (!e.other.at_end() && servants.continues_as_commanded(e.other, other(e.first))))
    return scene.waiting();
  if (!e.other.at_end() && e.met) return std::nullopt;
  return seen(servants.waits_for_command(e.waiting, e.first) ||
                  (!e.other.at_end() && servants.waits_for_command(e.other, other(e.first))),
              scene.waiting());
}

Seen commands_servants(const Scene& scene) {
  if (scene.e.endless) return std::nullopt;
  const Servants servants(scene);
  return seen(servants.waits_as_root() && servants.commands(), scene.waiting());
}

Seen servants_elsewhere(const Scene& scene) {
  if (scene.e.endless) return std::nullopt;
  const Servants servants(scene);
  return seen(servants.waits_as_root() && !servants.commands() && servants.commands_servants_elsewhere(),
              scene.waiting());
}

}  // namespace ranklint::doubts
