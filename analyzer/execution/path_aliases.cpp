#include "analyzer/execution/path_aliases.h"

#include <algorithm>
#include <vector>

#include "analyzer/variance/terms.h"

namespace ranklint {

// Kinds of terms whose identity includes the path of calls on which they were made.
static bool has_path(ValueKind kind) {
  switch (kind) {
    case ValueKind::Opaque:
    case ValueKind::Local:
    case ValueKind::Element:
    case ValueKind::LoopPhi:
    case ValueKind::Caught:
    case ValueKind::Tensor: return true;
    default: return false;
  }
}

ValueId PathAliases::rewrite(ValueStore& values, ValueId term) {
  if (meant_.empty()) return term;
  if (const auto known = known_.find(term); known != known_.end()) return known->second;
  const ValueId made = rewrite_parts(values, term);
  known_.emplace(term, made);
  return made;
}

ValueId PathAliases::rewrite_parts(ValueStore& values, ValueId term) {
  const Value value = values[term];
  std::vector<ValueId> parts;
  for (uint32_t i = 0; i < value.child_count; ++i) parts.push_back(rewrite(values, values.child(term, i)));
  const auto alias = has_path(value.kind) ? meant_.find(value.b) : meant_.end();
  if (alias != meant_.end())
    return values.node(value.kind, parts, value.a, alias->second, value.c, value.op, value.type);
  return std::ranges::equal(parts, values.children(term)) ? term : with_parts(values, term, parts);
}

}  // namespace ranklint
