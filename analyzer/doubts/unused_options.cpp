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
// What hangs behind `numbered` hangs in a program of somebody who switches it on. Asked is whether the option's name
// occurs as anything but what is read: a keyword, a text (of a configuration, a command line), a parameter, an
// attribute that is assigned. Objects that are made of what is not seen (`Naming(**given)`, `cls(...)`) may hold
// anything.
#include "analyzer/doubts/unused_options.h"

#include <algorithm>

#include "analyzer/ir/any_instruction.h"

namespace ranklint {
namespace {

class Option {
 public:
  Option(const ProjectIndex& index, ClassKey owner, Symbol name, size_t position)
      : index_(index), owner_(owner), name_(index.names().text(name)), position_(position) {}

  bool is_unused() const {
    bool is_made = false;
    for (uint32_t i = 0; i < index_.functions().size(); ++i) {
      const FunctionKey f{i};
      if (is_named(f) || may_be_given(f, is_made)) return false;
    }
    return is_made;
  }

 private:
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
    return is_text || ir::any_instruction(f, [&](const ir::Instruction& i) {
             return i.target.valid() && f.exprs[i.target].kind == ir::ExprKind::Attribute &&
                    is_it(f.exprs[i.target].symbol);
           });
  }

  bool may_be_given(FunctionKey key, bool& is_made) const {
    const ir::Function& f = index_.function(key);
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
        if (open || static_cast<size_t>(given) > position_) return true;
      }
    return false;
  }

  // `Naming(...)`, and `cls(...)` in a method of it.
  bool makes(FunctionKey key, const ir::Function& f, ir::ExprId callee) const {
    const ir::Expr& e = f.exprs[callee];
    if (e.kind != ir::ExprKind::Name && e.kind != ir::ExprKind::Attribute) return false;
    const ModuleKey module = index_.functions()[key].module;
    if (e.kind == ir::ExprKind::Name && index_.modules()[module].text(e.symbol) == "cls") return is_own(key);
    const Entity made = index_.resolve(module, f, callee);
    return made.kind == Entity::Kind::Class && index_.derives_from(made.klass, owner_);
  }

  const ProjectIndex& index_;
  const ClassKey owner_;
  const std::string_view name_;
  const size_t position_;
};

}  // namespace

bool uses_unused_option(const Query& query, const Choices& choices) {
  const ValueStore& values = query.values();
  return std::ranges::any_of(choices.all(), [&](const auto& choice) {
    const auto& [term, holds] = choice;
    const Value& v = values[term];
    const ClassKey owner = v.kind == ValueKind::Attribute ? values.class_of(values.child(term, 0)) : ClassKey{};
    if (!owner.valid()) return false;
    const std::vector<Field>& fields = query.fields(owner);
    const auto field = std::ranges::find(fields, Symbol{v.a}, &Field::name);
    if (field == fields.end() || !field->default_value.valid()) return false;
    const ValueStore::Truth otherwise = values.truth(field->default_value);
    if (otherwise == ValueStore::Truth::Unknown || (otherwise == ValueStore::Truth::Yes) == holds) return false;
    return Option(query.index(), owner, field->name, static_cast<size_t>(field - fields.begin())).is_unused();
  });
}

}  // namespace ranklint
