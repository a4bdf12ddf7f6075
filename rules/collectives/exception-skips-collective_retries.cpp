// Collectives that are tried again where they fail (RL106):
//
//     for attempt in range(3):
//         try:
//             dist.all_reduce(x)
//             break
//         except RuntimeError:
//             time.sleep(1)
//
// A rank on which it fails issues it once more, and those on which it did not have left the loop.
#include <algorithm>

#include "analyzer/flow/reached.h"
#include "analyzer/questions/code.h"
#include "analyzer/questions/communication.h"
#include "analyzer/resolve/callee_role.h"
#include "analyzer/resolve/dotted.h"
#include "rules/collectives/exception-skips-collective.h"

namespace ranklint::exception_skips_collective {
namespace {

class Retries {
 public:
  explicit Retries(const Query& in) : in_(in) {}

  std::vector<OneRankFailure> run() {
    in_.for_each_function_to_check("collectives that are tried again", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      if (s && s->communicates) look_at(*s);
    });
    return std::move(found_);
  }

 private:
  void look_at(const Summary& s) {
    const FunctionCode code(in_.index(), s);
    for (const ir::BlockId b : s.graph().order())
      if (const ir::BlockId handler = code.ir.blocks[b].handler; handler.valid())
        for (const Step& step : s.blocks[b.index].steps)
          if (!step.event || step.event->model->kind == ModelKind::Collective)
            look_for_retry(s, code, step, b, handler);
  }

  // The handler that leads back to the block, in a loop that is left where nothing fails.
  void look_for_retry(const Summary& s, const FunctionCode& code, const Step& step, ir::BlockId b, ir::BlockId first) {
    for (const ir::BlockId handler : handler_bodies(code, first)) {
      const auto& instructions = code.ir.blocks[handler].instructions;
      const ir::BlockId loop = code.graph().loop_around(handler);
      if (!loop.valid() || instructions.empty() || instructions[0].kind != ir::InstructionKind::Catch) continue;
      if (!takes_any(code, instructions[0].value) || sets_up_again(s, handler)) continue;
      if (!comes_to(code, handler, b, loop) || comes_to(code, b, loop, loop)) continue;
      const std::optional<Communication> retried = communication_of(in_, step);
      if (!retried || retried->model->about == ModelAbout::Checkpoint) return;  // which fails on all ranks or on none
      OneRankFailure fact;
      fact.kind = OneRankFailure::Kind::Retried;
      fact.function = code.key;
      fact.range = instructions[0].range;
      fact.failure = fact.collective = step.range;
      fact.op = retried->model->op;
      fact.group = group_name(in_, *retried);
      fact.certainty = lower_of(Confidence::Likely, retried->certainty);
      return found_.push_back(std::move(fact));
    }
  }

  // Whether the handler may catch the failure of a collective, as one of several exceptions, too. A library's own
  // exception (`queue.Empty`) is something else, and a `TypeError` is raised on all ranks alike.
  bool takes_any(const FunctionCode& code, ir::ExprId caught) const {
    if (!caught.valid()) return true;
    if (code.ir.exprs[caught].kind == ir::ExprKind::Tuple)
      return std::ranges::any_of(ir::children(code.ir, caught), [&](ir::ExprId one) { return takes_any(code, one); });
    const std::string kind = foreign_name(in_.index(), code.module, code.ir, caught);
    const auto is_of_role = [&](Role role) { return in_.roles().play(kind, role); };
    return !kind.empty() && last_part(kind) == kind && !is_of_role(Role::RaisedByCode) &&
           !is_of_role(Role::RaisedByValues) && !is_of_role(Role::Interrupts);
  }

  static bool sets_up_again(const Summary& s, ir::BlockId handler) {
    return std::ranges::any_of(s.graph().order(), [&](ir::BlockId b) {
      return s.graph().dominates(handler, b) && std::ranges::any_of(s.blocks[b.index].steps, [](const Step& step) {
               return step.event && step.event->model->kind == ModelKind::Setup;
             });
    });
  }

  // Whether one block leads to another one, but for further rounds of a loop around `loop`.
  static bool comes_to(const FunctionCode& code, ir::BlockId from, ir::BlockId to, ir::BlockId loop) {
    const ir::BlockId before = code.graph().dominator(loop);
    const ir::BlockId outer = before.valid() ? code.graph().loop_around(before) : ir::BlockId{};
    return leads_to(code.ir, from, [&](ir::BlockId b) { return b == to; }, nullptr, outer);
  }

  const Query& in_;
  std::vector<OneRankFailure> found_;
};

}  // namespace

std::vector<OneRankFailure> retried_on_one_rank(const Query& in) { return Retries(in).run(); }

}  // namespace ranklint::exception_skips_collective
