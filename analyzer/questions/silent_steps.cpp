// Whether `full_tensor`, `redistribute` and `copy_` communicate depends on placements. The comparison of ranks does not
// know them and takes the worst; here the text of the function is asked.
#include "analyzer/questions/silent_steps.h"

#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/layout.h"

namespace ranklint {
namespace {

bool is_silent(const Query& in, const FunctionCode& code, ProgramPoint at) {
  const auto& instructions = code.ir.blocks[at.block].instructions;
  if (at.instruction >= instructions.size()) return false;
  const ir::Instruction& call = instructions[at.instruction];
  if (call.kind != ir::InstructionKind::Call || code.ir.exprs[call.value].kind != ir::ExprKind::Attribute) return false;
  const std::optional<Layout> held = layout_of(in, code, ir::children(code.ir, call.value)[0], at);
  if (!held) return false;
  if (plays(in, code, call, Role::GivesWhole)) return is_whole(*held);
  if (plays(in, code, call, Role::WritesTensor)) {
    const ir::ExprId source = first_argument(code, call);
    const std::optional<Layout> written = source.valid() ? layout_of(in, code, source, at) : std::nullopt;
    return written && sends_nothing(*written, *held);
  }
  const std::optional<Layout> wanted = layout_given(in, code, call, at);
  return wanted && sends_nothing(*held, *wanted);
}

bool moves_parts(const Step& step) {
  return step.event &&
         (step.event->model->about == ModelAbout::TensorRead || step.event->model->about == ModelAbout::Redistribute);
}

}  // namespace

std::vector<SiteId> silent_steps(const Query& in) {
  std::vector<SiteId> silent;
  in.for_each_function_to_check("layout of tensors", [&](FunctionKey f) {
    const Summary* s = in.summary(f);
    if (!s || !s->communicates) return;
    const FunctionCode code(in.index(), *s);
    for (const BlockSteps& block : s->blocks)
      for (const Step& step : block.steps) {
        const Site& site = in.site(step.site);
        if (moves_parts(step) && is_silent(in, code, {site.block, site.instruction})) silent.push_back(step.site);
      }
  });
  return silent;
}

}  // namespace ranklint
