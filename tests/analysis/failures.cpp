// One rank fails in a call whose handler takes the failure, and the others do not: who is left waiting, on the line of
// the call.
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
