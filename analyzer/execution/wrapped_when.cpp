#include "analyzer/execution/wrapped_when.h"

#include <algorithm>

#include "analyzer/flow/side_of_branch.h"
#include "analyzer/program/wrapped_models.h"
#include "analyzer/summary/constructors.h"

namespace ranklint {
namespace {

// Where the methods of the class, of those that it derives from and of those derived from it give the attribute a
// wrapped model of this type.
class Wrappings {
 public:
  Wrappings(const Query& query, Symbol attribute, Symbol wrapper)
      : in_(query), index_(query.index()), attribute_(attribute), wrapper_(wrapper) {}

  // Each once.
  std::vector<const AttributeSite*> of(ClassKey c) {
    for (const ClassKey k : index_.linearization(c)) look_at(k);
    for (const ClassKey k : index_.with_derived(c)) look_at(k);
    return std::move(found_);
  }

 private:
  void look_at(ClassKey c) {
    const auto sites = index_.classes()[c].attributes.find(attribute_);
    if (sites == index_.classes()[c].attributes.end()) return;
    for (const AttributeSite& site : sites->second)
      if (std::ranges::find(found_, &site) == found_.end() && wraps(site)) found_.push_back(&site);
  }

  bool wraps(const AttributeSite& site) const {
    const Summary* setter = in_.summary(site.function);
    const ValueId set = setter ? setter->given_to(attribute_, site) : ValueId{};
    if (!set.valid()) return false;
    const ValueStore& values = in_.values();
    return values.find_part(set, [&](ValueId part) { return values.external_type_of(part) == wrapper_; }).valid();
  }

  const Query& in_;
  const ProjectIndex& index_;
  const Symbol attribute_, wrapper_;
  std::vector<const AttributeSite*> found_;
};

// Whether the condition reads an attribute of the object that methods change, so that it may not hold any more.
bool reads_changing_attribute(const Query& query, ClassKey c, ValueId object, ValueId condition) {
  const ValueStore& values = query.values();
  const ProjectIndex& index = query.index();
  const auto changes = [&](ValueId part) {
    if (values[part].kind != ValueKind::Attribute || values.child(part, 0) != object) return false;
    return std::ranges::any_of(index.linearization(c), [&](ClassKey k) {
      const auto sites = index.classes()[k].attributes.find(Symbol{values[part].a});
      return sites != index.classes()[k].attributes.end() &&
             std::ranges::any_of(sites->second,
                                 [&](const AttributeSite& s) { return !is_constructor(index, s.function); });
    });
  };
  return values.find_part(condition, changes).valid();
}

// The attribute of the object in which the setter keeps what the condition asks, so that other methods ask the same.
// Invalid: it keeps it in none, or gives that attribute something else as well.
ValueId kept_of(const Query& query, const Summary& setter, ValueId object, ValueId condition) {
  if (!setter.named || query.values().is_constant(condition)) return {};
  const ProjectIndex& index = query.index();
  const ir::Function& f = index.function(setter.function);
  const auto& given = setter.named->of_attributes;
  for (const auto& [place, value] : given) {
    const auto& [block, instruction, name] = place;
    const auto& instructions = f.blocks[ir::BlockId{block}].instructions;
    if (value != condition || instruction >= instructions.size()) continue;  // a loop gives what it takes out
    if (own_attribute(index, setter.function, instructions[instruction].target) != name) continue;
    const bool is_only =
        std::ranges::count_if(given, [&](const auto& other) { return std::get<Symbol>(other.first) == name; }) == 1;
    if (is_only) return query.get_attribute(object, name);
  }
  return {};
}

// What the branches above the place ask, in the terms of the object.
std::vector<ValueId> asked_above(const Query& query, const AttributeSite& site, ClassKey c, ValueId object) {
  const Summary& setter = *query.summary(site.function);
  const ir::Function& f = query.index().function(site.function);
  const Binding binding =
      query.bind({.function = site.function, .receiver = object, .captures = {}, .guard = {}}, Call(), 0);
  std::vector<ValueId> holds;
  for (ir::BlockId above = setter.graph().dominator(site.block); above.valid();
       above = setter.graph().dominator(above)) {
    const ValueId condition = setter.blocks[above.index].condition;
    const std::optional<bool> side = side_of_branch(setter.graph(), f, above, site.block);
    if (!side || !condition.valid() || f.blocks[above].terminator.is_loop) continue;
    const ValueId kept = kept_of(query, setter, object, condition);
    const ValueId taken = kept.valid() ? kept : query.instantiate(condition, binding);
    // With what the setter is called is known of what it keeps alone: elsewhere its defaults stand in.
    if (!kept.valid() && query.values().is_constant(taken)) continue;
    if (!reads_changing_attribute(query, c, object, taken))
      holds.push_back(*side ? taken : query.values().negate(taken));
  }
  return holds;
}

}  // namespace

ValueId model_called(const Query& query, ValueId callee) {
  if (!callee.valid()) return {};
  return query.values().external_type_of(callee).valid() ? callee : query.receiver_of(callee);
}

std::vector<ValueId> holds_where_wrapped(const Query& query, ValueId attribute) {
  const ValueStore& values = query.values();
  const Symbol wrapper = values.external_type_of(attribute);
  if (values[attribute].kind != ValueKind::Attribute || !wrapper.valid()) return {};
  const ValueId object = values.child(attribute, 0);
  const ClassKey c = values.class_of(object);
  if (!c.valid()) return {};
  std::optional<std::vector<ValueId>> common;
  for (const AttributeSite* site : Wrappings(query, Symbol{values[attribute].a}, wrapper).of(c)) {
    const std::vector<ValueId> holds = asked_above(query, *site, c, object);
    if (!common) common = holds;
    std::erase_if(*common, [&](ValueId term) { return std::ranges::find(holds, term) == holds.end(); });
  }
  return common.value_or(std::vector<ValueId>());
}

}  // namespace ranklint
