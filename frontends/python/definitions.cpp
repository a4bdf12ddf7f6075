// Functions, lambdas and classes: each a function of the module with a scope of its own.
#include <algorithm>
#include <optional>

#include "analyzer/base/contain.h"
#include "frontends/python/lowering.h"

namespace ranklint::python {

using ir::ExprId;
using ir::ParameterKind;

namespace {

SourceRange end_of(const SourceRange& range) {
  return {range.end_line, range.end_column, range.end_line, range.end_column};
}

// A scope for a function defined in `outer`. A class body's names are not visible in its methods, so both have the
// same parent.
Scope inner_scope(Scope& outer, ir::FunctionId id, std::string prefix) {
  Scope s{.file = outer.file,
          .ir = ir::FunctionBuilder(outer.file.module, id),
          .prefix = std::move(prefix),
          .closure_parent = outer.closure_parent};
  s.renames = outer.renames;
  s.order.push_back(s.ir.block());
  s.ir.function().parent = outer.closure_parent;
  return s;
}

// A parameter hides a comprehension's variable of the same name.
void hide_rename(Scope& s, std::string_view name) {
  std::erase_if(s.renames, [&](const auto& rename) { return rename.first == name; });
}

// Half-typed code may have parameters where Python allows none: each kind goes to its place, one `*` and `**` stay.
void put_in_order(CompactVector<ir::Parameter>& parameters) {
  constexpr ParameterKind kOrder[] = {ParameterKind::PositionalOnly, ParameterKind::Positional, ParameterKind::Star,
                                      ParameterKind::KeywordOnly, ParameterKind::DoubleStar};
  std::vector<ir::Parameter> ordered;
  for (const ParameterKind kind : kOrder) {
    const bool once = kind == ParameterKind::Star || kind == ParameterKind::DoubleStar;
    for (const ir::Parameter& p : parameters)
      if (p.kind == kind && !(once && !ordered.empty() && ordered.back().kind == kind)) ordered.push_back(p);
  }
  parameters = ordered;
}

class ParameterReader {
 public:
  explicit ParameterReader(Scope& scope) : s_(scope) {}

  void read(NodeId list) {
    for (const NodeId n : s_.tree().children(list)) read_one(n);
    put_in_order(s_.ir.function().parameters);
  }

 private:
  void read_one(NodeId n) {
    const SyntaxTree& tree = s_.tree();
    switch (tree[n].kind) {
      case Kind::PositionalSeparator:
        for (ir::Parameter& p : s_.ir.function().parameters)
          if (p.kind == ParameterKind::Positional) p.kind = ParameterKind::PositionalOnly;
        return;
      case Kind::KeywordSeparator: plain_ = ParameterKind::KeywordOnly; return;
      case Kind::Identifier:
      case Kind::ListSplatPattern:
      case Kind::DictionarySplatPattern:
      case Kind::TuplePattern: return add(n, {}, {});
      case Kind::TypedParameter: return add(tree.first(n), {}, tree.child(n, Field::Type));
      case Kind::DefaultParameter:
      case Kind::TypedDefaultParameter:
        return add(tree.child(n, Field::Name), tree.child(n, Field::Value), tree.child(n, Field::Type));
      case Kind::Error: return static_cast<void>(unknown_expression(s_, n, "parameter"));
      default: return;
    }
  }

  void add(NodeId name, NodeId default_value, NodeId annotation) {
    if (!name.valid()) return;
    ir::Parameter p{.kind = plain_};
    if (s_.node(name).kind == Kind::ListSplatPattern || s_.node(name).kind == Kind::DictionarySplatPattern) {
      const bool star = s_.node(name).kind == Kind::ListSplatPattern;
      p.kind = star ? ParameterKind::Star : ParameterKind::DoubleStar;
      plain_ = ParameterKind::KeywordOnly;
      name = s_.tree().first(name);
      if (!name.valid()) return;
    }
    if (default_value.valid()) p.default_value = lower_tree(s_, default_value);
    if (annotation.valid()) p.annotation = lower_tree(s_, annotation);
    if (s_.node(name).kind == Kind::Identifier) {
      p.name = s_.ir.symbol(clean_text(s_.tree().text(name)));
    } else {  // `def f((a, b))` of Python 2
      const ExprId whole = s_.ir.temporary();
      p.name = s_.ir.function().exprs[whole].symbol;
      assign(s_, name, whole, s_.range(name));
    }
    s_.ir.function().parameters.push_back(p);
  }

  Scope& s_;
  ParameterKind plain_ = ParameterKind::Positional;
};

// Decorators, defaults and annotations are looked up around the function; the builder is the function's own.
void lower_signature(Scope& s, NodeId n, const std::vector<NodeId>& decorators) {
  for (const NodeId decorator : decorators)
    if (const NodeId value = s.tree().first(decorator); value.valid()) {
      const ExprId tree = lower_tree(s, value);  // first: it may add functions to the module
      s.ir.function().decorators.push_back(tree);
    }
  if (const NodeId parameters = s.tree().child(n, Field::Parameters); parameters.valid())
    ParameterReader(s).read(parameters);
  if (const NodeId type = s.tree().child(n, Field::ReturnType); type.valid()) {
    const ExprId annotation = lower_tree(s, type);
    s.ir.function().return_annotation = annotation;
  }
  for (const ir::Parameter& p : s.ir.function().parameters) hide_rename(s, s.file.module.text(p.name));
}

std::string name_of(Scope& s, NodeId n, NodeId& name) {
  name = s.tree().child(n, Field::Name);
  if (!name.valid() || s.node(name).begin == s.node(name).end) return "<unnamed>";
  return clean_text(s.tree().text(name));
}

// Lowers a function's body. Whatever breaks in it leaves the function without one, and the module says so.
template <typename Body>
void lower_contained(Scope& outer, ir::FunctionId id, const Body& body) {
  ir::Module& module = outer.file.module;
  std::optional<std::string> what = contain([&] {
    if (outer.file.probe) (*outer.file.probe)(module.text(module.functions[id].qualified_name));
    body();
  });
  if (!what) return;
  ir::forget_body(module, id);
  module.broken.push_back({id, std::move(*what)});
}

}  // namespace

static ir::FunctionId define_function(Scope& outer, NodeId n, const std::vector<NodeId>& decorators) {
  if (const auto known = outer.file.functions.find(n.index); known != outer.file.functions.end()) return known->second;
  NodeId name_node;
  const std::string name = name_of(outer, n, name_node);
  const ir::FunctionId id = ir::add_function(outer.file.module, outer.prefix + name);
  outer.file.functions.emplace(n.index, id);

  Scope s = inner_scope(outer, id, outer.prefix + name + ".");
  ir::Function& f = s.ir.function();
  f.owner = outer.owner;
  f.range = s.range(n);
  f.name_range = name_node.valid() ? s.range(name_node) : s.range(n);
  f.is_async = s.tree().child(n, Kind::Async).valid();
  lower_contained(outer, id, [&] {
    lower_signature(s, n, decorators);
    s.closure_parent = id;
    lower_errors_of(s, n);
    if (const NodeId body = s.tree().child(n, Field::Body); body.valid()) lower_statement(s, body);
    finish_function(s, end_of(s.range(n)));
  });
  return id;
}

void lower_function_definition(Scope& s, NodeId n, const std::vector<NodeId>& decorators) {
  NodeId name_node;
  const std::string name = name_of(s, n, name_node);
  const ir::FunctionId id = define_function(s, n, decorators);
  if (s.owner.valid()) {
    auto& methods = s.file.module.classes[s.owner].methods;
    if (std::ranges::find(methods, id) == methods.end()) methods.push_back(id);
  }
  if (name_node.valid()) s.ir.assign(s.ir.name(name), s.ir.function_ref(id), s.range(n));
}

static ir::FunctionId define_lambda(Scope& outer, NodeId n) {
  if (const auto known = outer.file.functions.find(n.index); known != outer.file.functions.end()) return known->second;
  const ir::FunctionId id = ir::add_function(outer.file.module, outer.prefix + "<lambda>", ir::FunctionKind::Lambda);
  outer.file.functions.emplace(n.index, id);
  Scope s = inner_scope(outer, id, outer.prefix + "<lambda>.");
  s.ir.function().range = s.ir.function().name_range = s.range(n);
  lower_contained(outer, id, [&] {
    lower_signature(s, n, {});
    s.closure_parent = id;
    if (const NodeId body = s.tree().child(n, Field::Body); body.valid()) {
      const ExprId value = lower_expression(s, body);
      s.ir.return_(value, s.range(body));
    }
    finish_function(s, end_of(s.range(n)));
  });
  return id;
}

ExprId lower_lambda(Scope& s, NodeId n) { return s.ir.function_ref(define_lambda(s, n)); }

namespace {

// Bases and keywords are evaluated where the class is defined.
void lower_superclasses(Scope& s, NodeId n, ir::Class& made) {
  const NodeId list = s.tree().child(n, Field::Superclasses);
  if (!list.valid()) return;
  std::vector<ir::CallArgument> arguments;
  lower_arguments(s, list, arguments);
  for (const ir::CallArgument& a : arguments) {
    if (a.kind == ir::ArgumentKind::Positional)
      made.bases.push_back(a.value);
    else if (a.kind == ir::ArgumentKind::Star)
      made.bases.push_back(s.ir.starred(a.value));
    else
      made.keywords.push_back({.kind = a.kind,
                               .keyword = a.keyword.empty() ? Symbol{} : s.ir.symbol(clean_text(a.keyword)),
                               .value = a.value});
  }
}

ir::FunctionId define_class_body(Scope& outer, NodeId n, ir::ClassId id, const std::string& name) {
  const ir::FunctionId body_id =
      ir::add_function(outer.file.module, outer.prefix + "<class " + name + ">", ir::FunctionKind::ClassBody);
  outer.file.module.classes[id].body = body_id;
  Scope s = inner_scope(outer, body_id, outer.prefix + name + ".");
  s.owner = id;
  s.ir.function().range = s.ir.function().name_range = s.range(n);
  lower_contained(outer, body_id, [&] {
    if (const NodeId body = s.tree().child(n, Field::Body); body.valid()) lower_block(s, body);
    finish_function(s, end_of(s.range(n)));
  });
  return body_id;
}

}  // namespace

static ir::ClassId define_class(Scope& s, NodeId n, const std::vector<NodeId>& decorators, const std::string& name) {
  if (const auto known = s.file.classes.find(n.index); known != s.file.classes.end()) return known->second;
  ir::Class made{.name = s.ir.symbol(name),
                 .qualified_name = s.ir.symbol(s.prefix + name),
                 .scope = s.ir.id(),
                 .range = s.range(n)};
  for (const NodeId decorator : decorators)
    if (const NodeId value = s.tree().first(decorator); value.valid()) made.decorators.push_back(lower_tree(s, value));
  lower_superclasses(s, n, made);
  const ir::ClassId id = s.file.module.classes.push_back(std::move(made));
  s.file.classes.emplace(n.index, id);
  define_class_body(s, n, id, name);
  return id;
}

void lower_class_definition(Scope& s, NodeId n, const std::vector<NodeId>& decorators) {
  NodeId name_node;
  const std::string name = name_of(s, n, name_node);
  const ir::ClassId id = define_class(s, n, decorators, name);
  if (name_node.valid()) s.ir.assign(s.ir.name(name), s.ir.class_ref(id), s.range(n));
}

void lower_decorated(Scope& s, NodeId n) {
  std::vector<NodeId> decorators;
  for (const NodeId child : s.tree().children(n)) {
    if (s.node(child).kind == Kind::Decorator) decorators.push_back(child);
    if (s.node(child).kind == Kind::FunctionDefinition) lower_function_definition(s, child, decorators);
    if (s.node(child).kind == Kind::ClassDefinition) lower_class_definition(s, child, decorators);
  }
}

}  // namespace ranklint::python
