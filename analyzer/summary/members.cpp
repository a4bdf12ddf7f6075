// What an element of a container may be, where the text says what is put into it:
//
//     hooks = [sync, show]                            # one of these
//     hooks = [sync] if first else []                 # one of those of each side
//     table = {"sum": sync}                           # `for f in table.values()`: one of these
//     def register(self, hook): self.hooks.append(hook)   # what callers pass
//
// So `for hook in self.hooks: hook(loss)` is a call of each, on the ranks that have it. Other code may put in more:
// these are some of the elements, and maybe not all.
#include <algorithm>
#include <iterator>

#include "analyzer/base/stack_room.h"
#include "analyzer/summary/entries.h"
#include "analyzer/summary/query.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

constexpr size_t kMostKept = 6;

// Things that are called, or whose methods are.
bool can_be_called(const ValueStore& values, ValueId v) {
  switch (values[v].kind) {
    case ValueKind::Function:
    case ValueKind::Bound:
    case ValueKind::Partial:
    case ValueKind::Class:
    case ValueKind::External: return true;
    default: return values.class_of(v).valid();
  }
}

// What a method appends to an attribute of `self`: an expression of the method, in a block of it.
struct Appended {
  ir::ExprId value;
  ir::BlockId block;
};

std::vector<Appended> appended(const Query& in, FunctionKey method, Symbol attribute) {
  const ProjectIndex& index = in.index();
  const ir::Module& text = index.modules()[index.functions()[method].module];
  const ir::Function& f = index.function(method);
  std::vector<Appended> found;
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    for (const ir::Instruction& i : f.blocks[ir::BlockId{b}].instructions) {
      if (i.kind != ir::InstructionKind::Call || f.exprs[i.value].kind != ir::ExprKind::Attribute) continue;
      const auto given = ir::arguments(f, i);
      if (given.empty() || !given.back().value.valid()) continue;
      const std::string_view method_name = text.text(f.exprs[i.value].symbol);
      if (in.roles().play(method_name, Role::AddsElement) &&
          own_attribute(index, method, ir::children(f, i.value)[0]) == attribute)
        found.push_back({given.back().value, ir::BlockId{b}});
    }
  return found;
}

// The parts of the lists that are written out where the class gives the attribute a value.
std::vector<ValueId> written_out(const Query& in, ClassKey c, Symbol attribute) {
  std::vector<ValueId> found;
  const auto& attributes = in.index().classes()[c].attributes;
  const auto sites = attributes.find(attribute);
  if (sites == attributes.end()) return found;
  for (const AttributeSite& site : sites->second) {
    const Summary* setter = in.summary(site.function);
    const ValueId set = setter ? setter->given_to(attribute, site) : ValueId{};
    if (!set.valid() || in.values()[set].kind != ValueKind::Tuple) continue;
    const auto parts = in.values().children(set);
    found.insert(found.end(), parts.begin(), parts.end());
  }
  return found;
}

// The class whose constructor gave the variable its only value.
ClassKey class_given_to(const ProjectIndex& index, FunctionKey method, Symbol variable) {
  const ir::Function& f = index.function(method);
  ClassKey made;
  for (const ir::Block& block : f.blocks)
    for (const ir::Instruction& i : block.instructions) {
      if (!i.target.valid() || f.exprs[i.target].kind != ir::ExprKind::Name || f.exprs[i.target].symbol != variable)
        continue;
      if (made.valid() || i.kind != ir::InstructionKind::Call) return {};
      made = index.resolve(index.functions()[method].module, f, i.value).klass;
      if (!made.valid()) return {};
    }
  return made;
}

}  // namespace

// Adds what is not there yet. What is there for some ranks only is there for those of both.
static void add_member(ValueStore& values, std::vector<Query::Choice>& members, Query::Choice member) {
  const auto same = std::ranges::find(members, member.callee, &Query::Choice::callee);
  if (same == members.end())
    members.push_back(member);
  else if (same->guard.valid())
    same->guard =
        member.guard.valid() ? values.conjunction(false, std::vector<ValueId>{same->guard, member.guard}) : ValueId{};
}

// What a name of the method is, of which nothing else is known: what its only call made, what callers hand over, or a
// function of the file.
std::vector<ValueId> Query::meant_by_name(FunctionKey method, ir::ExprId e) const {
  const ir::Function& f = index_.function(method);
  const Symbol variable = f.exprs[e].symbol;
  const auto parameter = std::ranges::find(f.parameters, variable, &ir::Parameter::name);
  std::vector<ValueId> found;
  if (parameter != f.parameters.end()) {
    const auto position = static_cast<uint32_t>(parameter - f.parameters.begin());
    for (const ClassKey handed : program_.handed().classes_of(method, position))
      found.push_back(values_.leaf(ValueKind::Instance, handed.index));
  } else if (const ClassKey made = class_given_to(index_, method, variable); made.valid()) {
    found.push_back(values_.leaf(ValueKind::Instance, made.index));
  } else if (!bound_names(index_, method).contains(index_.name(index_.functions()[method].module, variable))) {
    const ValueId meant = entity_value(index_.resolve(index_.functions()[method].module, f, e));
    if (meant.valid() && values_[meant].kind == ValueKind::Function) found.push_back(meant);
  }
  return found;
}

void Query::add_appended(ClassKey c, Symbol name, ValueId object, Members& members) const {
  for (const auto& [_, method] : index_.classes()[c].methods)
    for (const Appended& one : appended(*this, method, name)) {
      if (index_.function(method).exprs[one.value].kind != ir::ExprKind::Name) continue;
      const ValueId guard = ranks_that_come(method, one.block, object);
      for (const ValueId member : meant_by_name(method, one.value))
        if (can_be_called(values_, member)) add_member(values_, members, {member, guard});
    }
}

// `table.values()`, of a dictionary with known entries.
ValueId Query::entries_viewed(const Call& call) const {
  const Value& callee = values_[call.callee];
  if (callee.kind != ValueKind::Attribute || !call.positional.empty() || !call.keywords.empty()) return {};
  const ValueId dictionary = values_.child(call.callee, 0);
  const std::string_view name = index_.names().text(Symbol{callee.a});
  if (!roles().play(name, Role::ViewsEntries)) return {};
  if (!Entries(values_, index_).known(dictionary) && kept_in(dictionary).empty()) return {};
  return values_.node(ValueKind::Pure, {{dictionary}}, callee.a);
}

bool Query::is_view_of_entries(ValueId v) const {
  return values_[v].kind == ValueKind::Pure && values_[v].child_count == 1 &&
         roles().play(function_of(values_, index_, v), Role::ViewsEntries) &&
         (Entries(values_, index_).known(values_.child(v, 0)) || !kept_in(values_.child(v, 0)).empty());
}

// What is put into the variable of a module, or into an attribute, from wherever.
std::span<const KeptCallee> Query::kept_in(ValueId container) const {
  const Value& value = values_[container];
  if (value.kind == ValueKind::Global) return program_.kept_callees().in_variable(ModuleKey{value.a}, Symbol{value.b});
  if (value.kind != ValueKind::Attribute) return {};
  const ClassKey c = values_.class_of(values_.child(container, 0));
  for (const ClassKey k : c.valid() ? index_.linearization(c) : std::vector<ClassKey>{})
    if (const auto kept = program_.kept_callees().in_attribute(k, Symbol{value.a}); !kept.empty()) return kept;
  return {};
}

ValueId Query::value_of(const KeptCallee& kept) const {
  if (kept.function.valid()) return values_.leaf(ValueKind::Function, kept.function.index);
  return values_.leaf(kept.is_object ? ValueKind::Instance : ValueKind::Class, kept.klass.index);
}

// `HOOKS["end"]` of a table that others fill.
std::vector<Query::Choice> Query::choices_of_kept(ValueId table, ValueId index) const {
  const std::span<const KeptCallee> kept = kept_in(table);
  const bool is_known = values_[index].kind == ValueKind::Text;
  std::vector<Choice> found;
  for (const KeptCallee& k : kept)
    if (!is_known || !k.key.valid() || k.key == Symbol{values_[index].a}) found.push_back({value_of(k), {}});
  if (found.size() > kMostKept) return {};
  if (found.size() > 1)
    for (Choice& choice : found) choice.certainty = Confidence::Likely;
  return found;
}

// `hooks = [show, sync] if rank == 0 else [show]`: what only one side has is there on the ranks of that side.
Query::Members Query::members_of_sides(ValueId choice, std::map<ValueId, Members>& known) const {
  const ValueId condition = values_.child(choice, 0);
  const Members yes = members_of(values_.child(choice, 1), known), no = members_of(values_.child(choice, 2), known);
  const bool parts = values_.diverges(condition);
  const auto is_in = [](const Members& others, ValueId member) {
    return std::ranges::find(others, member, &Choice::callee) != others.end();
  };
  Members found;
  for (const bool first : {true, false})
    for (Choice member : first ? yes : no) {
      const bool is_on_both = is_in(yes, member.callee) && is_in(no, member.callee);
      if (parts && !(is_on_both && !member.guard.valid())) {
        const ValueId here = first ? condition : values_.negate(condition);
        member.guard =
            member.guard.valid() ? values_.conjunction(true, std::vector<ValueId>{here, member.guard}) : here;
      }
      add_member(values_, found, member);
    }
  return found;
}

Query::Members Query::members_of(ValueId container) const {
  std::map<ValueId, Members> known;
  return members_of(container, known);
}

// `hooks = hooks + hooks` has what `hooks` had: each container is looked at once.
const Query::Members& Query::members_of(ValueId container, std::map<ValueId, Members>& known) const {
  require_stack_room();
  if (const auto before = known.find(container); before != known.end()) return before->second;
  const Value value = values_[container];
  std::vector<ValueId> all;
  Members members;
  if (value.kind == ValueKind::Tuple) {
    all.assign(values_.children(container).begin(), values_.children(container).end());
  } else if (value.kind == ValueKind::Conditional && values_.is_small_choice(container)) {
    members = members_of_sides(container, known);
  } else if (value.kind == ValueKind::Binary && value.op == ir::Operator::Add) {
    for (const ValueId part : values_.children(container))
      for (const Choice& member : members_of(part, known)) add_member(values_, members, member);
  } else if (is_view_of_entries(container)) {
    const Entries entries(values_, index_);
    const ValueId dictionary = values_.child(container, 0);
    for (const KeptCallee& kept : kept_in(dictionary)) all.push_back(value_of(kept));
    if (entries.known(dictionary))
      for (const ValueId key : entries.keys(dictionary)) all.push_back(entries.get(dictionary, key));
  } else if (value.kind == ValueKind::Attribute) {
    const ClassKey c = values_.class_of(values_.child(container, 0));
    const Symbol name{value.a};
    for (const ClassKey k : c.valid() ? index_.linearization(c) : std::vector<ClassKey>{}) {
      if (!index_.classes()[k].attributes.contains(name)) continue;
      std::ranges::copy(written_out(*this, k, name), std::back_inserter(all));
      add_appended(k, name, values_.child(container, 0), members);
    }
  }
  ValueId table = container;
  while (values_[table].kind == ValueKind::Subscript) table = values_.child(table, 0);
  for (const KeptCallee& kept : kept_in(table)) all.push_back(value_of(kept));
  for (const ValueId member : all)
    if (can_be_called(values_, member)) add_member(values_, members, {member, {}});
  return known[container] = std::move(members);
}

}  // namespace ranklint
