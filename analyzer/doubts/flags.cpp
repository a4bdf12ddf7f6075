#include "analyzer/doubts/flags.h"

#include <algorithm>

namespace ranklint {

bool is_flag(const ValueStore& values, ValueId term) {
  const Value& v = values[term];
  if (v.kind == ValueKind::Parameter) return true;
  if (v.kind != ValueKind::And && v.kind != ValueKind::Or && !(v.kind == ValueKind::Unary && v.op == ir::Operator::Not))
    return false;
  const auto parts = values.children(term);
  return std::all_of(parts.begin(), parts.end(), [&](ValueId part) { return is_flag(values, part); });
}

bool asks_flag(const ValueStore& values, const Summary& s, uint32_t parameter) {
  const auto is_the_one = [&](ValueId part) {
    const Value& v = values[part];
    return v.kind == ValueKind::Parameter && v.a == s.function.index && v.b == parameter;
  };
  const auto decides = [&](ValueId term) {
    return term.valid() && is_flag(values, term) && values.find_part(term, is_the_one).valid();
  };
  const auto hands_on = [&](const Step& step) {
    return std::ranges::any_of(step.call.positional, decides) ||
           std::ranges::any_of(step.call.keywords, [&](const auto& given) { return decides(given.second); });
  };
  return std::ranges::any_of(s.blocks, [&](const BlockSteps& block) {
    return decides(block.condition) || std::ranges::any_of(block.steps, hands_on);
  });
}

}  // namespace ranklint
