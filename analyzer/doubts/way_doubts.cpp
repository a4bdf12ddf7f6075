// Ways that a program does not take: what was decided on them excludes itself, or holds in no run.
#include <algorithm>
#include <functional>
#include <set>

#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/doubts/flags.h"
#include "analyzer/doubts/one_machine.h"
#include "analyzer/doubts/term_words.h"
#include "analyzer/doubts/unused_options.h"
#include "analyzer/execution/numbers.h"
#include "analyzer/questions/contexts.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/variance/leads_to.h"
#include "analyzer/variance/terms.h"

namespace ranklint::doubts {

// After this many open decisions the walk has made one that the program would not: a long parsing of arguments.
Seen many_decisions(const Scene& scene) {
  constexpr size_t kManyDecisions = 16;
  return seen(scene.choices().size() > kManyDecisions);
}

static bool tests_turn(const ValueStore& values, ValueId condition) {
  return leads_to(condition, [&](ValueId part, std::vector<ValueId>& next) {
    const Value& v = values[part];
    if (v.kind == ValueKind::And || v.kind == ValueKind::Or) add_parts(next, values.children(part));
    if (!tests_equality(v)) return false;
    const ValueId x = values.child(part, 0), y = values.child(part, 1);
    return (values[x].kind == ValueKind::Element && values.diverges(y)) ||
           (values[y].kind == ValueKind::Element && values.diverges(x));
  });
}

// `if rank == i` in a loop over all ranks: each enters once. Also where more is asked for: `rank == i or not in_turns`.
Seen takes_turns(const Scene& scene) {
  return seen(tests_turn(scene.values(), scene.divergence().condition), scene.guard());
}

// Whether two unknown values are what one call returns that is written twice: `parts.items()`.
static bool are_of_one_call(const Query& in, ValueId x, ValueId y) {
  const Query::UnknownName of_x = in.name_of_unknown(x), of_y = in.name_of_unknown(y);
  return of_x.by == Query::NamedBy::Call && of_y.by == Query::NamedBy::Call && of_x.name == of_y.name;
}

// Whether two terms are alike but for the loops whose elements they ask: `part.trained` in two loops over `parts`.
static bool are_alike(const Query& in, ValueId x, ValueId y) {
  const ValueStore& values = in.values();
  std::set<std::pair<ValueId, ValueId>> known;
  const std::function<bool(ValueId, ValueId)> alike = [&](ValueId left, ValueId right) {
    if (left == right || !known.emplace(left, right).second) return true;
    if (are_of_one_call(in, left, right)) return true;
    const Value &v = values[left], &w = values[right];
    const bool same = v.kind == ValueKind::Element || (v.a == w.a && v.b == w.b && v.c == w.c);
    return v.kind == w.kind && v.op == w.op && same &&
           std::ranges::equal(values.children(left), values.children(right), alike);
  };
  return alike(x, y);
}

// `self.run.ranks.group` and `self.ranks.group`: by what the group and its owner are called, one group under two names.
static bool is_one_group(const Scene& scene, ValueId x, ValueId y) {
  const ValueStore& values = scene.values();
  const auto are_of_one_name = [&](ValueId left, ValueId right) {
    return values[left].kind == ValueKind::Attribute && values[right].kind == ValueKind::Attribute &&
           values[left].a == values[right].a;
  };
  return are_of_one_name(x, y) && are_of_one_name(values.child(x, 0), values.child(y, 0)) &&
         scene.in.priors().suggest(scene.index().names().text(Symbol{values[x].a}), NameMeaning::GroupOrMesh);
}

// Whether such a group was taken to be there, and not to be there.
static bool takes_group_both_ways(const Scene& scene) {
  return std::ranges::any_of(scene.choices(), [&](const auto& one) {
    return one.second && std::ranges::any_of(scene.choices(), [&](const auto& other) {
             return !other.second && is_one_group(scene, one.first, other.first);
           });
  });
}

// Whether they part over what each sees by itself where such a group is not there, and it was taken to be there:
// `stop = reduced(flag, group) if group else flag`.
static bool sees_alone_without_group(const Scene& scene) {
  const ValueStore& values = scene.values();
  return scene.asks([&](ValueId part) {
    if (values[part].kind != ValueKind::Conditional) return false;
    const ValueId group = values.child(part, 0);
    return values[values.child(part, 2)].local && !values[values.child(part, 1)].local &&
           std::ranges::any_of(scene.choices(), [&](const auto& choice) {
             return choice.second && is_one_group(scene, choice.first, group);
           });
  });
}

// Whether of an element something was taken to hold in one loop and not to hold in another over the same.
Seen contradicts_itself(const Scene& scene) {
  if (takes_group_both_ways(scene) || sees_alone_without_group(scene)) return scene.guard();
  const ValueStore& values = scene.values();
  const auto is_element = [&](ValueId part) { return values[part].kind == ValueKind::Element; };
  std::vector<std::pair<ValueId, bool>> taken;
  for (const auto& choice : scene.choices())
    if (values.find_part(choice.first, is_element).valid()) taken.push_back(choice);
  return seen(std::ranges::any_of(taken, [&](const auto& one) {
    return one.second && std::ranges::any_of(taken, [&](const auto& other) {
             return !other.second && are_alike(scene.in, one.first, other.first);
           });
  }));
}

// `for i in range(n): if i == 0:` holds in one round; since they diverged it was taken to hold in all of them, or in
// none.
Seen one_round_for_all(const Scene& scene) {
  const ValueStore& values = scene.values();
  return seen(std::ranges::any_of(scene.choices(), [&](const auto& choice) {
    if (!tests_equality(values[choice.first])) return false;
    if (std::ranges::binary_search(scene.divergence().taken.all(), choice)) return false;
    const ValueId left = values.child(choice.first, 0), right = values.child(choice.first, 1);
    const ValueId element = values[left].kind == ValueKind::Element ? left : right;
    if (values[element].kind != ValueKind::Element || !values.is_constant(element == left ? right : left)) return false;
    return is_call_of(values, scene.index(), values.child(element, 0), Builtin::Range);
  }));
}

Seen number_fits_nowhere(const Scene& scene) { return seen(no_number_fits(scene.in.values(), scene.e.state.shared)); }

// `world_size`, `self._num_processes`: whether the term is by its name the number of ranks.
static bool is_called_number_of_ranks(const Scene& scene, ValueId v) {
  const Query::UnknownName unknown = scene.in.name_of_unknown(v);
  std::string_view name = unknown.by == Query::NamedBy::Name ? std::string_view(unknown.name)
                                                             : last_part(word_of(scene.values(), scene.index(), v));
  name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
  return scene.in.priors().suggest(name, NameMeaning::WorldSize);
}

// `self.world_size > 1` on the way of a job of one rank: two of the world are compared.
Seen job_of_one_rank(const Scene& scene) {
  if (!scene.frames.group().world) return std::nullopt;
  ValueStore& values = scene.in.values();
  return seen(std::ranges::any_of(scene.choices(), [&](const auto& choice) {
    const Value asked = values[choice.first];
    if (asked.kind != ValueKind::Binary) return false;
    const ValueId size = values.child(choice.first, 0), limit = values.child(choice.first, 1);
    int64_t number = 0;
    if ((!is_called_number_of_ranks(scene, size) && !counts_ranks(scene.in, size)) || !values.integer_of(limit, number))
      return false;
    const auto holds = [&](int64_t ranks) {
      return values.truth(values.binary(asked.op, values.integer(ranks), limit)) ==
             (choice.second ? ValueStore::Truth::Yes : ValueStore::Truth::No);
    };
    return holds(1) && !holds(2) && !holds(8);
  }));
}

Seen unused_option(const Scene& scene) { return seen(uses_unused_option(scene.in, scene.e.state.shared)); }

// Whether a choice is about a variable of a module that the context manager sets.
static bool settles(const Scene& scene, FunctionKey context) {
  const ValueStore& values = scene.values();
  const ProjectIndex& index = scene.index();
  const ModuleKey module = index.functions()[context].module;
  const auto is_set = [&](ValueId part) {
    const Value& v = values[part];
    return v.kind == ValueKind::Global && v.a == module.index &&
           std::ranges::any_of(index.function(context).globals,
                               [&](Symbol name) { return index.name(module, name).index == v.b; });
  };
  return std::ranges::any_of(scene.choices(),
                             [&](const auto& choice) { return values.find_part(choice.first, is_set).valid(); });
}

// `with without_barriers(): load(path)`: what it sets was taken not to be set.
Seen set_by_context(const Scene& scene) {
  for (const PathStep& step : scene.m.first.steps) {
    const Summary* s = step.kind == PathStep::Kind::Call ? scene.in.summary(step.function) : nullptr;
    if (s && std::ranges::any_of(open_contexts(scene.index(), *s, step.range), [&](const OpenContext& c) {
          return c.function.valid() && settles(scene, c.function);
        }))
      return CodePlace{step.function, step.range};
  }
  return std::nullopt;
}

// Sides that have met in a collective since they diverged were written to go together; where it takes further decisions
// to separate them that a caller does not simply pass, those are hardly free.
Seen met_before(const Scene& scene) {
  const auto& before = scene.e.state.chosen_when_met.all();
  return seen(scene.e.met && std::ranges::any_of(scene.choices(),
                                                 [&](const auto& choice) {
                                                   return !is_flag(scene.values(), choice.first) &&
                                                          !std::ranges::binary_search(before, choice);
                                                 }),
              scene.guard());
}

}  // namespace ranklint::doubts
