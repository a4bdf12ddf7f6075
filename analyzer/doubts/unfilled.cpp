// A helper that collects and then communicates for each thing collected communicates nothing where it was only made:
//
//     class Averages:
//         def __init__(self): self.sums = {}
//         def note(self, name, x): self.sums[name] = x
//         def __exit__(self, *exception):
//             for name in self.sums: all_reduce(self.sums[name])
//
//     if rank == 0:
//         with Averages() as averages: evaluate(model)          # no call of `note`
//
// It looks for the loop's object and the function on the path that makes it; where that neither calls a method
// that fills the collection nor passes the object on, the collection is empty.
#include <algorithm>
#include <set>

#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/flow/graph.h"
#include "analyzer/ir/any_instruction.h"

namespace ranklint {
namespace {

// The text of one function.
class Code {
 public:
  Code(const Query& in, FunctionKey f)
      : roles_(in.roles()),
        index_(in.index()),
        module_(index_.functions()[f].module),
        text_(index_.modules()[module_]),
        f_(index_.function(f)) {}

  template <typename Wanted>
  bool any(Wanted wanted) const {
    return ir::any_instruction(f_, wanted);
  }

  // The attributes of its object that loops around a place go through: `for x in self.kept`, `for x in
  // self.kept.values()`.
  std::set<Symbol> kept_gone_through(SourceRange at) const {
    std::set<Symbol> kept;
    const FlowGraph flow(f_);
    for (const ir::BlockId header : flow.order()) {
      const ir::Terminator& loop = f_.blocks[header].terminator;
      if (loop.kind != ir::TerminatorKind::Iterate) continue;
      const bool around = std::ranges::any_of(flow.loop_blocks(header), [&](ir::BlockId b) {
        return std::ranges::any_of(f_.blocks[b].instructions, [&](const ir::Instruction& i) { return i.range == at; });
      });
      const Symbol name = around ? kept_in(gone_through(loop.value)) : Symbol{};
      if (name.valid()) kept.insert(name);
    }
    return kept;
  }

  // Whether it puts something into what its object keeps: `self.kept[key] = x`, `self.kept.append(x)`,
  // `self.kept[key].update(x)`.
  bool fills(Symbol kept) const {
    return any([&](const ir::Instruction& i) {
      if (i.kind == ir::InstructionKind::Call)
        return is(i.value, ir::ExprKind::Attribute) && !reads(f_.exprs[i.value].symbol) &&
               kept_in(holder(child(i.value))) == kept;
      return is(i.target, ir::ExprKind::Subscript) && kept_in(holder(i.target)) == kept;
    });
  }

  // Whether all that it gives the attribute is empty: `{}`, `[]`, `defaultdict(list)`.
  bool gives_nothing_but_empty(Symbol kept) const {
    return !any([&](const ir::Instruction& i) {
      if (!i.target.valid() || kept_in(i.target) != kept) return false;
      if (i.kind == ir::InstructionKind::Call) return !roles_.play(text_.text(name_of(i.value)), Role::MakesContainer);
      return !(is(i.value, ir::ExprKind::Dict) || is(i.value, ir::ExprKind::List)) ||
             !ir::children(f_, i.value).empty();
    });
  }

  // Whether it calls one of the methods on its own object.
  bool fills_by_itself(const std::set<Symbol>& methods) const {
    return !f_.parameters.empty() &&
           any([&](const ir::Instruction& i) { return calls_on({f_.parameters[0].name}, methods, i); });
  }

  // Whether it makes the object of the class that is used at a place, keeps it to itself, and calls none of the methods
  // on it.
  bool makes_and_leaves(ClassKey c, SourceRange used, const std::set<Symbol>& methods) const {
    return any([&](const ir::Instruction& i) {
      return i.kind == ir::InstructionKind::Call && i.range.line <= used.line && is_made(i.value, c) &&
             leaves(i, used, methods);
    });
  }

  Symbol in_project(Symbol name) const { return index_.name(module_, name); }
  Symbol in_text(Symbol name) const {
    for (const ir::Expr& e : f_.exprs)
      if (e.kind == ir::ExprKind::Attribute && index_.name(module_, e.symbol) == name) return e.symbol;
    return {};
  }

 private:
  bool is(ir::ExprId e, ir::ExprKind kind) const { return e.valid() && f_.exprs[e].kind == kind; }
  ir::ExprId child(ir::ExprId e) const { return ir::children(f_, e)[0]; }
  Symbol name_of(ir::ExprId e) const {
    return is(e, ir::ExprKind::Name) || is(e, ir::ExprKind::Attribute) ? f_.exprs[e].symbol : Symbol{};
  }

  // Of what an instruction makes: whether it is still that object that is used at a place, and nothing else happens to
  // it than calls of other methods.
  bool leaves(const ir::Instruction& made, SourceRange used, const std::set<Symbol>& methods) const {
    if (!is(made.target, ir::ExprKind::Name)) return false;
    std::set<Symbol> names{f_.exprs[made.target].symbol};
    for (const ir::Instruction* i : instructions_after(made)) {
      const bool is_it = i->kind != ir::InstructionKind::Call && i->value.valid() && names.contains(name_of(i->value));
      if (is_it && i->target.valid() && !is(i->target, ir::ExprKind::Name)) return false;
      if (is_it && i->target.valid())
        names.insert(f_.exprs[i->target].symbol);
      else if (is(i->target, ir::ExprKind::Name) && names.contains(f_.exprs[i->target].symbol))
        return used.line < i->range.line;  // another one from here on
      else if (i->kind == ir::InstructionKind::Call && (calls_on(names, methods, *i) || is_handed(names, *i)))
        return false;
    }
    return true;
  }

  // The instructions further down in the text.
  std::vector<const ir::Instruction*> instructions_after(const ir::Instruction& from) const {
    std::vector<const ir::Instruction*> rest;
    bool seen = false;
    for (const ir::Block& block : f_.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (seen && i.range.line >= from.range.line) rest.push_back(&i);
        seen |= &i == &from;
      }
    std::ranges::stable_sort(rest, {}, [](const ir::Instruction* i) { return i->range.line; });
    return rest;
  }

  bool calls_on(const std::set<Symbol>& names, const std::set<Symbol>& methods, const ir::Instruction& i) const {
    return i.kind == ir::InstructionKind::Call && is(i.value, ir::ExprKind::Attribute) &&
           methods.contains(in_project(f_.exprs[i.value].symbol)) && is(child(i.value), ir::ExprKind::Name) &&
           names.contains(f_.exprs[child(i.value)].symbol);
  }

  bool is_handed(const std::set<Symbol>& names, const ir::Instruction& call) const {
    return std::ranges::any_of(ir::arguments(f_, call),
                               [&](const ir::Argument& a) { return names.contains(name_of(a.value)); });
  }

  // Of `self.kept` its name. Invalid: it is something else.
  Symbol kept_in(ir::ExprId e) const {
    if (!is(e, ir::ExprKind::Attribute) || f_.parameters.empty() || !is(child(e), ir::ExprKind::Name)) return {};
    return f_.exprs[child(e)].symbol == f_.parameters[0].name ? f_.exprs[e].symbol : Symbol{};
  }

  // Of `self.kept[key][other]` what is indexed.
  ir::ExprId holder(ir::ExprId e) const {
    while (is(e, ir::ExprKind::Subscript)) e = child(e);
    return e;
  }

  // What a loop goes through, without `.items()` around it.
  ir::ExprId gone_through(ir::ExprId value) const {
    if (!is(value, ir::ExprKind::Name)) return value;
    ir::ExprId of = value;
    any([&](const ir::Instruction& i) {
      if (i.kind == ir::InstructionKind::Call && is(i.target, ir::ExprKind::Name) &&
          f_.exprs[i.target].symbol == f_.exprs[value].symbol && is(i.value, ir::ExprKind::Attribute) &&
          roles_.play(text_.text(f_.exprs[i.value].symbol), Role::ViewsEntries))
        of = child(i.value);
      return false;
    });
    return of;
  }

  bool reads(Symbol method) const { return roles_.play(text_.text(method), Role::ReadsEntries); }

  bool is_made(ir::ExprId callee, ClassKey c) const {
    const Entity made = index_.resolve(module_, f_, callee);
    return made.kind == Entity::Kind::Class && index_.derives_from(made.klass, c);
  }

  const Roles& roles_;
  const ProjectIndex& index_;
  const ModuleKey module_;
  const ir::Module& text_;
  const ir::Function& f_;
};

// The methods that put something into what objects of the class keep under the name, by themselves or by another.
std::set<Symbol> fillers(const Query& in, ClassKey c, Symbol kept, bool& starts_empty) {
  const ProjectIndex& index = in.index();
  std::set<Symbol> methods;
  starts_empty = index.classes()[c].attributes.contains(kept);
  for (const auto& [name, method] : index.classes()[c].methods) {
    const Code code(in, method);
    const Symbol written = code.in_text(kept);
    if (!written.valid()) continue;
    if (!code.gives_nothing_but_empty(written)) starts_empty = false;
    if (code.fills(written)) methods.insert(name);
  }
  for (size_t known = 0; known != methods.size();) {
    known = methods.size();
    for (const auto& [name, method] : index.classes()[c].methods)
      if (Code(in, method).fills_by_itself(methods)) methods.insert(name);
  }
  return methods;
}

}  // namespace

// Whether one of the steps stands in a loop over such a collection: then no rank comes to what is below it.
static Seen goes_round_unfilled(const Query& in, const std::vector<PathStep>& steps) {
  const ProjectIndex& index = in.index();
  for (const PathStep& inner : steps) {
    const ClassKey c = index.functions()[inner.function].owner;
    if (!c.valid()) continue;
    const Code loop(in, inner.function);
    for (const Symbol written : loop.kept_gone_through(inner.range)) {
      bool starts_empty = false;
      const std::set<Symbol> methods = fillers(in, c, loop.in_project(written), starts_empty);
      if (!starts_empty) continue;
      const bool filled_on_the_way = std::ranges::any_of(steps, [&](const PathStep& step) {
        const ClassKey owner = index.functions()[step.function].owner;
        return owner.valid() && index.derives_from(owner, c) && Code(in, step.function).fills_by_itself(methods);
      });
      if (!filled_on_the_way && std::ranges::any_of(steps, [&](const PathStep& step) {
            return Code(in, step.function).makes_and_leaves(c, step.range, methods);
          }))
        return CodePlace{inner.function, inner.range};
    }
  }
  return std::nullopt;
}

Seen doubts::unfilled(const Scene& scene) {
  if (!scene.m.guard.known()) return std::nullopt;
  const Seen found = goes_round_unfilled(scene.in, scene.m.first.steps);
  return found ? found : goes_round_unfilled(scene.in, scene.m.second.steps);
}

}  // namespace ranklint
