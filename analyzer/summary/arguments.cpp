// Arguments that are handed through: `def wrapper(*args, **kwargs): return function(*args, **kwargs)`.
//
// What a function takes as `*args` is a tuple, what it takes as `**kwargs` a list of names and values in turn. Where
// it passes them on, they become arguments again, so that a decorated function is called with what its caller wrote.
#include <algorithm>

#include "analyzer/summary/entries.h"
#include "analyzer/summary/query.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

ValueId Query::keywords_value(const Call& call, const ir::Function& function, ModuleKey module) const {
  std::vector<ValueId> parts;
  for (const auto& [keyword, given] : call.keywords) {
    const bool named = std::any_of(function.parameters.begin(), function.parameters.end(), [&](const ir::Parameter& p) {
      return p.kind != ir::ParameterKind::DoubleStar && index_.name(module, p.name) == keyword;
    });
    if (named) continue;
    parts.push_back(values_.text(keyword));
    parts.push_back(given);
  }
  return derive(values_, index_, Derived::Keywords, parts);
}

// `kwargs.pop("name", otherwise)`: what the caller gives under the name, once that is known.
ValueId Query::keyword_of(ValueId keywords, ValueId name, ValueId otherwise) const {
  const Entries entries(values_, index_);
  if (!entries.known(keywords)) return derive(values_, index_, Derived::Keyword, {{keywords, name, otherwise}});
  const ValueId given = entries.get(keywords, name);
  return given.valid() ? given : otherwise;
}

// `"name" in kwargs`
ValueId Query::has_keyword(ValueId keywords, ValueId name) const {
  const Entries entries(values_, index_);
  if (entries.known(keywords)) return values_.boolean(entries.get(keywords, name).valid());
  return derive(values_, index_, Derived::Keyword, {{keywords, name}});
}

bool Query::tests_keyword(ValueId v) const { return derived_of(values_, index_, v) == Derived::Keyword; }

void Query::spread_stars(Call& call) const {
  if (call.mixed) return;
  if (call.star.valid() && values_[call.star].kind == ValueKind::Tuple) {
    const auto parts = values_.children(call.star);
    call.positional.append(parts);
    call.star = {};
  }
  if (call.double_star.valid() && Entries(values_, index_).known(call.double_star)) {
    const auto parts = values_.children(call.double_star);
    for (size_t i = 0; i + 1 < parts.size(); i += 2)
      call.keywords.emplace_back(Symbol{values_[parts[i]].a}, parts[i + 1]);
    call.double_star = {};
  }
  call.open_ended = call.star.valid() || call.double_star.valid();
}

ValueId Query::partial_value(const Call& call) const {
  std::vector<ValueId> parts(call.positional.begin(), call.positional.end());
  if (!call.keywords.empty()) {
    std::vector<ValueId> named;
    for (const auto& [keyword, given] : call.keywords) {
      named.push_back(values_.text(keyword));
      named.push_back(given);
    }
    parts.push_back(derive(values_, index_, Derived::Keywords, named));
  }
  return values_.node(ValueKind::Partial, parts, kWaitingCall);
}

// What the call itself gives by keyword counts, not what was given before.
void Query::unfold_partial(Call& call) const {
  while (call.callee.valid() && values_[call.callee].kind == ValueKind::Partial &&
         values_[call.callee].a == kWaitingCall) {
    std::vector<ValueId> parts(values_.children(call.callee).begin(), values_.children(call.callee).end());
    if (derived_of(values_, index_, parts.back()) == Derived::Keywords) {
      const std::vector<ValueId> named(values_.children(parts.back()).begin(), values_.children(parts.back()).end());
      for (size_t i = 0; i + 1 < named.size(); i += 2) {
        const Symbol keyword{values_[named[i]].a};
        if (std::none_of(call.keywords.begin(), call.keywords.end(), [&](const auto& k) { return k.first == keyword; }))
          call.keywords.emplace_back(keyword, named[i + 1]);
      }
      parts.pop_back();
    }
    call.callee = parts[0];
    CompactVector<ValueId> all(std::span<const ValueId>(parts).subspan(1));
    all.append(call.positional);
    call.positional = std::move(all);
  }
}

Call Query::instantiate(const Call& call, const Binding& binding) const {
  Call made = call;
  const auto put_in = [&](ValueId& v) {
    if (v.valid()) v = instantiate(v, binding);
  };
  put_in(made.callee);
  for (ValueId& v : made.positional) put_in(v);
  for (auto& [name, v] : made.keywords) put_in(v);
  put_in(made.star);
  put_in(made.double_star);
  for (FieldState& held : made.held) {
    put_in(held.object);
    put_in(held.value);
  }
  for (const FieldState& outer : binding.held)
    if (std::ranges::none_of(made.held,
                             [&](const FieldState& h) { return h.object == outer.object && h.name == outer.name; }))
      made.held.push_back(outer);
  if (made.star.valid() || made.double_star.valid()) spread_stars(made);
  unfold_partial(made);
  return made;
}

}  // namespace ranklint
