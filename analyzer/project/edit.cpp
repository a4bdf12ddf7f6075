#include "analyzer/project/edit.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "analyzer/base/mixed_hash.h"

namespace ranklint {
namespace {

// Expressions in the functions that an edit reaches by a name: the user is typing. A file's largest functions call most
// of the others, and to check them takes as long as to check all.
constexpr size_t kMostSpread = 800;

// Of a piece of code, wherever it stands. Two pieces that differ have the same one with a probability of 2^-64.
using TextDigest = uint64_t;

TextDigest of_text(std::string_view text) { return std::hash<std::string_view>()(text); }

// The digests of a module's functions and what they are made of.
class Digests {
 public:
  explicit Digests(const ir::Module& module) : module_(module) {
    words_.reserve(module.symbols.size());
    for (uint32_t s = 0; s < module.symbols.size(); ++s) words_.push_back(of_text(module.text(Symbol{s})));
  }

  TextDigest function(const ir::Function& f) const {
    TextDigest d = mixed_hash(word(f.name), word(f.qualified_name));
    for (const uint64_t n : {static_cast<uint64_t>(f.kind), static_cast<uint64_t>(f.is_async),
                             static_cast<uint64_t>(f.is_generator), name_of(f.parent), name_of(f.owner)})
      d = mixed_hash(d, n);
    for (const ir::Parameter& p : f.parameters) {
      d = mixed_hash(mixed_hash(d, word(p.name)), static_cast<uint64_t>(p.kind));
      d = mixed_hash(mixed_hash(d, tree(f, p.default_value)), tree(f, p.annotation));
    }
    d = mixed_hash(d, tree(f, f.return_annotation));
    for (const ir::ExprId e : f.decorators) d = mixed_hash(d, tree(f, e));
    for (const Symbol s : f.globals) d = mixed_hash(d, word(s));
    for (const Symbol s : f.nonlocals) d = mixed_hash(d, ~word(s));
    for (const ir::Block& block : f.blocks) d = mixed_hash(d, this->block(f, block));
    return d;
  }

  // Without the numbers of temporaries, which follow from what stands before, if `loosely`.
  TextDigest instruction(const ir::Function& f, const ir::Instruction& i, bool loosely) const {
    TextDigest d = mixed_hash(static_cast<uint64_t>(i.kind),
                              (i.is_async ? 1 : 0) + (i.binds_leaf ? 2u : 0u) + (i.unwinds ? 4u : 0u) + 8u * i.level);
    for (const Symbol s : {i.symbol, i.name}) d = mixed_hash(d, word(s));
    d = mixed_hash(mixed_hash(d, tree(f, i.target, loosely)), tree(f, i.value, loosely));
    for (const ir::Argument& a : ir::arguments(f, i))
      d = mixed_hash(mixed_hash(mixed_hash(d, static_cast<uint64_t>(a.kind)), word(a.keyword)),
                     tree(f, a.value, loosely));
    return d;
  }

  // What it is beside its body.
  TextDigest head(const ir::Class& c) const {
    const ir::Function& scope = module_.functions[c.scope];
    TextDigest d = word(c.qualified_name);
    for (const ir::ExprId e : c.bases) d = mixed_hash(d, tree(scope, e));
    for (const ir::ExprId e : c.decorators) d = mixed_hash(d, ~tree(scope, e));
    for (const ir::Argument& a : c.keywords) d = mixed_hash(mixed_hash(d, word(a.keyword)), tree(scope, a.value));
    return d;
  }

  TextDigest tree(const ir::Function& f, ir::ExprId id, bool loosely = false) const {
    if (!id.valid()) return 1;
    const ir::Expr& e = f.exprs[id];
    TextDigest d = mixed_hash(static_cast<uint64_t>(e.kind) * 64 + static_cast<uint64_t>(e.op), e.child_count);
    d = mixed_hash(d, loosely && SymbolTable::is_unnamed(module_.text(e.symbol)) ? 2 : word(e.symbol));
    if (e.kind == ir::ExprKind::Function)
      d = mixed_hash(d, name_of(e.function()));
    else if (e.kind == ir::ExprKind::Class)
      d = mixed_hash(d, name_of(e.class_()));
    for (const ir::ExprId child : ir::children(f, id)) d = mixed_hash(d, tree(f, child, loosely));
    return d;
  }

 private:
  TextDigest block(const ir::Function& f, const ir::Block& block) const {
    TextDigest d = mixed_hash(word(block.label), block.handler.index);
    for (const ir::Instruction& i : block.instructions) d = mixed_hash(d, instruction(f, i, false));
    const ir::Terminator& t = block.terminator;
    d = mixed_hash(mixed_hash(d, static_cast<uint64_t>(t.kind)), t.is_loop);
    for (const ir::BlockId next : t.successors) d = mixed_hash(d, next.index);
    return mixed_hash(mixed_hash(d, tree(f, t.value)), tree(f, t.target));
  }

  TextDigest word(Symbol s) const {
    if (SymbolTable::is_temporary(s)) return of_text(module_.text(s));
    return s.valid() ? words_[s.index] : 0;
  }
  TextDigest name_of(ir::FunctionId f) const { return f.valid() ? word(module_.functions[f].qualified_name) : 0; }
  TextDigest name_of(ir::ClassId c) const { return c.valid() ? word(module_.classes[c].qualified_name) : 0; }

  const ir::Module& module_;
  std::vector<TextDigest> words_;
};

// One state of the file.
struct State {
  explicit State(const ir::Module& m)
      : module(m),
        digests(m),
        digest(m.functions.size()),
        root(m.functions.size()),
        touched(m.functions.size(), false) {
    const FunctionNumbers numbers = numbered(m);
    for (uint32_t f = 0; f < m.functions.size(); ++f) {
      const ir::Function& function = m.functions[ir::FunctionId{f}];
      digest[f] = digests.function(function);
      root[f] = f;
      while (m.functions[ir::FunctionId{root[f]}].parent.valid())
        root[f] = m.functions[ir::FunctionId{root[f]}].parent.index;
      by_name[{m.text(numbers[f].first), numbers[f].second}] = f;
    }
    for (const ir::Annotation& a : m.annotations) {
      const ir::Function& f = m.functions[a.function];
      digest[a.function.index] =
          mixed_hash(mixed_hash(digest[a.function.index], digests.tree(f, a.target)), digests.tree(f, a.annotation));
    }
  }

  const ir::Module& module;
  Digests digests;
  std::vector<TextDigest> digest;  // per function
  std::vector<uint32_t> root;      // per function: the outermost around it
  std::vector<bool> touched;       // per function; asked of roots
  std::map<std::pair<std::string_view, uint32_t>, uint32_t> by_name;
};

class Edit {
 public:
  Edit(const ir::Module& before, const ir::Module& now) : before_(before), now_(now) {}

  Touched run() {
    compare_functions(before_, now_);
    compare_functions(now_, before_);
    compare_classes(before_, now_);
    compare_classes(now_, before_);
    while (spread()) {
    }
    while (pair_up()) {
    }
    return {all_touched(before_), all_touched(now_)};
  }

 private:
  static bool is_touched(const State& s, uint32_t f) { return s.touched[s.root[f]]; }
  static void touch(State& s, uint32_t f) { s.touched[s.root[f]] = true; }

  // Touches what is touched in the other state. Whether there was more to do.
  bool pair_up() {
    bool changed = false;
    for (const auto& [name, f] : before_.by_name) {
      const auto other = now_.by_name.find(name);
      if (other == now_.by_name.end() || is_touched(before_, f) == is_touched(now_, other->second)) continue;
      touch(before_, f);
      touch(now_, other->second);
      changed = true;
    }
    return changed;
  }

  static std::vector<bool> all_touched(const State& s) {
    std::vector<bool> touched(s.touched.size());
    for (uint32_t f = 0; f < touched.size(); ++f) touched[f] = is_touched(s, f);
    return touched;
  }

  // What is in one state and not in the other.
  void compare_functions(State& here, const State& there) {
    for (const auto& [name, f] : here.by_name) {
      const auto other = there.by_name.find(name);
      if (other != there.by_name.end() && there.digest[other->second] == here.digest[f]) continue;
      touch(here, f);
      export_name(here, f);
      std::multiset<TextDigest> known;
      if (other != there.by_name.end())
        note_instructions(there, there.module.functions[ir::FunctionId{other->second}], known);
      export_targets(here, here.module.functions[ir::FunctionId{f}],
                     [&](const ir::Function& function, const ir::Instruction& i) {
                       const auto same = known.find(here.digests.instruction(function, i, true));
                       if (same == known.end()) return true;
                       known.erase(same);
                       return false;
                     });
    }
  }

  static void note_instructions(const State& s, const ir::Function& f, std::multiset<TextDigest>& all) {
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& i : block.instructions) all.insert(s.digests.instruction(f, i, true));
  }

  // A class whose bases are others is another for all its methods.
  void compare_classes(State& here, const State& there) {
    std::set<TextDigest> known;
    for (const ir::Class& c : there.module.classes) known.insert(there.digests.head(c));
    for (const ir::Class& c : here.module.classes) {
      if (known.contains(here.digests.head(c))) continue;
      names_.emplace(here.module.text(c.name));
      for (const ir::FunctionId method : c.methods) touch(here, method.index);
    }
  }

  // What the language calls without naming it, it calls on the class's objects.
  void export_name(const State& s, uint32_t f) {
    const ir::Function& function = s.module.functions[ir::FunctionId{f}];
    const std::string_view name = s.module.text(function.name);
    if (function.kind != ir::FunctionKind::Function) return;
    names_.emplace(name);
    if (function.owner.valid() && (name.starts_with("__") || name == "forward"))
      names_.emplace(s.module.text(s.module.classes[function.owner].name));
  }

  template <typename Wanted>
  void export_targets(const State& s, const ir::Function& f, const Wanted& wanted) {
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (wanted(f, i) && i.target.valid()) export_target(s, f, i.target);
  }

  // Others see attributes, and variables of the module or of a class.
  void export_target(const State& s, const ir::Function& f, ir::ExprId target) {
    const ir::Expr& e = f.exprs[target];
    const bool is_shared = f.kind == ir::FunctionKind::Module || f.kind == ir::FunctionKind::ClassBody ||
                           std::find(f.globals.begin(), f.globals.end(), e.symbol) != f.globals.end();
    const std::string_view name = s.module.text(e.symbol);
    if ((e.kind == ir::ExprKind::Attribute || (e.kind == ir::ExprKind::Name && is_shared)) &&
        !SymbolTable::is_unnamed(name))
      names_.emplace(name);
    if (e.kind == ir::ExprKind::Tuple || e.kind == ir::ExprKind::List || e.kind == ir::ExprKind::Starred)
      for (const ir::ExprId child : ir::children(f, target)) export_target(s, f, child);
  }

  // Touches functions that name what is exported, and exports what that makes of them. Whether there was more to do.
  bool spread() {
    const ir::Module& module = now_.module;
    std::vector<bool> is_exported(module.symbols.size(), false);
    for (const std::string_view name : names_)
      if (const Symbol s = module.symbols.find(name); s.valid()) is_exported[s.index] = true;
    const size_t known = names_.size();
    const auto mentions = [&](const ir::Expr& e) {
      return (e.kind == ir::ExprKind::Name || e.kind == ir::ExprKind::Attribute || e.kind == ir::ExprKind::String) &&
             e.symbol.valid() && !SymbolTable::is_temporary(e.symbol) && is_exported[e.symbol.index];
    };
    for (uint32_t f = 0; f < module.functions.size(); ++f) {
      const ir::Function& function = module.functions[ir::FunctionId{f}];
      if (!function_names_any(function, mentions) || !affords(f)) continue;
      touch(now_, f);
      export_name(now_, f);
      export_targets(now_, function, [&](const ir::Function& g, const ir::Instruction& i) {
        return i.kind != ir::InstructionKind::Import && names_any(g, i, mentions);
      });
    }
    return names_.size() != known;
  }

  // Whether a function that names what changed is judged again, too, with all that stand together with it.
  bool affords(uint32_t f) {
    if (is_touched(now_, f)) return true;
    size_t size = 0;
    for (uint32_t g = 0; g < now_.root.size(); ++g)
      if (now_.root[g] == now_.root[f]) size += now_.module.functions[ir::FunctionId{g}].exprs.size();
    if (spread_to_ + size > kMostSpread) return false;
    spread_to_ += size;
    return true;
  }

  template <typename Mentions>
  static bool tree_names_any(const ir::Function& f, ir::ExprId e, const Mentions& mentions) {
    if (!e.valid()) return false;
    const auto children = ir::children(f, e);
    return mentions(f.exprs[e]) || std::any_of(children.begin(), children.end(),
                                               [&](ir::ExprId child) { return tree_names_any(f, child, mentions); });
  }

  // The module and a class give a name to each of their functions: that is no use of it.
  template <typename Mentions>
  static bool function_names_any(const ir::Function& f, const Mentions& mentions) {
    if (f.kind != ir::FunctionKind::Module && f.kind != ir::FunctionKind::ClassBody)
      return std::any_of(f.exprs.begin(), f.exprs.end(), mentions);
    return std::any_of(f.blocks.begin(), f.blocks.end(), [&](const ir::Block& block) {
      return tree_names_any(f, block.terminator.value, mentions) ||
             std::any_of(block.instructions.begin(), block.instructions.end(),
                         [&](const ir::Instruction& i) { return names_any(f, i, mentions); });
    });
  }

  // In what it computes.
  template <typename Mentions>
  static bool names_any(const ir::Function& f, const ir::Instruction& i, const Mentions& mentions) {
    const auto arguments = ir::arguments(f, i);
    return tree_names_any(f, i.value, mentions) ||
           std::any_of(arguments.begin(), arguments.end(),
                       [&](const ir::Argument& a) { return tree_names_any(f, a.value, mentions); });
  }

  State before_, now_;
  std::set<std::string_view> names_;  // of the texts of both modules
  size_t spread_to_ = 0;              // expressions in functions that were not edited themselves
};

}  // namespace

FunctionNumbers numbered(const ir::Module& module) {
  FunctionNumbers numbers;
  numbers.reserve(module.functions.size());
  std::map<Symbol, uint32_t> met;
  for (const ir::Function& f : module.functions) numbers.emplace_back(f.qualified_name, met[f.qualified_name]++);
  return numbers;
}

Touched touched_by_edit(const ir::Module& before, const ir::Module& now) { return Edit(before, now).run(); }

}  // namespace ranklint
