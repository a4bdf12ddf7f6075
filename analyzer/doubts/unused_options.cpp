//     @dataclass
//     class Naming:
//         folder: str
//         numbered: bool = False
//
//     def save(self):
//         if self.naming.numbered: self.wait_for_everyone()
//
//     trainer = Trainer(Naming("out"))          # as all programs of the project do
//
// What hangs under `numbered` hangs in a program that switches it on. The test is whether the option's name
// occurs as anything but what is read: a keyword, a text (of a configuration, a command line), a parameter, an
// attribute that is assigned. Objects that are made of unknown arguments (`Naming(**given)`, `cls(...)`) may hold
// anything, and so may those that a callee makes of a class that it is passed (`build(Naming, given)`).
#include "analyzer/doubts/unused_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include "analyzer/base/work_limit.h"
#include "analyzer/execution/wrapped_when.h"
#include "analyzer/ir/any_instruction.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/callee_role.h"
#include "analyzer/summary/constructors.h"

namespace ranklint {
namespace {

class Option {
 public:
  Option(const Query& query, ClassKey owner, Symbol name, size_t position)
      : roles_(query.roles()),
        index_(query.index()),
        owner_(owner),
        name_(index_.names().text(name)),
        position_(position) {
    for (const ClassKey made : index_.with_derived(owner))
      names_of_class_.insert(index_.modules()[index_.classes()[made].module].text(index_.klass(made).name));
  }

  bool is_unused() const {
    bool is_made = false;
    for (uint32_t i = 0; i < index_.functions().size(); ++i) {
      const FunctionKey f{i};
      if (is_named(f) || may_be_given(f, is_made)) return false;
    }
    return is_made;
  }

  // Whether all that make such an object leave it out.
  bool is_never_given() const {
    bool is_made = false;
    for (uint32_t i = 0; i < index_.functions().size(); ++i)
      if (may_be_given(FunctionKey{i}, is_made) || is_assigned_in(FunctionKey{i}, AssignedBy::Others)) return false;
    return is_made;
  }

 private:
  enum class AssignedBy : uint8_t { Any, Others };  // Others: `model.name = 4`, and not a method's `self.name = name`

  bool is_own(FunctionKey f) const {
    return index_.functions()[f].owner.valid() && index_.derives_from(index_.functions()[f].owner, owner_);
  }

  // As what is handed over, assigned or looked up, or as a parameter.
  bool is_named(FunctionKey key) const {
    const ir::Function& f = index_.function(key);
    const ir::Module& text = index_.modules()[index_.functions()[key].module];
    const auto is_it = [&](Symbol s) { return s.valid() && text.text(s) == name_; };
    if (std::ranges::any_of(f.parameters, [&](const ir::Parameter& p) { return is_it(p.name); })) return true;
    if (std::ranges::any_of(f.arguments, [&](const ir::Argument& a) {
          return a.kind == ir::ArgumentKind::Keyword && is_it(a.keyword);
        }))
      return true;
    const bool is_text = std::ranges::any_of(
        f.exprs, [&](const ir::Expr& e) { return e.kind == ir::ExprKind::String && is_it(e.symbol); });
    return is_text || is_assigned_in(key, AssignedBy::Any);
  }

  bool is_assigned_in(FunctionKey key, AssignedBy by) const {
    const ir::Function& f = index_.function(key);
    const ir::Module& text = index_.modules()[index_.functions()[key].module];
    const bool counts_all = by == AssignedBy::Any || !index_.functions()[key].owner.valid() || f.parameters.empty();
    return ir::any_instruction(f, [&](const ir::Instruction& i) {
      if (!i.target.valid() || f.exprs[i.target].kind != ir::ExprKind::Attribute ||
          text.text(f.exprs[i.target].symbol) != name_)
        return false;
      const ir::Expr& object = f.exprs[ir::children(f, i.target)[0]];
      return counts_all || object.kind != ir::ExprKind::Name || object.symbol != f.parameters[0].name;
    });
  }

  bool may_be_given(FunctionKey key, bool& is_made) const {
    const ir::Function& f = index_.function(key);
    const ir::Module& text = index_.modules()[index_.functions()[key].module];
    if (is_handed_on(key)) return true;
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind != ir::InstructionKind::Call || !makes(key, f, i.value)) continue;
        is_made = true;
        const auto arguments = ir::arguments(f, i);
        const bool open = std::ranges::any_of(arguments, [](const ir::Argument& a) {
          return a.kind != ir::ArgumentKind::Keyword && a.kind != ir::ArgumentKind::Positional;
        });
        const auto given = std::ranges::count_if(
            arguments, [](const ir::Argument& a) { return a.kind == ir::ArgumentKind::Positional; });
        const bool by_name = std::ranges::any_of(arguments, [&](const ir::Argument& a) {
          return a.kind == ir::ArgumentKind::Keyword && text.text(a.keyword) == name_;
        });
        if (open || by_name || static_cast<size_t>(given) > position_) return true;
      }
    return false;
  }

  // `Naming(...)`, and `cls(...)` in a method of it.
  bool makes(FunctionKey key, const ir::Function& f, ir::ExprId callee) const {
    const ir::Expr& e = f.exprs[callee];
    if (e.kind != ir::ExprKind::Name && e.kind != ir::ExprKind::Attribute) return false;
    const ModuleKey module = index_.functions()[key].module;
    if (e.kind == ir::ExprKind::Name && is_builtin(index_.modules()[module].text(e.symbol), Builtin::OwnClass))
      return is_own(key);
    const Entity made = index_.resolve(module, f, callee);
    return made.kind == Entity::Kind::Class && index_.derives_from(made.klass, owner_);
  }

  // Whether the class itself is handed over, kept or given back, other than to be asked for.
  bool is_handed_on(FunctionKey key) const {
    const ir::Function& f = index_.function(key);
    const ModuleKey module = index_.functions()[key].module;
    return std::ranges::any_of(f.blocks, [&](const ir::Block& block) {
      return holds_class(module, f, block.terminator.value) ||
             std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) {
               if (i.kind != ir::InstructionKind::Call)
                 return i.kind == ir::InstructionKind::Assign && holds_class(module, f, i.value);
               return std::ranges::any_of(ir::arguments(f, i),
                                          [&](const ir::Argument& a) { return holds_class(module, f, a.value); }) &&
                      !role_of(roles_, index_, module, f, i.value, Role::AsksKind);
             });
    });
  }

  // Whether the class is the expression, or a part of it that is more than whose member is meant.
  bool holds_class(ModuleKey module, const ir::Function& f, ir::ExprId e) const {
    if (!e.valid()) return false;
    const ir::ExprKind kind = f.exprs[e].kind;
    if (kind == ir::ExprKind::Name || kind == ir::ExprKind::Attribute) {
      if (!names_of_class_.contains(index_.modules()[module].text(f.exprs[e].symbol))) return false;
      const Entity meant = index_.resolve(module, f, e);
      return meant.kind == Entity::Kind::Class && index_.derives_from(meant.klass, owner_);
    }
    return std::ranges::any_of(ir::children(f, e), [&](ir::ExprId part) { return holds_class(module, f, part); });
  }

  const Roles& roles_;
  const ProjectIndex& index_;
  const ClassKey owner_;
  std::set<std::string_view> names_of_class_;  // and of those derived from it
  const std::string_view name_;
  const size_t position_;
};

ValueId constant_of(ValueStore& values, const ir::Function& f, const ir::Module& text, ir::ExprId e) {
  switch (f.exprs[e].kind) {
    case ir::ExprKind::True: return values.boolean(true);
    case ir::ExprKind::False: return values.boolean(false);
    case ir::ExprKind::None: return values.none();
    case ir::ExprKind::Integer: {
      const std::string_view digits = text.text(f.exprs[e].symbol);
      int64_t number = 0;
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
      return error == std::errc() && end == digits.data() + digits.size() ? values.integer(number) : ValueId{};
    }
    case ir::ExprKind::Unary: {
      const ValueId number = constant_of(values, f, text, ir::children(f, e)[0]);
      return number.valid() && f.exprs[e].op == ir::Operator::Negate ? values.unary(ir::Operator::Negate, number)
                                                                     : ValueId{};
    }
    default: return {};
  }
}

// `self.timed`, to which all that the project assigns to an attribute of this name is one truth: a switch that nothing
// in its text turns.
class Switch {
 public:
  Switch(const Query& query, ClassKey owner, Symbol name)
      : values_(query.values()),
        index_(query.index()),
        owner_(owner),
        fields_(query.fields(owner)),
        name_(index_.names().text(name)) {}

  // Unknown: something may turn it, or nothing sets it.
  ValueStore::Truth only_position() {
    if (!is_set_by_project_alone()) return ValueStore::Truth::Unknown;
    charge_work(index_.functions().size());
    for (ModuleKey m{0}; m.index < index_.modules().size(); ++m.index)
      if (!takes_in(m)) return ValueStore::Truth::Unknown;
    return position_;
  }

 private:
  // Whether the class and all its bases are the project's, and it declares no fields, which a command line or a
  // configuration would set by their names.
  bool is_set_by_project_alone() const {
    const std::vector<ClassKey>& line = index_.linearization(owner_);
    const auto is_own = [&](ClassKey c) { return index_.classes()[c].external_bases.empty(); };
    return fields_.empty() && std::ranges::all_of(line, is_own);
  }

  // False: it may hold anything.
  bool takes_in(ModuleKey module) {
    const ir::Module& text = index_.modules()[module];
    if (sets_by_name(text) || has_option(text)) return false;
    const Symbol name = text.symbols.find(name_);
    for (uint32_t f = 0; name.valid() && f < text.functions.size(); ++f)
      if (!takes_in(index_.key(module, ir::FunctionId{f}), text, name)) return false;
    return true;
  }

  bool takes_in(FunctionKey key, const ir::Module& text, Symbol name) {
    const ir::Function& f = index_.function(key);
    const auto is_named = [&](const ir::Argument& a) {
      return a.keyword == name || (!text.has(ir::Convention::NumbersAreValues) && f.exprs[a.value].symbol == name);
    };
    const auto is_key = [&](const ir::Expr& e) { return e.kind == ir::ExprKind::String && e.symbol == name; };
    if (std::ranges::any_of(f.arguments, is_named) || std::ranges::any_of(f.exprs, is_key)) return false;
    const bool is_elsewhere = is_of_another_class(key);
    const auto gives_other = [&](const ir::Instruction& i) {
      return !(is_elsewhere && sets_own(f, i)) && !takes(f, text, name, i);
    };
    return !ir::any_instruction(f, gives_other) &&
           std::ranges::none_of(f.blocks, [&](const ir::Block& b) { return mentions(f, b.terminator.target, name); });
  }

  // `--timed`, of a command line.
  bool has_option(const ir::Module& text) const {
    std::string option = "--" + std::string(name_);
    const bool is_there = text.symbols.find(option).valid();
    std::ranges::replace(option, '_', '-');
    return is_there || text.symbols.find(option).valid();
  }

  // `setattr(x, key, value)`, `vars(x).update(...)`: whatever attribute it is.
  static bool sets_by_name(const ir::Module& text) {
    return std::ranges::any_of(std::array{Builtin::Setattr, Builtin::Vars, Builtin::ObjectDict},
                               [&](Builtin b) { return text.symbols.find(name_of(b)).valid(); });
  }

  bool is_of_another_class(FunctionKey key) const {
    const ClassKey c = index_.functions()[key].owner;
    return c.valid() && !index_.derives_from(c, owner_) && !index_.derives_from(owner_, c);
  }

  // `self.timed = ...`, and `timed = ...` in the body of a class.
  static bool sets_own(const ir::Function& f, const ir::Instruction& i) {
    if (!i.target.valid() || f.exprs[i.target].kind != ir::ExprKind::Attribute)
      return f.kind == ir::FunctionKind::ClassBody;
    const ir::Expr& object = f.exprs[ir::children(f, i.target)[0]];
    return !f.parameters.empty() && object.kind == ir::ExprKind::Name && object.symbol == f.parameters[0].name;
  }

  bool takes(const ir::Function& f, const ir::Module& text, Symbol name, const ir::Instruction& i) {
    if (!mentions(f, i.target, name)) return true;
    const bool is_body = f.kind == ir::FunctionKind::ClassBody;
    const ir::ExprKind target = f.exprs[i.target].kind;
    if (target == ir::ExprKind::Name && !is_body) return true;  // a variable of the same name
    if (i.kind != ir::InstructionKind::Assign || (target != ir::ExprKind::Name && target != ir::ExprKind::Attribute))
      return false;
    const ValueId given = constant_of(values_, f, text, i.value);
    const ValueStore::Truth truth = given.valid() ? values_.truth(given) : ValueStore::Truth::Unknown;
    if (truth == ValueStore::Truth::Unknown || (position_ != ValueStore::Truth::Unknown && truth != position_))
      return false;
    position_ = truth;
    return true;
  }

  static bool mentions(const ir::Function& f, ir::ExprId e, Symbol name) {
    if (!e.valid()) return false;
    const ir::Expr& expr = f.exprs[e];
    if (expr.kind == ir::ExprKind::Name || expr.kind == ir::ExprKind::Attribute) return expr.symbol == name;
    return std::ranges::any_of(ir::children(f, e), [&](ir::ExprId part) { return mentions(f, part, name); });
  }

  ValueStore& values_;
  const ProjectIndex& index_;
  const ClassKey owner_;
  const std::vector<Field>& fields_;
  const std::string_view name_;
  ValueStore::Truth position_ = ValueStore::Truth::Unknown;
};

// An attribute whose only value is a parameter of its class's constructor, and that parameter's default as a term.
// Classes with subclasses are left out: the constructor of a subclass may pass another value.
struct KeptParameter {
  ClassKey owner;
  Symbol name;          // in the project's table
  size_t position = 0;  // among those that a call gives
  ValueId otherwise;
};

std::optional<KeptParameter> kept_parameter(const Query& query, ValueId attribute) {
  ValueStore& values = query.values();
  const ProjectIndex& index = query.index();
  if (values[attribute].kind == ValueKind::Believed) attribute = values.child(attribute, 0);
  if (values[attribute].kind != ValueKind::Attribute) return std::nullopt;
  const ClassKey c = values.class_of(values.child(attribute, 0));
  if (!c.valid() || !index.classes()[c].subclasses.empty()) return std::nullopt;
  const auto sites = index.classes()[c].attributes.find(Symbol{values[attribute].a});
  if (sites == index.classes()[c].attributes.end() || sites->second.size() != 1) return std::nullopt;
  const AttributeSite& site = sites->second.front();
  if (!is_constructor(index, site.function)) return std::nullopt;
  const ir::Function& f = index.function(site.function);
  const ModuleKey module = index.functions()[site.function].module;
  const ir::Instruction& given = f.blocks[site.block].instructions[site.instruction];
  if (given.kind != ir::InstructionKind::Assign || f.exprs[given.value].kind != ir::ExprKind::Name) return std::nullopt;
  const auto p = std::ranges::find(f.parameters, f.exprs[given.value].symbol, &ir::Parameter::name);
  if (p == f.parameters.begin() || p == f.parameters.end() || !p->default_value.valid()) return std::nullopt;
  const ValueId otherwise = constant_of(values, f, index.modules()[module], p->default_value);
  if (!otherwise.valid()) return std::nullopt;
  return KeptParameter{c, index.name(module, p->name), static_cast<size_t>(p - f.parameters.begin()) - 1, otherwise};
}

// `self.timed` of an object of the project, where nothing turns the switch.
bool denies_switch(const Query& query, ValueId term, bool holds) {
  const ValueStore& values = query.values();
  const Value& v = values[term];
  const ClassKey owner = v.kind == ValueKind::Attribute ? values.class_of(values.child(term, 0)) : ClassKey{};
  if (!owner.valid()) return false;
  const ValueStore::Truth position = Switch(query, owner, Symbol{v.a}).only_position();
  return position != ValueStore::Truth::Unknown && (position == ValueStore::Truth::Yes) != holds;
}

// `self.size > 1` of an object that every call makes without its size, which is 1 then.
bool denies_never_given(const Query& query, ValueId term, bool holds) {
  ValueStore& values = query.values();
  const Value asked = values[term];
  const bool compares = asked.kind == ValueKind::Binary && values.is_constant(values.child(term, 1));
  const std::optional<KeptParameter> kept = kept_parameter(query, compares ? values.child(term, 0) : term);
  if (!kept) return false;
  const ValueId then = compares ? values.binary(asked.op, kept->otherwise, values.child(term, 1)) : kept->otherwise;
  const ValueStore::Truth truth = values.truth(then);
  if (truth == ValueStore::Truth::Unknown || (truth == ValueStore::Truth::Yes) == holds) return false;
  return Option(query, kept->owner, kept->name, kept->position).is_never_given();
}

}  // namespace

bool uses_unused_option(const Query& query, const PathCondition& choices) {
  const ValueStore& values = query.values();
  return std::ranges::any_of(choices.all(), [&](const auto& choice) {
    const auto& [term, holds] = choice;
    if (denies_never_given(query, term, holds) || denies_switch(query, term, holds)) return true;
    const Value& v = values[term];
    const ClassKey owner = v.kind == ValueKind::Attribute ? values.class_of(values.child(term, 0)) : ClassKey{};
    if (!owner.valid()) return false;
    const std::vector<Field>& fields = query.fields(owner);
    const auto field = std::ranges::find(fields, Symbol{v.a}, &Field::name);
    if (field == fields.end() || !field->default_value.valid()) return false;
    const ValueStore::Truth otherwise = values.truth(field->default_value);
    if (otherwise == ValueStore::Truth::Unknown || (otherwise == ValueStore::Truth::Yes) == holds) return false;
    return Option(query, owner, field->name, static_cast<size_t>(field - fields.begin())).is_unused();
  });
}

bool is_wrapped_by_unused_option(const Query& query, ValueId callee) {
  const ValueId model = model_called(query, callee);
  if (!model.valid()) return false;
  return std::ranges::any_of(holds_where_wrapped(query, model),
                             [&](ValueId term) { return denies_never_given(query, term, true); });
}

}  // namespace ranklint
