#include "analyzer/program/other_threads.h"

#include <algorithm>

#include "analyzer/flow/graph.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/callee_role.h"

namespace ranklint {
namespace {

bool is_named(const ir::Expr& e) { return e.kind == ir::ExprKind::Name || e.kind == ir::ExprKind::Attribute; }

// Whether a variable of the function is made in it, and only its methods are ever used: no other function has it.
bool is_kept_within(const Roles& roles, const ir::Module& text, ir::FunctionId id, Symbol name) {
  const ir::Function& f = text.functions[id];
  std::set<ir::ExprId> seen_through;  // where it stands as `name.method`, or is made
  bool made = false;
  for (const ir::Block& block : f.blocks)
    for (const ir::Instruction& i : block.instructions)
      if (i.kind == ir::InstructionKind::Call && i.target.valid() && f.exprs[i.target].symbol == name &&
          is_named(f.exprs[i.value]) && roles.play(text.text(f.exprs[i.value].symbol), Role::SharedByThreads))
        seen_through.insert(i.target), made = true;
  if (!made) return false;
  for (uint32_t e = 0; e < f.exprs.size(); ++e)
    if (f.exprs[ir::ExprId{e}].kind == ir::ExprKind::Attribute) seen_through.insert(ir::children(f, ir::ExprId{e})[0]);
  for (uint32_t e = 0; e < f.exprs.size(); ++e) {
    const ir::Expr& expr = f.exprs[ir::ExprId{e}];
    if (expr.kind == ir::ExprKind::Name && expr.symbol == name && !seen_through.contains(ir::ExprId{e})) return false;
  }
  return std::ranges::none_of(text.functions, [&](const ir::Function& inner) {
    return inner.parent == id && std::ranges::any_of(inner.exprs, [&](const ir::Expr& e) {
             return e.kind == ir::ExprKind::Name && e.symbol == name;
           });
  });
}

}  // namespace

OtherThreads::OtherThreads(const ProjectIndex& index, const Models& models)
    : index_(index), roles_(models.roles()), priors_(models.names()) {
  for (FunctionKey f{0}; f.index < index_.functions().size(); ++f.index) find_entries(f);
  follow_calls();
  for (FunctionKey f{0}; f.index < index_.functions().size(); ++f.index) find_touches(f);
}

bool OtherThreads::leave_alone(FunctionKey asking, ir::ExprId object) const {
  const Named asked = named(asking, object);
  const auto found = asked.name.empty() ? touches_.end() : touches_.find(asked.name);
  if (found == touches_.end()) return false;
  bool touched = false;
  for (const Touch& touch : found->second) {
    if (asked.within != touch.within ||
        (asked.owner.valid() && touch.owner.valid() && !related(asked.owner, touch.owner)))
      continue;
    if (touch.elsewhere) return false;
    touched = true;
  }
  return touched;
}

void OtherThreads::find_entries(FunctionKey key) {
  const ir::Function& f = index_.function(key);
  const ModuleKey module = index_.functions()[key].module;
  const ir::Module& text = index_.modules()[module];
  // `@app.post("/stop")`: a foreign loop calls it.
  for (ir::ExprId decorator : f.decorators)
    if (f.exprs[decorator].kind == ir::ExprKind::Call &&
        f.exprs[ir::children(f, decorator)[0]].kind == ir::ExprKind::Attribute)
      entered_.insert(key);
  if (role_of_method(roles_, index_, key, Role::CalledByOthers) ||
      (index_.functions()[key].owner.valid() && is_builtin(text.text(f.name), Builtin::Del)))
    entered_.insert(key);
  for (const ir::Block& block : f.blocks)
    for (const ir::Instruction& i : block.instructions)
      if (i.kind == ir::InstructionKind::Call && is_named(f.exprs[i.value]) &&
          roles_.play(text.text(f.exprs[i.value].symbol), Role::RunsLater))
        for (const ir::Argument& a : ir::arguments(f, i)) enter(key, f, a.value);
}

void OtherThreads::enter(FunctionKey around, const ir::Function& f, ir::ExprId handed) {
  const ModuleKey module = index_.functions()[around].module;
  const ir::Expr& e = f.exprs[handed];
  if (e.kind == ir::ExprKind::Function) entered_.insert(index_.key(module, e.function()));
  if (is_named(e))
    for (const FunctionKey named : index_.methods_named(index_.name(module, e.symbol))) entered_.insert(named);
}

// By name: the functions that they may call.
void OtherThreads::follow_calls() {
  std::vector<FunctionKey> work(entered_.begin(), entered_.end());
  while (!work.empty()) {
    const FunctionKey key = work.back();
    work.pop_back();
    const ir::Function& f = index_.function(key);
    const ModuleKey module = index_.functions()[key].module;
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind != ir::InstructionKind::Call || !is_named(f.exprs[i.value])) continue;
        for (const FunctionKey callee : index_.methods_named(index_.name(module, f.exprs[i.value].symbol)))
          if (entered_.insert(callee).second) work.push_back(callee);
      }
  }
}

void OtherThreads::find_touches(FunctionKey key) {
  const ir::Function& f = index_.function(key);
  const ir::Module& text = index_.modules()[index_.functions()[key].module];
  if (f.blocks.empty()) return;
  const FlowGraph flow(f);
  const auto mentions_ranks = [&](ir::ExprId within) {
    return ir::any_part(f, within, [&](ir::ExprId e) {
      return is_named(f.exprs[e]) && priors_.suggest(text.text(f.exprs[e].symbol), NameMeaning::SomeRanks);
    });
  };
  // By what the branches above ask, or the calls whose results they may ask for.
  const auto on_some_ranks = [&](ir::BlockId b) {
    for (ir::BlockId above = flow.dominator(b); above.valid(); above = flow.dominator(above)) {
      const ir::Block& block = f.blocks[above];
      if (block.terminator.kind != ir::TerminatorKind::Branch) continue;
      const bool called = std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) {
        return i.kind == ir::InstructionKind::Call && mentions_ranks(i.value);
      });
      if (called || mentions_ranks(block.terminator.value)) return true;
    }
    return false;
  };
  for (ir::BlockId b : flow.order())
    for (const ir::Instruction& i : f.blocks[b].instructions) {
      if (i.kind != ir::InstructionKind::Call || !is_named(f.exprs[i.value])) continue;
      const std::string_view callee = text.text(f.exprs[i.value].symbol);
      if (f.exprs[i.value].kind == ir::ExprKind::Attribute && roles_.play(callee, Role::ChangesShared))
        if (const Named object = named(key, ir::children(f, i.value)[0]); !object.name.empty())
          touches_[std::string(object.name)].push_back(
              {object.owner, object.within, (!object.within.valid() && entered_.contains(key)) || on_some_ranks(b)});
      // Handed to a thread, or kept by an object that may start one.
      if (roles_.play(callee, Role::RunsLater) || (!callee.empty() && callee[0] >= 'A' && callee[0] <= 'Z'))
        for (const ir::Argument& a : ir::arguments(f, i)) {
          const auto hand_over = [&](auto&& self, ir::ExprId e) -> void {
            if (const Named object = named(key, e); !object.name.empty())
              touches_[std::string(object.name)].push_back({object.owner, object.within, true});
            if (f.exprs[e].kind == ir::ExprKind::Tuple || f.exprs[e].kind == ir::ExprKind::List)
              for (ir::ExprId part : ir::children(f, e)) self(self, part);
          };
          hand_over(hand_over, a.value);
        }
    }
}

OtherThreads::Named OtherThreads::named(FunctionKey in, ir::ExprId object) const {
  const ir::Function& f = index_.function(in);
  const ir::Module& text = index_.modules()[index_.functions()[in].module];
  if (!object.valid() || !is_named(f.exprs[object])) return {};
  const std::string_view name = text.text(f.exprs[object].symbol);
  if (SymbolTable::is_unnamed(name)) return {};
  if (f.exprs[object].kind == ir::ExprKind::Name) {
    const bool is_own = is_kept_within(roles_, text, index_.functions()[in].id, f.exprs[object].symbol);
    return {name, {}, is_own ? in : FunctionKey{}};
  }
  const ir::Expr& base = f.exprs[ir::children(f, object)[0]];
  return {name, base.kind == ir::ExprKind::Name ? index_.class_of_self(in, base.symbol) : ClassKey{}, {}};
}

bool OtherThreads::related(ClassKey a, ClassKey b) const {
  return index_.derives_from(a, b) || index_.derives_from(b, a);
}

}  // namespace ranklint
