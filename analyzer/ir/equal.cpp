#include "analyzer/ir/equal.h"

#include <algorithm>

namespace ranklint::ir {

// Of two expressions of one kind: whether they refer to the same function or class, if to any.
static bool same_definition(const Expr& x, const Expr& y) {
  return !refers_to_definition(x.kind) || x.first_child == y.first_child;
}

bool same_tree(const Function& f, ExprId a, ExprId b) {
  if (a == b) return true;
  if (!a.valid() || !b.valid()) return false;
  const Expr& x = f.exprs[a];
  const Expr& y = f.exprs[b];
  const bool same_node = x.kind == y.kind && x.op == y.op && x.symbol == y.symbol && same_definition(x, y);
  return same_node && std::ranges::equal(children(f, a), children(f, b),
                                         [&](ExprId left, ExprId right) { return same_tree(f, left, right); });
}

namespace {

class Comparison {
 public:
  Comparison(const Module& a, const Module& b) : a_(a), b_(b) {}

  std::string run() {
    if (a_.path != b_.path || a_.name != b_.name || a_.language != b_.language || a_.conventions != b_.conventions ||
        a_.unknown_count != b_.unknown_count)
      return "the head of the module";
    if (a_.pragmas != b_.pragmas) return "pragmas";
    if (a_.starts != b_.starts) return "starts";
    if (a_.diagnostics != b_.diagnostics) return "diagnostics";
    if (a_.functions.size() != b_.functions.size()) return "the number of functions";
    if (a_.classes.size() != b_.classes.size()) return "the number of classes";
    for (uint32_t f = 0; f < a_.functions.size(); ++f)
      if (std::string found = functions(FunctionId{f}); !found.empty())
        return "function " + std::string(a_.text(a_.functions[FunctionId{f}].qualified_name)) + ", " + found;
    for (uint32_t c = 0; c < a_.classes.size(); ++c)
      if (!classes(a_.classes[ClassId{c}], b_.classes[ClassId{c}]))
        return "class " + std::string(a_.text(a_.classes[ClassId{c}].qualified_name));
    return std::ranges::equal(a_.annotations, b_.annotations,
                              [&](const Annotation& x, const Annotation& y) { return annotations(x, y); })
               ? ""
               : "annotations";
  }

 private:
  bool symbols(Symbol x, Symbol y) const { return a_.text(x) == b_.text(y); }

  bool symbols(std::span<const Symbol> x, std::span<const Symbol> y) const {
    return std::ranges::equal(x, y, [&](Symbol left, Symbol right) { return symbols(left, right); });
  }

  bool trees(const Function& f, ExprId x, const Function& g, ExprId y) const {
    if (x.valid() != y.valid()) return false;
    if (!x.valid()) return true;
    const Expr& left = f.exprs[x];
    const Expr& right = g.exprs[y];
    const bool same_kind = left.kind == right.kind && left.op == right.op && same_definition(left, right);
    return same_kind && symbols(left.symbol, right.symbol) && trees(f, children(f, x), g, children(g, y));
  }

  bool trees(const Function& f, std::span<const ExprId> xs, const Function& g, std::span<const ExprId> ys) const {
    return std::ranges::equal(xs, ys, [&](ExprId x, ExprId y) { return trees(f, x, g, y); });
  }

  bool arguments(const Function& f, std::span<const Argument> xs, const Function& g,
                 std::span<const Argument> ys) const {
    return std::ranges::equal(xs, ys, [&](const Argument& x, const Argument& y) {
      return x.kind == y.kind && symbols(x.keyword, y.keyword) && trees(f, x.value, g, y.value);
    });
  }

  bool instructions(const Function& f, const Instruction& x, const Function& g, const Instruction& y) const {
    return x.kind == y.kind && x.is_async == y.is_async && x.binds_leaf == y.binds_leaf && x.unwinds == y.unwinds &&
           x.level == y.level && x.range == y.range && symbols(x.name, y.name) && x.name.valid() == y.name.valid() &&
           symbols(x.symbol, y.symbol) && trees(f, x.target, g, y.target) && trees(f, x.value, g, y.value) &&
           arguments(f, ir::arguments(f, x), g, ir::arguments(g, y));
  }

  bool terminators(const Function& f, const Terminator& x, const Function& g, const Terminator& y) const {
    return x.kind == y.kind && x.is_loop == y.is_loop && x.successors == y.successors && x.range == y.range &&
           trees(f, x.value, g, y.value) && trees(f, x.target, g, y.target);
  }

  bool parameters(const Function& f, const Function& g) const {
    return std::ranges::equal(f.parameters, g.parameters, [&](const Parameter& x, const Parameter& y) {
      return symbols(x.name, y.name) && x.kind == y.kind && trees(f, x.default_value, g, y.default_value) &&
             trees(f, x.annotation, g, y.annotation);
    });
  }

  std::string functions(FunctionId id) const {
    const Function& f = a_.functions[id];
    const Function& g = b_.functions[id];
    const bool same_names = symbols(f.name, g.name) && symbols(f.qualified_name, g.qualified_name);
    const bool same_head = f.kind == g.kind && f.is_async == g.is_async && f.is_generator == g.is_generator &&
                           f.parent == g.parent && f.owner == g.owner && f.range == g.range &&
                           f.name_range == g.name_range && symbols(f.globals, g.globals) &&
                           symbols(f.nonlocals, g.nonlocals);
    const bool same_trees = parameters(f, g) && trees(f, f.return_annotation, g, g.return_annotation) &&
                            trees(f, f.decorators, g, g.decorators);
    if (!same_names || !same_head || !same_trees || f.blocks.size() != g.blocks.size()) return "its head";
    for (uint32_t b = 0; b < f.blocks.size(); ++b)
      if (std::string found = blocks(f, f.blocks[BlockId{b}], g, g.blocks[BlockId{b}]); !found.empty())
        return "^" + std::string(a_.text(f.blocks[BlockId{b}].label)) + ", " + found;
    return "";
  }

  std::string blocks(const Function& f, const Block& x, const Function& g, const Block& y) const {
    if (!symbols(x.label, y.label) || x.handler != y.handler || x.instructions.size() != y.instructions.size())
      return "its head";
    for (size_t i = 0; i < x.instructions.size(); ++i)
      if (!instructions(f, x.instructions[i], g, y.instructions[i])) return "instruction " + std::to_string(i);
    return terminators(f, x.terminator, g, y.terminator) ? "" : "its terminator";
  }

  bool classes(const Class& x, const Class& y) const {
    if (x.scope != y.scope || x.body != y.body || x.methods != y.methods || x.range != y.range) return false;
    const Function& f = a_.functions[x.scope];
    const Function& g = b_.functions[y.scope];
    return symbols(x.name, y.name) && symbols(x.qualified_name, y.qualified_name) && trees(f, x.bases, g, y.bases) &&
           trees(f, x.decorators, g, y.decorators) && arguments(f, x.keywords, g, y.keywords);
  }

  bool annotations(const Annotation& x, const Annotation& y) const {
    if (x.function != y.function) return false;
    const Function& f = a_.functions[x.function];
    const Function& g = b_.functions[y.function];
    return trees(f, x.target, g, y.target) && trees(f, x.annotation, g, y.annotation);
  }

  const Module& a_;
  const Module& b_;
};

}  // namespace

std::string difference(const Module& a, const Module& b) { return Comparison(a, b).run(); }

}  // namespace ranklint::ir
