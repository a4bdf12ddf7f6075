#include "analyzer/execution/wrapped_when.h"

#include <algorithm>

#include "analyzer/flow/side_of_branch.h"
#include "analyzer/summary/constructors.h"

namespace ranklint {
namespace {

// Where the methods of the class, of those that it derives from and of those derived from it give the attribute a
// wrapped model of this type.
class Wrappings {
 public:
  Wrappings(const Query& query, Symbol attribute, Symbol wrapper)
      : in_(query), index_(query.index()), attribute_(attribute), wrapper_(wrapper) {}

  // Null: there is none, or there are several.
  const AttributeSite* only_one(ClassKey c) {
    for (const ClassKey k : index_.linearization(c)) look_at(k);
    for (const ClassKey k : index_.with_derived(c)) look_at(k);
    return several_ ? nullptr : found_;
  }

 private:
  void look_at(ClassKey c) {
    const auto sites = index_.classes()[c].attributes.find(attribute_);
    if (sites == index_.classes()[c].attributes.end()) return;
    for (const AttributeSite& site : sites->second) {
      if (!wraps(site) || &site == found_) continue;
      several_ = several_ || found_;
      found_ = &site;
    }
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
  const AttributeSite* found_ = nullptr;
  bool several_ = false;
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

}  // namespace

ValueId model_called(const Query& query, ValueId callee) {
  if (!callee.valid()) return {};
  return query.values().external_type_of(callee).valid() ? callee : query.receiver_of(callee);
}

std::vector<ValueId> holds_where_wrapped(const Query& query, ValueId attribute) {
  ValueStore& values = query.values();
  const Symbol wrapper = values.external_type_of(attribute);
  if (values[attribute].kind != ValueKind::Attribute || !wrapper.valid()) return {};
  const ValueId object = values.child(attribute, 0);
  const ClassKey c = values.class_of(object);
  const AttributeSite* site = c.valid() ? Wrappings(query, Symbol{values[attribute].a}, wrapper).only_one(c) : nullptr;
  if (!site) return {};
  const Summary& setter = *query.summary(site->function);
  const ir::Function& f = query.index().function(site->function);
  const Binding binding =
      query.bind({.function = site->function, .receiver = object, .captures = {}, .guard = {}}, Call(), 0);
  std::vector<ValueId> holds;
  for (ir::BlockId above = setter.graph().dominator(site->block); above.valid();
       above = setter.graph().dominator(above)) {
    const ValueId condition = setter.blocks[above.index].condition;
    const std::optional<bool> side = side_of_branch(setter.graph(), f, above, site->block);
    if (!side || !condition.valid() || f.blocks[above].terminator.is_loop) continue;
    const ValueId taken = query.instantiate(condition, binding);
    if (!reads_changing_attribute(query, c, object, taken)) holds.push_back(*side ? taken : values.negate(taken));
  }
  return holds;
}

}  // namespace ranklint
