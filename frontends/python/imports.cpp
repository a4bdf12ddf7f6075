#include "frontends/python/lowering.h"

namespace ranklint::python {

namespace {

// `.. a.b` -> 2, "a.b"
struct ModuleName {
  uint32_t level = 0;
  std::string name;
};

// Without the white space and comments that a dotted name may hold.
std::string dotted_text(const SyntaxTree& tree, NodeId n) {
  std::string text;
  for (const NodeId part : tree.children(n))
    if (tree[part].kind == Kind::Identifier) text += (text.empty() ? "" : ".") + clean_text(tree.text(part));
  return text;
}

ModuleName module_name(const SyntaxTree& tree, NodeId n) {
  if (tree[n].kind != Kind::RelativeImport) return {.name = dotted_text(tree, n)};
  ModuleName module;
  if (const NodeId prefix = tree.child(n, Kind::ImportPrefix); prefix.valid())
    for (const char c : tree.text(prefix)) module.level += c == '.';
  if (const NodeId name = tree.child(n, Kind::DottedName); name.valid()) module.name = dotted_text(tree, name);
  return module;
}

// One name of an import's list, with its `as`.
struct Imported {
  std::string name;
  std::string alias;
};

Imported imported(const SyntaxTree& tree, NodeId n) {
  if (tree[n].kind != Kind::AliasedImport) return {dotted_text(tree, n), {}};
  const NodeId name = tree.child(n, Field::Name), alias = tree.child(n, Field::Alias);
  return {name.valid() ? dotted_text(tree, name) : std::string(),
          alias.valid() ? clean_text(tree.text(alias)) : std::string()};
}

void import_module(Scope& s, NodeId item) {
  const Imported what = imported(s.tree(), item);
  if (what.name.empty()) return unknown_statement(s, item, "import");
  const bool leaf = !what.alias.empty();
  s.ir.add({.kind = ir::InstructionKind::Import,
            .binds_leaf = leaf,
            .target = s.ir.name(leaf ? what.alias : what.name.substr(0, what.name.find('.'))),
            .symbol = s.ir.symbol(what.name),
            .range = s.range(item)});
}

void import_name(Scope& s, NodeId item, const ModuleName& module) {
  const bool all = s.node(item).kind == Kind::WildcardImport;
  const Imported what = all ? Imported{"*", {}} : imported(s.tree(), item);
  if (what.name.empty()) return unknown_statement(s, item, "import");
  s.ir.add({.kind = ir::InstructionKind::Import,
            .level = static_cast<uint8_t>(module.level),
            .target = all ? ir::ExprId{} : s.ir.name(what.alias.empty() ? what.name : what.alias),
            .symbol = s.ir.symbol(module.name),
            .name = s.ir.symbol(what.name),
            .range = s.range(item)});
}

}  // namespace

void lower_import(Scope& s, NodeId n) {
  const SyntaxTree& tree = s.tree();
  ModuleName module;
  if (tree[n].kind == Kind::FutureImportStatement) module.name = "__future__";
  const NodeId from = tree.child(n, Field::ModuleName);
  if (from.valid()) module = module_name(tree, from);
  const bool nowhere = tree[n].kind != Kind::ImportStatement && module.name.empty() && module.level == 0;
  if (nowhere || module.level > 255) return unknown_statement(s, n, "import");
  for (const NodeId item : tree.children(n)) {
    if (item == from || is_token(tree[item].kind)) continue;
    if (tree[n].kind == Kind::ImportStatement)
      import_module(s, item);
    else
      import_name(s, item, module);
  }
}

}  // namespace ranklint::python
