#include "analyzer/ir/verify.h"

#include <algorithm>

#include "analyzer/ir/verifier.h"

namespace ranklint::ir {

static std::string_view text_of(const Module& module, Symbol symbol) {
  return is_known_symbol(module, symbol) ? module.text(symbol) : std::string_view("?");
}

static void verify_class(const Module& module, ClassId id, const std::vector<Trees>& trees, Complaints& complaints) {
  const Class& c = module.classes[id];
  complaints.set_place("class `" + std::string(text_of(module, c.qualified_name)) + "`");
  complaints.require(is_known_symbol(module, c.name) && is_known_symbol(module, c.qualified_name), "it has no name");
  complaints.require(is_ordered(c.range), "its range ends before it begins");
  for (const FunctionId method : c.methods) {
    const bool owned = module.functions.contains(method) && module.functions[method].owner == id;
    complaints.require(owned, "a method does not name it as its owner");
  }
  if (c.body.valid()) {
    const bool is_body = module.functions.contains(c.body) && module.functions[c.body].kind == FunctionKind::ClassBody;
    complaints.require(is_body, "its body is no class body");
  }
  if (!module.functions.contains(c.scope)) return complaints.add("its scope is no function");
  const Trees& scope = trees[c.scope.index];
  const auto known = [&](ExprId e) { return scope.contains(e); };
  complaints.require(std::ranges::all_of(c.bases, known), "a base is out of bounds");
  complaints.require(std::ranges::all_of(c.decorators, known), "a decorator is out of bounds");
  for (const Argument& a : c.keywords) {
    const bool keyword = a.kind == ArgumentKind::Keyword && is_known_symbol(module, a.keyword);
    const bool unpacked = a.kind == ArgumentKind::DoubleStar && !a.keyword.valid();
    complaints.require(keyword || unpacked, "its keywords hold something else");
    complaints.require(known(a.value), "a keyword is out of bounds");
  }
}

static void verify_annotation(const Module& module, const Annotation& a, const std::vector<Trees>& trees,
                              Complaints& complaints) {
  complaints.set_place("an annotation");
  if (!module.functions.contains(a.function)) return complaints.add("its function is none");
  const std::string_view function = text_of(module, module.functions[a.function].qualified_name);
  complaints.set_place("an annotation in `" + std::string(function) + "`");
  const Trees& pools = trees[a.function.index];
  if (!pools.contains(a.target) || !pools.contains(a.annotation)) return complaints.add("it is out of bounds");
  if (!pools.sound()) return;
  const ExprKind kind = pools.kind(a.target);
  complaints.require(kind == ExprKind::Name || kind == ExprKind::Attribute, "its target is no name or attribute");
}

std::vector<std::string> verify(const Module& module) {
  Complaints complaints;
  if (module.functions.empty()) complaints.add("the module has no function 0");
  const std::vector<bool> endless_parents =
      endless_chains(module.functions.size(), [&](uint32_t f) { return module.functions[FunctionId{f}].parent.index; });
  std::vector<Trees> trees;
  trees.reserve(module.functions.size());
  for (uint32_t f = 0; f < module.functions.size(); ++f) {
    const Function& function = module.functions[FunctionId{f}];
    complaints.set_place("`" + std::string(text_of(module, function.qualified_name)) + "`");
    trees.emplace_back(module, function, complaints);
    complaints.require(!endless_parents[f], "its parents go round in a circle");
    if (trees.back().sound()) verify_function(module, FunctionId{f}, trees.back(), complaints);
  }
  for (uint32_t c = 0; c < module.classes.size(); ++c) verify_class(module, ClassId{c}, trees, complaints);
  for (const Annotation& a : module.annotations) verify_annotation(module, a, trees, complaints);
  for (const Pragma& p : module.pragmas) {
    complaints.set_place("pragma `" + p.text + "`");
    complaints.require(is_ordered(p.range), "its range ends before it begins");
  }
  for (const Start& s : module.starts) {
    complaints.set_place("start `" + s.script + "`");
    complaints.require(is_ordered(s.range), "its range ends before it begins");
  }
  for (const Diagnostic& d : module.diagnostics) {
    complaints.set_place("diagnostic `" + d.message + "`");
    complaints.require(is_ordered(d.range), "its range ends before it begins");
  }
  return complaints.take();
}

}  // namespace ranklint::ir
