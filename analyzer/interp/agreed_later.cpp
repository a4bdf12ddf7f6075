// A measure of one rank that stands in until all have agreed on one:
//
//     def training_time(self):
//         if self._agreed is None: return time.time() - self._start     # one process, or before the first step
//         return self._agreed                                           # step(): an all-reduce brought it
//
// What such a method returns is what was agreed on. Only where the attribute begins empty in the constructor and
// another method fills it with something that ranks do not hold each for themselves.
#include <algorithm>

#include "analyzer/interp/function_run.h"

namespace ranklint {

// Whether a method but the constructor gives the attribute a value, and none gives it one that is a rank's own.
bool FunctionRun::is_agreed_later(ClassKey c, Symbol name) const {
  const Symbol init = index_.intern("__init__");
  bool begins_empty = false, filled = false;
  for (ClassKey k : index_.linearization(c)) {
    const auto sites = index_.classes()[k].attributes.find(name);
    if (sites == index_.classes()[k].attributes.end()) continue;
    const auto& methods = index_.classes()[k].methods;
    const auto made = methods.find(init);
    for (const AttributeSite& site : sites->second) {
      const Summary* setter = in_.summary(site.function);
      const ValueId value = setter ? setter->given_to(name, site) : ValueId{};
      if (value.valid() && values_.diverges(value)) return false;
      const bool is_none = value.valid() && values_[value].kind == ValueKind::None;
      if (made != methods.end() && site.function == made->second)
        begins_empty |= is_none;
      else
        filled |= !is_none;
    }
  }
  return begins_empty && filled;
}

ValueId FunctionRun::agreed_later(ValueId result) const {
  if (values_[result].kind != ValueKind::Conditional) return result;
  ValueId asked = values_.child(result, 0);
  bool is_none = true;
  if (values_[asked].kind == ValueKind::Unary && values_[asked].op == ir::Operator::Not) {
    is_none = false;
    asked = values_.child(asked, 0);
  }
  const Value& question = values_[asked];
  if (question.kind != ValueKind::Binary || (question.op != ir::Operator::Is && question.op != ir::Operator::IsNot))
    return result;
  if (values_[values_.child(asked, 1)].kind != ValueKind::None) return result;
  is_none ^= question.op == ir::Operator::IsNot;
  const ValueId attribute = values_.child(asked, 0);
  const ValueId meanwhile = values_.child(result, is_none ? 1 : 2), later = values_.child(result, is_none ? 2 : 1);
  if (later != attribute || !values_[meanwhile].local || values_[later].kind != ValueKind::Attribute) return result;
  const ValueId object = values_.child(later, 0);
  const bool own =
      values_[object].kind == ValueKind::Parameter && values_[object].a == key_.index && values_[object].b == 0;
  const ClassKey c = index_.functions()[key_].owner;
  return own && c.valid() && is_agreed_later(c, Symbol{values_[later].a}) ? later : result;
}

}  // namespace ranklint
