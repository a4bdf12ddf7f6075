#include "analyzer/variance/simplify_under.h"

#include <algorithm>

#include "analyzer/base/work_limit.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

void SimplifyUnder::learn(ValueId condition, bool holds) {
  const Value& v = values_[condition];
  if (!known_.emplace(condition, holds).second) return;
  if (v.kind == ValueKind::Unary && v.op == ir::Operator::Not) learn(values_.child(condition, 0), !holds);
  if ((v.kind == ValueKind::And && holds) || (v.kind == ValueKind::Or && !holds))
    for (ValueId part : values_.children(condition)) learn(part, holds);
}

ValueId SimplifyUnder::simplify(ValueId v) {
  left_ = kMostParts;
  const ValueId simple = rewrite(v);
  return left_ > 0 ? simple : v;
}

ValueStore::Truth SimplifyUnder::truth(ValueId condition) {
  left_ = kMostParts;
  const ValueId simple = decide(condition);
  return left_ > 0 ? values_.truth(simple) : ValueStore::Truth::Unknown;
}

// Only its truth is asked for.
ValueId SimplifyUnder::decide(ValueId condition) {
  if (const auto found = known_.find(condition); found != known_.end()) return values_.boolean(found->second);
  const Value& v = values_[condition];
  if (v.kind == ValueKind::Unary && v.op == ir::Operator::Not)
    return values_.negate(decide(values_.child(condition, 0)));
  return rewrite(condition);
}

ValueId SimplifyUnder::rewrite(ValueId v) {
  if (const auto found = done_.find(v); found != done_.end()) return found->second;
  if (--left_ <= 0) return v;
  charge_work();
  const Value& value = values_[v];
  const auto children = values_.children(v);
  ValueId made = v;
  switch (value.kind) {
    case ValueKind::Conditional: {
      const ValueId condition = decide(children[0]);
      const ValueStore::Truth truth = values_.truth(condition);
      if (truth == ValueStore::Truth::Yes)
        made = rewrite(children[1]);
      else if (truth == ValueStore::Truth::No)
        made = rewrite(children[2]);
      else if (const ValueId yes = rewrite(children[1]), no = rewrite(children[2]);
               condition != children[0] || yes != children[1] || no != children[2])
        made = values_.conditional(condition, yes, no);
      break;
    }
    case ValueKind::And:
    case ValueKind::Or: {
      if (const auto known = known_.find(v); known != known_.end()) {
        made = values_.boolean(known->second);
        break;
      }
      std::vector<ValueId> parts;
      for (ValueId part : children) parts.push_back(decide(part));
      made = values_.conjunction(value.kind == ValueKind::And, parts);
      break;
    }
    case ValueKind::Unary:
    case ValueKind::Binary:
    case ValueKind::Pure:
    case ValueKind::Tuple: {
      std::vector<ValueId> parts;
      for (ValueId child : children) parts.push_back(rewrite(child));
      if (!std::equal(parts.begin(), parts.end(), children.begin())) made = with_parts(values_, v, parts);
      break;
    }
    default: break;
  }
  done_.emplace(v, made);
  return made;
}

}  // namespace ranklint
