#include "analyzer/doubts/flags.h"

#include <algorithm>

#include "analyzer/variance/leads_to.h"

namespace ranklint {

bool is_flag(const ValueStore& values, ValueId term) {
  return !leads_to(term, [&](ValueId part, std::vector<ValueId>& next) {
    const Value& v = values[part];
    if (v.kind == ValueKind::Parameter) return false;
    if (v.kind != ValueKind::And && v.kind != ValueKind::Or &&
        !(v.kind == ValueKind::Unary && v.op == ir::Operator::Not))
      return true;
    add_parts(next, values.children(part));
    return false;
  });
}

bool tests_flag(const ValueStore& values, const Summary& s, uint32_t parameter) {
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
