#include "analyzer/compare/made_by_some.h"

#include "analyzer/compare/rank_guard.h"

namespace ranklint {

bool is_made_by_some(Interpreter& interpreter, const Summary& summary, ValueId group) {
  const ValueStore& values = interpreter.values();
  while (group.valid() && (values[group].kind == ValueKind::Subscript || values[group].kind == ValueKind::Attribute))
    group = values.child(group, 0);
  if (!group.valid()) return false;
  // Set behind the guard, and left alone on the other side.
  if (values[group].kind == ValueKind::Conditional)
    return is_made_by_some(interpreter, summary, values.child(group, 1)) || is_made_by_some(interpreter, summary, values.child(group, 2));
  if (values[group].kind != ValueKind::Opaque) return false;
  const Site& made = interpreter.site(SiteId{values[group].a});
  if (made.function != summary.function) return false;
  return diverging_guard_of(values, summary, made.block).valid();
}

}  // namespace ranklint
