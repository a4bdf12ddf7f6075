// One rank fails in a call whose handler takes the failure, and the others do not: who is left waiting, on the line of
// the call. One raises on a side of a branch that tells ranks apart: where the others wait, on the line of the branch.
#include "analyzer/product/after_failure.h"

#include "tests/analysis/produced.h"

namespace ranklint::test {

namespace {

class Failures {
 public:
  Failures(const Subject& subject, std::vector<Fact>& facts) : in_(subject.in), subject_(subject), facts_(facts) {}

  void add(FunctionKey f) {
    const ir::Function& code = in_.index().function(f);
    for (uint32_t b = 0; b < code.blocks.size(); ++b) {
      const ir::Block& block = code.blocks[ir::BlockId{b}];
      if (block.terminator.kind == ir::TerminatorKind::Branch) add_exit(f, ir::BlockId{b});
      if (!block.handler.valid()) continue;
      for (uint32_t i = 0; i < block.instructions.size(); ++i)
        if (block.instructions[i].kind == ir::InstructionKind::Call) add_call(f, {ir::BlockId{b}, i}, block.handler);
    }
  }

 private:
  void add_call(FunctionKey f, ProgramPoint at, ir::BlockId handler) {
    const ir::Terminator& end = in_.index().function(f).blocks[handler].terminator;
    const ir::BlockId body = end.kind == ir::TerminatorKind::Except ? end.successors[0] : handler;
    const HandledFailure failure{.failed = at, .handler = body, .takes_over = body};
    const std::optional<LeftAlone> left = left_alone_after(in_, *in_.summary(f), failure);
    if (!left) return;
    std::string text = left->failed_waits ? "who fails waits in " : "the others wait in ";
    text += left->op + " on line " + std::to_string(left->place.line);
    if (left->asked.known()) text += " as line " + std::to_string(left->asked.line) + " asks";
    facts_.push_back({subject_.lines(f).blocks[at.block.index].code[at.instruction], std::move(text)});
  }

  // A side of a branch that raises at once.
  void add_exit(FunctionKey f, ir::BlockId branch) {
    const auto& blocks = in_.index().function(f).blocks;
    const auto raises = [&](size_t side) {
      return blocks[blocks[branch].terminator.successors[side]].terminator.kind == ir::TerminatorKind::Raise;
    };
    if (!raises(0) && !raises(1)) return;
    const std::optional<LeftAlone> left =
        left_alone_after(in_, *in_.summary(f), LoneExit{.branch = branch, .holds = raises(0)});
    if (!left) return;
    facts_.push_back({subject_.lines(f).blocks[branch.index].code.back(),
                      "left alone, the others wait in " + left->op + " on line " + std::to_string(left->place.line)});
  }

  const Query& in_;
  const Subject& subject_;
  std::vector<Fact>& facts_;
};

}  // namespace

void add_failures(const Subject& subject, std::vector<Fact>& facts) {
  Failures failures(subject, facts);
  for (const FunctionKey f : subject.in.functions_to_check()) failures.add(f);
}

}  // namespace ranklint::test
