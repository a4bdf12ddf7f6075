// Dataclasses: an implicit constructor, made of the annotated names of the class body.
//
// `Config(overlap=True).nccl_ub` is the default of `nccl_ub`, where no code of the project ever assigns an attribute
// of that name: an object whose fields are filled in elsewhere is not what its constructor made.
#include <algorithm>

#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/constructors.h"
#include "analyzer/summary/query.h"

namespace ranklint {

// `overlap: bool = field(default=False)` in the class body: the expression after `default=`. Invalid: it is made, or
// is required.
static ir::ExprId default_in_call(const ProjectIndex& index, const Roles& roles, ModuleKey module,
                                  const ir::Function& body, Symbol name) {
  const ir::Module& text = index.modules()[module];
  for (const ir::Block& block : body.blocks)
    for (const ir::Instruction& i : block.instructions) {
      const bool makes_it = i.kind == ir::InstructionKind::Call && i.target.valid() &&
                            body.exprs[i.target].kind == ir::ExprKind::Name && body.exprs[i.target].symbol == name;
      if (!makes_it) continue;
      const RoleEntry* field = roles.find(index.dotted(module, body, i.value), Role::DeclaresField);
      for (const ir::Argument& a : field ? ir::arguments(body, i) : std::span<const ir::Argument>())
        if (a.kind == ir::ArgumentKind::Keyword && text.text(a.keyword) == field->argument.keyword) return a.value;
    }
  return {};
}

const std::vector<Field>& Query::fields(ClassKey c) const {
  if (const auto* known = fields_.find(c)) return *known;
  std::vector<Field> fields;
  const auto is_dataclass = [&](ClassKey k) {
    const ModuleKey module = index_.classes()[k].module;
    const ir::Function& scope = index_.modules()[module].functions[index_.klass(k).scope];
    return std::any_of(index_.klass(k).decorators.begin(), index_.klass(k).decorators.end(), [&](ir::ExprId decorator) {
      if (scope.exprs[decorator].kind == ir::ExprKind::Call) decorator = ir::children(scope, decorator)[0];
      return roles().play(index_.dotted(module, scope, decorator), Role::MakesDataclass);
    });
  };
  std::vector<ClassKey> bases = index_.linearization(c);
  std::reverse(bases.begin(), bases.end());
  for (ClassKey k : bases) {
    const ModuleKey module = index_.classes()[k].module;
    const ir::Class& klass = index_.klass(k);
    if (!is_dataclass(k) || !klass.body.valid()) continue;
    const Summary* body = summary(index_.key(module, klass.body));
    const ir::Function& code = index_.modules()[module].functions[klass.body];
    for (const ir::Annotation& a : index_.modules()[module].annotations) {
      if (a.function != klass.body || code.exprs[a.target].kind != ir::ExprKind::Name) continue;
      const Symbol name = index_.name(module, code.exprs[a.target].symbol);
      ValueId value = body ? body->at_end(name) : ValueId{};
      if (const ir::ExprId given = default_in_call(index_, roles(), module, code, code.exprs[a.target].symbol);
          given.valid())
        value = static_value(module, code, given);
      auto known = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
      if (known != fields.end())
        known->default_value = value;
      else
        fields.push_back({name, value});
    }
  }
  return fields_.set(c, std::move(fields));
}

// What a constructor makes of the rank alone is the class's (class_attribute).
const AxisSet& Query::differing_attributes(ClassKey c) const {
  if (const auto* known = differing_attributes_.find(c)) return *known;
  const uint32_t in_the_making = asking_.in_the_making;
  AxisSet axes;
  for (const ClassKey k : index_.linearization(c))
    for (const auto& [name, sites] : index_.classes()[k].attributes)
      for (const AttributeSite& site : sites) {
        const Summary* setter = is_constructor(index_, site.function) ? summary(site.function) : nullptr;
        const ValueId set = setter ? setter->given_to(name, site) : ValueId{};
        if (set.valid() && !values_[set].closed) axes.add(values_.variance(set));
      }
  if (asking_.in_the_making == in_the_making) return differing_attributes_.set(c, std::move(axes));
  return values_.axes(values_.intern(axes));  // it is more, perhaps, when all constructors have been run
}

ValueId Query::field_value(ValueId object, Symbol name) const {
  const Value& value = values_[object];
  if (value.kind != ValueKind::Instance || program_.is_changed(name)) return {};
  const std::vector<Field>& known = fields(ClassKey{value.a});
  const auto field = std::find_if(known.begin(), known.end(), [&](const Field& f) { return f.name == name; });
  const auto position = static_cast<uint32_t>(field - known.begin());
  if (field == known.end() || position >= value.child_count) return {};
  const ValueId held = values_.child(object, position);
  const ValueKind kind = values_[held].kind;
  const bool telling = values_.is_constant(held) || values_.diverges(held) || values_.class_of(held).valid() ||
                       kind == ValueKind::Group || kind == ValueKind::Size || kind == ValueKind::SizeIn;
  return telling ? held : ValueId{};
}

}  // namespace ranklint
