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
    for (const ir::BlockId b : s.graph().order()) {
      if (!code.ir.blocks[b].handler.valid() || comes_again(code, FlowGraph::successors(code.ir.blocks[b]), b))
        continue;
      for (const Step& step : s.blocks[b.index].steps)
        if (step.event && step.event->model->kind == ModelKind::Collective) look_for_retry(code, step, b);
    }
  }

  static bool comes_again(const FunctionCode& code, const std::vector<ir::BlockId>& from, ir::BlockId b) {
    return reached_from(from, [&](ir::BlockId at) { return FlowGraph::successors(code.ir.blocks[at]); }).contains(b);
  }

  // The handler that leads back to the block.
  void look_for_retry(const FunctionCode& code, const Step& step, ir::BlockId b) {
    for (const ir::BlockId handler : handlers_of(code, code.ir.blocks[b].handler)) {
      const auto& instructions = code.ir.blocks[handler].instructions;
      if (instructions.empty() || instructions[0].kind != ir::InstructionKind::Catch ||
          !comes_again(code, {handler}, b))
        continue;
      const std::optional<Communication> retried = communication_of(in_, step);
      if (!retried) return;
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

  // The bodies of `except` clauses, in order.
  static std::vector<ir::BlockId> handlers_of(const FunctionCode& code, ir::BlockId at) {
    std::vector<ir::BlockId> handlers;
    for (size_t n = 0; n < code.ir.blocks.size() && code.ir.blocks[at].terminator.kind == ir::TerminatorKind::Except;
         ++n) {
      handlers.push_back(code.ir.blocks[at].terminator.successors[0]);
      at = code.ir.blocks[at].terminator.successors[1];
    }
    if (const ir::Block& last = code.ir.blocks[at];
        last.instructions.empty() && last.terminator.kind == ir::TerminatorKind::Jump)
      at = last.terminator.successors[0];
    handlers.push_back(at);
    return handlers;
  }

  const Query& in_;
  std::vector<OneRankFailure> found_;
};

}  // namespace

std::vector<OneRankFailure> retried_on_one_rank(const Query& in) { return Retries(in).run(); }

}  // namespace ranklint::exception_skips_collective
