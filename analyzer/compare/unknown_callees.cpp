#include "analyzer/compare/unknown_callees.h"

#include <algorithm>
#include <array>

#include "analyzer/questions/code.h"
#include "analyzer/questions/rank_guard.h"

namespace ranklint {
namespace {

bool names_a_group(std::string_view keyword) {
  static constexpr std::array<std::string_view, 5> kGroups{"group", "process_group", "mesh", "device_mesh", "pg"};
  return std::find(kGroups.begin(), kGroups.end(), keyword) != kGroups.end();
}

bool takes_a_group(const FunctionCode& code, const ir::Instruction& i) {
  const auto arguments = ir::arguments(code.ir, i);
  return std::any_of(arguments.begin(), arguments.end(), [&](const ir::Argument& a) {
    return a.kind == ir::ArgumentKind::Keyword && names_a_group(code.text.text(a.keyword));
  });
}

}  // namespace

void find_unknown_callees(const Query& in, Facts& facts) {
  in.for_each_judged("unknown callees", [&](FunctionKey f) {
    const Summary* s = in.summary(f);
    if (!s) return;
    const FunctionCode code(in.index(), *s);
    for (ir::BlockId b : s->graph.order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions) {
        if (i.kind != ir::InstructionKind::Call || !takes_a_group(code, i)) continue;
        const Entity callee = in.index().resolve(code.module, code.ir, i.value);
        if (callee.kind != Entity::Kind::External) continue;
        const std::string name(in.index().names().text(callee.name));
        if (name.starts_with("torch.") || in.models().find(name)) continue;
        if (const ir::BlockId guard = rank_guard_of(in, *s, b); guard.valid())
          facts.unknown_callees.push_back(
              {f, i.range, code.ir.blocks[guard].terminator.range, name.substr(name.rfind('.') + 1)});
      }
  });
}

}  // namespace ranklint
