#include "rules/fsdp/own_members.h"

#include "analyzer/resolve/callee_role.h"

namespace ranklint {

std::optional<OwnMember> OwnMembers::find(ValueId model, Symbol member) {
  bool is_known = model.valid();
  for (const ValueId one : model.valid() ? in_.values().leaves_of(model) : std::vector<ValueId>()) {
    const ClassKey c = in_.values().class_of(one);
    is_known &= c.valid();
    // What is taken for an object of the class may be one of a class derived from it.
    for (const ClassKey k : c.valid() ? index_.with_derived(c) : std::vector<ClassKey>())
      if (const std::optional<CodePlace> place = in_class(k, member)) return OwnMember{*place, false};
  }
  const std::optional<CodePlace> place = is_known ? std::nullopt : in_any_model(member);
  return place ? std::optional(OwnMember{*place, true}) : std::nullopt;
}

std::optional<CodePlace> OwnMembers::in_class(ClassKey c, Symbol member) const {
  for (const ClassKey k : index_.linearization(c)) {
    const ClassInfo& info = index_.classes()[k];
    if (const auto method = info.methods.find(member); method != info.methods.end())
      return CodePlace{method->second, index_.function(method->second).name_range};
    if (const auto sites = info.attributes.find(member); sites != info.attributes.end()) {
      const AttributeSite& site = sites->second.front();
      const ir::Block& block = index_.function(site.function).blocks[site.block];
      return CodePlace{site.function, block.instructions[site.instruction].range};
    }
  }
  return std::nullopt;
}

std::optional<CodePlace> OwnMembers::in_any_model(Symbol member) {
  if (!models_) {
    models_.emplace();
    for (ClassKey c{0}; c.index < index_.classes().size(); ++c.index)
      if (derives_from(in_.roles(), index_, c, Role::ModuleClass)) models_->push_back(c);
  }
  const auto [known, is_new] = by_name_.try_emplace(member);
  if (is_new)
    for (const ClassKey c : *models_)
      if (!known->second) known->second = in_class(c, member);
  return known->second;
}

}  // namespace ranklint
