//     class Lines(IterableDataset):
//         def __iter__(self):
//             for i, line in enumerate(open(self.path)):
//                 if i % self.world == self.rank: yield line
//
//     class Files(IterableDataset):
//         def __iter__(self):
//             for path in self.files[self.rank :: self.world]:
//                 for line in open(path): yield line
//
// Whose turn the last line is, the others have one less; and files are not of one length. Nothing is said of a data set
// that never ends, or that divides anything without a rest: it may have left the rest away. The same of what libraries
// deal out:
//
//     dataset.shard(num_shards=world, index=rank)             numpy.array_split(items, world)[rank]
//     split_dataset_by_node(dataset, rank, world)             Subset(dataset, range(rank, len(dataset), world))
#include "analyzer/interp/rank_sharding.h"

#include <algorithm>

#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/callee_role.h"
#include "analyzer/summary/guards.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

bool divides(const ir::Function& f) {
  return std::ranges::any_of(
      f.exprs, [](const ir::Expr& e) { return e.kind == ir::ExprKind::Binary && e.op == ir::Operator::FloorDivide; });
}

bool has_endless_loop(const Summary& s, const ir::Function& f, const ValueStore& values) {
  return std::ranges::any_of(s.graph().order(), [&](ir::BlockId b) {
    if (!s.graph().is_loop_header(b)) return false;
    const ValueId condition = s.blocks[b.index].condition;
    return f.blocks[b].terminator.kind != ir::TerminatorKind::Iterate &&
           (!condition.valid() || values.truth(condition) != ValueStore::Truth::No);
  });
}

// What the loop with this header goes over; invalid: it goes on as long as a condition holds.
ValueId gone_over(const Summary& s, const ValueStore& values, const ProjectIndex& index, ir::BlockId header) {
  const ValueId condition = s.blocks[header.index].condition;
  return condition.valid() && derived_of(values, index, condition) == Derived::MoreRounds ? values.child(condition, 0)
                                                                                          : ValueId{};
}

// Whether the block comes as often as there is something in this rank's share, where others' shares are as long or not;
// or in rounds for each of its elements.
bool comes_by_share(const Summary& s, const ValueStore& values, const ProjectIndex& index, ir::BlockId block) {
  bool is_innermost = true;
  for (ir::BlockId header = s.graph().loop_around(block); header.valid(); is_innermost = false) {
    const ValueId iterable = gone_over(s, values, index, header);
    if (iterable.valid() && (is_innermost ? values.is_uneven_share(iterable) : !values.variance(iterable).empty()))
      return true;
    const ir::BlockId before = s.graph().dominator(header);
    header = before.valid() ? s.graph().loop_around(before) : ir::BlockId{};
  }
  return false;
}

class Sharing {
 public:
  Sharing(const Query& interpreter, const Call& call) : in_(interpreter), values_(interpreter.values()), call_(call) {}

  ValueId share() {
    const Value callee = values_[call_.callee];
    if (call_.open_ended || (callee.kind != ValueKind::Attribute && callee.kind != ValueKind::External)) return {};
    const std::string_view name = in_.index().names().text(Symbol{callee.a});
    if (const RoleEntry* among = in_.roles().find(name, Role::DealsOutAmong)) return dealt_out(name, *among);
    if (callee.kind == ValueKind::Attribute) return {};
    if (in_.roles().play(name, Role::TakesSlice)) return slice();
    if (in_.roles().play(name, Role::CountsUp)) return counted();
    if (values_.has_trait(Symbol{callee.a}, ValueStore::Trait::SplitsIntoParts))
      return parts(name, in_.argument(call_, {.position = 0, .keyword = {}}),
                   in_.argument(call_, {.position = 1, .keyword = {}}));
    if (const RoleEntry* picks = in_.roles().find(name, Role::PicksSamples)) return subset(given(*picks));
    if (const RoleEntry* loads = in_.roles().find(name, Role::LoadsSamples))
      return loader(given(*loads), *loads, Symbol{callee.a});
    return {};
  }

 private:
  ValueId given(const RoleEntry& entry) const { return in_.argument(call_, entry.argument); }

  // `dataset.shard(num_shards=world, index=rank)`, `split_dataset_by_node(dataset, rank, world)`
  ValueId dealt_out(std::string_view name, const RoleEntry& among) {
    const RoleEntry* by = in_.roles().find(name, Role::DealsOut);
    const RoleEntry* of = in_.roles().find(name, Role::DealsOutOf);
    const ValueId receiver =
        values_[call_.callee].kind == ValueKind::Attribute ? values_.child(call_.callee, 0) : ValueId{};
    return by ? turn(of ? given(*of) : receiver, given(*by), given(among)) : ValueId{};
  }

  ValueId turn(ValueId whole, ValueId rank, ValueId size) {
    const bool deals =
        whole.valid() && rank.valid() && size.valid() && values_.diverges(rank) && !values_.diverges(size);
    return deals ? rank_sharding(in_, whole, rank, size) : ValueId{};
  }

  // All parts, of which `parts[rank]` is one.
  ValueId parts(std::string_view splitter, ValueId whole, ValueId number) {
    return whole.valid() && number.valid()
               ? values_.node(ValueKind::Pure, {{whole, number}}, in_.index().intern(splitter).index)
               : ValueId{};
  }

  // `islice(items, end)`, `islice(items, start, end, step)`
  ValueId slice() {
    const CompactVector<ValueId>& given = call_.positional;
    if (given.size() < 2) return {};
    const ValueId none = values_.none();
    const std::vector<ValueId> bounds{given.size() > 2 ? given[1] : none, given.size() > 2 ? given[2] : given[1],
                                      given.size() > 3 ? given[3] : none};
    return values_.subscript(given[0], values_.node(ValueKind::Pure, bounds, in_.index().intern("slice").index));
  }

  // `numpy.arange(rank, n, size)`: as Python's own range.
  ValueId counted() {
    const std::vector<ValueId> bounds(call_.positional.begin(), call_.positional.end());
    const ValueId range = values_.node(ValueKind::Pure, bounds, in_.index().intern(name_of(Builtin::Range)).index);
    return values_.is_uneven_share(range) ? range : ValueId{};
  }

  ValueId subset(ValueId indices) {
    if (!indices.valid() || !values_.is_uneven_share(indices)) return {};
    return values_.node(ValueKind::Pure, {{indices}}, in_.index().intern("list").index);
  }

  // A sampler that was given a rank's share picks out of that, and any other evenly. A rank that drops the last batch
  // mostly has as many as the others.
  ValueId loader(ValueId dataset, const RoleEntry& loads, Symbol type) {
    const std::vector<const RoleEntry*> choices = in_.roles().all(loads.name, Role::ChoosesSamples);
    const auto chooses = [&](Symbol keyword) {
      return std::ranges::any_of(choices, [&](const RoleEntry* choice) {
        return choice->argument.keyword == in_.index().names().text(keyword);
      });
    };
    for (const auto& [keyword, given] : call_.keywords) {
      if (!chooses(keyword) || values_.truth(given) == ValueStore::Truth::No) continue;
      if (!values_.is_uneven_share(given)) return {};
      dataset = given;
    }
    if (!dataset.valid()) return {};
    const bool is_share = values_.is_uneven_share(dataset);
    if (!is_share && !deals_out_unevenly(in_, dataset)) return {};
    const AxisSet world{.world = true, .axes = {}};
    const ValueId size = values_.leaf(ValueKind::Size, values_.intern(world).index);
    return values_.with_type(is_share ? dataset : rank_sharding(in_, dataset, values_.coordinate(world), size),
                             ValueStore::type_of_external(type));
  }

  const Query& in_;
  ValueStore& values_;
  const Call& call_;
};

}  // namespace

ValueId rank_sharding(const Query& interpreter, ValueId whole, ValueId rank, ValueId size) {
  ValueStore& values = interpreter.values();
  return values.subscript(
      whole, values.node(ValueKind::Pure, {{rank, values.none(), size}}, interpreter.index().intern("slice").index));
}

Turns turns_in(const ValueStore& values, ValueId condition) {
  const Value& c = values[condition];
  if (c.kind != ValueKind::Binary || c.op != ir::Operator::Equal) return {};
  for (const auto& [turn, rank] : {std::pair(0, 1), std::pair(1, 0)}) {
    const ValueId rest = values.child(condition, turn), own = values.child(condition, rank);
    if (values[rest].kind != ValueKind::Binary || values[rest].op != ir::Operator::Modulo) continue;
    const bool is_given = values[own].kind == ValueKind::Parameter || values[own].kind == ValueKind::Free;
    if (!values.diverges(rest) && (is_given || !values.variance(own).empty())) return {own, values.child(rest, 1)};
  }
  return {};
}

ValueId share_given_by(const Query& interpreter, const Call& call) { return Sharing(interpreter, call).share(); }

// Whether it says that it has as many items as this rank's share has: `len(self.mine)`.
static bool is_as_long_as_share(const Query& interpreter, ValueId dataset, ClassKey c) {
  ValueStore& values = interpreter.values();
  const FunctionKey counts = interpreter.index().find_method(c, interpreter.index().intern("__len__"));
  const Summary* s = counts.valid() ? interpreter.summary(counts) : nullptr;
  if (!s || !s->result.valid()) return false;
  const Target target{.function = counts, .receiver = dataset, .captures = {}, .guard = {}};
  const ValueId length = interpreter.instantiate(s->result, interpreter.bind(target, Call(), 0));
  return values.is_result_of(length, ValueStore::Trait::CountsElements) && values[length].child_count == 1 &&
         values.is_uneven_share(values.child(length, 0));
}

bool deals_out_unevenly(const Query& interpreter, ValueId dataset) {
  const ProjectIndex& index = interpreter.index();
  ValueStore& values = interpreter.values();
  const ClassKey c = values.class_of(dataset);
  if (!c.valid()) return false;
  if (!derives_from(interpreter.roles(), index, c, Role::StreamsClass))
    return is_as_long_as_share(interpreter, dataset, c);
  for (ClassKey k : index.linearization(c))
    for (const auto& [name, method] : index.classes()[k].methods)
      if (divides(index.function(method))) return false;
  const FunctionKey iterates = index.find_method(c, index.intern("__iter__"));
  const Summary* s = iterates.valid() ? interpreter.summary(iterates) : nullptr;
  if (!s) return false;
  const ir::Function& f = index.function(iterates);
  if (has_endless_loop(*s, f, values)) return false;
  return std::ranges::any_of(s->graph().order(), [&](ir::BlockId b) {
    const bool yields = std::ranges::any_of(f.blocks[b].instructions, [](const ir::Instruction& i) {
      return i.kind == ir::InstructionKind::Yield || i.kind == ir::InstructionKind::YieldFrom;
    });
    if (!yields) return false;
    const ValueId guard = guard_of(values, *s, f, b);
    return (guard.valid() && !values.variance(guard).empty()) || comes_by_share(*s, values, index, b);
  });
}

}  // namespace ranklint
