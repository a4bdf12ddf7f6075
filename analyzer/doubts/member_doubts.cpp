// Conditions that separate ranks of which one may be no member: `rank in ranks`, `rank // n == part`.
#include <algorithm>
#include <set>

#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/execution/membership.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/listed_ranks.h"

namespace ranklint {

// `rank < n` where `n` is no number that is written down: the first `n` ranks are a group.
static bool is_among_first(const ValueStore& values, const Value& v) {
  if (v.kind != ValueKind::Binary || v.child_count != 2 || !is_order(v.op)) return false;
  return !v.local && !values[v.first_child[0]].constant && !values[v.first_child[1]].constant;
}

bool tests_membership(const ValueStore& values, ValueId condition) {
  std::vector<ValueId> work{condition};
  std::set<ValueId> known;
  while (!work.empty()) {
    const ValueId v = work.back();
    work.pop_back();
    if (!known.insert(v).second) continue;
    const Value& value = values[v];
    if (ir::is_membership(value.op) || is_among_first(values, value)) return true;
    if (value.kind == ValueKind::Binary) continue;
    work.insert(work.end(), values.children(v).begin(), values.children(v).end());
  }
  return false;
}

namespace doubts {

// Whether the group is of ranks that are written down: only those are compared.
static bool knows_members(const Scene& scene) {
  const ValueId members = scene.frames.members();
  return members.valid() && listed_ranks(scene.in, scene.a.residual(members)).has_value();
}

// "Is this rank among the members" around a group that is not known otherwise: most likely its own members.
Seen tests_membership(const Scene& scene) {
  if (scene.frames.group().world || knows_members(scene)) return std::nullopt;
  return seen(tests_membership(scene.values(), scene.divergence().condition) ||
                  tests_membership(scene.values(), scene.divergence().written),
              scene.guard());
}

// `MPI_Group_excl(everyone, 1, zero, &members); MPI_Comm_create(world, members, &workers)`
static bool leaves_some_out(const Scene& scene, const Axis& axis) {
  const Query& in = scene.in;
  const Site* made_at = axis.is_one_group() ? in.made_at(axis.origin) : nullptr;
  const ir::Instruction* call = made_at ? in.call_at(*made_at) : nullptr;
  if (!call) return false;
  const FunctionCode code(scene.index(), *in.summary(made_at->function));
  const RoleEntry* makes = role_of(in, code, *call, Role::MakesPart);
  const ir::ExprId members = makes && makes->argument.present() ? given_for(code, *call, *makes) : ir::ExprId{};
  if (!members.valid()) return false;
  const Derivation from = derivation_of(code, members, {made_at->block, made_at->instruction});
  return std::ranges::any_of(from.calls, [&](const ProgramPoint& p) {
    return plays(in, code, code.ir.blocks[p.block].instructions[p.instruction], Role::LeavesOutMembers);
  });
}

// Where the group is known by an expression only, and the condition does not test the rank in it, the ranks that the
// condition separates need not both be members.
Seen unknown_group(const Scene& scene) {
  const AxisSet& group = scene.frames.group();
  if (group.world || knows_members(scene)) return std::nullopt;
  const ValueId condition = scene.divergence().condition;
  const AxisSet& asked = scene.values().variance(condition);
  // A rank 0 that leaves the others to a group without some is most likely one of those.
  const auto is_without_some = [&](const Axis& axis) { return leaves_some_out(scene, axis); };
  const bool leaves_others = scene.m.first.rank != 0 && std::ranges::any_of(group.axes, is_without_some);
  const bool rank_zero_alone = asked.world && scene.divergence().decided && !leaves_others;
  // Of any two ranks of the world one may have a round more.
  const bool parts_all = asked.world && scene.divergence().loop &&
                         scene.asks([&](ValueId part) { return scene.values().is_uneven_share(part); });
  const bool unknown = std::ranges::any_of(group.axes, &Axis::is_one_group);
  return seen(!rank_zero_alone && !parts_all && unknown && !asked.has(AxisKind::UnknownGroup) &&
                  !scene.values()[condition].local && (asked.world || !overlap(asked, group)),
              scene.guard());
}

// `rank // n` around a group that is not the world: the members of one of its parts, most likely, have one number.
Seen reads_part(const Scene& scene) {
  const ValueStore& values = scene.values();
  const auto is_part = [&](ValueId part) {
    if (values[part].kind != ValueKind::Binary || values[part].op != ir::Operator::FloorDivide ||
        values.is_constant(values.child(part, 1)))
      return false;
    const Value& number = values[values.child(part, 0)];
    return (number.kind == ValueKind::Coordinate || number.kind == ValueKind::Believed) &&
           values.axes(AxesId{number.a}).world;
  };
  return seen(!scene.frames.group().world && scene.asks(is_part), scene.guard());
}

// `rank == firsts[self.stage]` around a group that is not the world: what a rank looks up for itself may be the same
// for all members.
Seen own_entry(const Scene& scene) {
  const ValueStore& values = scene.values();
  const auto is_own_entry = [&](ValueId v) {
    bool of_kept_table = false, constant = true;
    for (; values[v].kind == ValueKind::Subscript; v = values.child(v, 0))
      constant &= values.is_constant(values.child(v, 1)), of_kept_table = true;
    return of_kept_table && !constant &&
           (values[v].kind == ValueKind::Global || values[v].kind == ValueKind::Attribute);
  };
  return seen(!scene.frames.group().world && scene.asks([&](ValueId part) {
    return tests_equality(values[part]) && (is_own_entry(values.child(part, 0)) || is_own_entry(values.child(part, 1)));
  }),
              scene.guard());
}

// Whether a constructor has made the attribute of the rank.
static bool is_made_of_rank(const Scene& scene, ValueId v) {
  const ValueStore& values = scene.values();
  const ProjectIndex& index = scene.index();
  const ClassKey c = values[v].kind == ValueKind::Attribute ? values.class_of(values.child(v, 0)) : ClassKey{};
  if (!c.valid()) return false;
  const Symbol name{values[v].a};
  const auto is_of_rank = [&](const AttributeSite& site) {
    const Summary* setter = scene.in.summary(site.function);
    const ValueId set = setter ? setter->given_to(name, site) : ValueId{};
    return set.valid() && !values.variance(set).empty();
  };
  return std::ranges::any_of(index.linearization(c), [&](ClassKey k) {
    const auto sites = index.classes()[k].attributes.find(name);
    return sites != index.classes()[k].attributes.end() && std::ranges::any_of(sites->second, is_of_rank);
  });
}

// Whether the number is an attribute of `self`. Each rank has its own such object, while options are the same on all
// ranks.
static bool is_kept(const Scene& scene, ValueId number) {
  const ValueStore& values = scene.values();
  if (values[number].kind != ValueKind::Attribute) return false;
  const Value& object = values[values.child(number, 0)];
  const ClassKey c = values.class_of(values.child(number, 0));
  return object.kind == ValueKind::Parameter && c.valid() && scene.in.fields(c).empty();
}

// `rank != self.shard` where a constructor has made `self.shard` of the rank: it is this rank's own number, with any
// value. And where it is known as `rank % shards`: the two are equal where there are as many shards as ranks. In a part
// of the world, what nothing says of `self.shard` may be one number for each of the parts, or one for each rank.
Seen own_number(const Scene& scene) {
  const ValueStore& values = scene.values();
  const auto is_remainder = [&](ValueId v, ValueId of) {
    return values[v].kind == ValueKind::Binary && values[v].op == ir::Operator::Modulo && values.child(v, 0) == of &&
           !values.is_constant(values.child(v, 1));
  };
  const AxisSet& group = scene.frames.group();
  const bool is_part_of_world = !group.world && std::ranges::none_of(group.axes, &Axis::is_one_group);
  const auto is_unknown_number = [&](ValueId v, ValueId of) {
    return values[of].kind == ValueKind::Coordinate && values.axes(AxesId{values[of].a}).world && is_kept(scene, v);
  };
  return seen(scene.asks([&](ValueId part) {
    if (!tests_equality(values[part])) return false;
    const ValueId left = values.child(part, 0), right = values.child(part, 1);
    if (is_part_of_world && (is_unknown_number(left, right) || is_unknown_number(right, left))) return true;
    return is_made_of_rank(scene, left) || is_made_of_rank(scene, right) || is_remainder(left, right) ||
           is_remainder(right, left);
  }),
              scene.guard());
}

// `if rank != ranks[place]: raise`: a comparison of the rank with what it should be checks the set-up, wherever the
// exception is caught.
Seen checks_own_rank(const Scene& scene) {
  const ir::BlockId side = scene.side(other(scene.e.first));
  const ValueStore& values = scene.values();
  const ValueId asked = scene.divergence().condition;
  if (!side.valid() || !tests_equality(values[asked]) ||
      scene.code(scene.divergence().at.frame).blocks[side].terminator.kind != ir::TerminatorKind::Raise)
    return std::nullopt;
  return seen(std::ranges::any_of(values.children(asked), [&](ValueId number) { return !values[number].closed; }),
              scene.guard());
}

}  // namespace doubts

}  // namespace ranklint
