#include "analyzer/compare/made_by_some.h"

#include "analyzer/compare/rank_guard.h"

namespace ranklint {

bool is_made_by_some(Interpreter& interpreter, const Summary& summary, ValueId group) {
  const ValueStore& values = interpreter.values();
  while (group.valid() && (values[group].kind == ValueKind::Subscript || values[group].kind == ValueKind::Attribute))
    group = values.child(group, 0);
  if (!group.valid() || values[group].kind != ValueKind::Opaque) return false;
  const Site& made = interpreter.site(SiteId{values[group].a});
  if (made.function != summary.function) return false;
  return diverging_guard_of(values, summary, made.block).valid();
}

}  // namespace ranklint
