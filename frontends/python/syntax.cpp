#include "frontends/python/syntax.h"

namespace ranklint::python {

NodeId SyntaxTree::child(NodeId id, Field field) const {
  for (const NodeId c : children(id))
    if ((*this)[c].field == field) return c;
  return {};
}

NodeId SyntaxTree::child(NodeId id, Kind kind) const {
  for (const NodeId c : children(id))
    if ((*this)[c].kind == kind) return c;
  return {};
}

NodeId SyntaxTree::first(NodeId id) const {
  for (const NodeId c : children(id))
    if (!is_token((*this)[c].kind)) return c;
  return {};
}

std::vector<NodeId> SyntaxTree::named(NodeId id) const {
  std::vector<NodeId> found;
  for (const NodeId c : children(id))
    if (!is_token((*this)[c].kind)) found.push_back(c);
  return found;
}

std::vector<NodeId> SyntaxTree::named(NodeId id, Field field) const {
  std::vector<NodeId> found;
  for (const NodeId c : children(id))
    if ((*this)[c].field == field && !is_token((*this)[c].kind)) found.push_back(c);
  return found;
}

}  // namespace ranklint::python
