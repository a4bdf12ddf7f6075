// Ranks of the world where ranks of a group are expected, and the other way round.
//
// A collective on a sub-group takes its root as a rank of the world, so a constant names one process: in one of the
// groups along that axis it is a member, in the others no rank is the root. The same holds for a rank within the group:
// one that is compared with this rank's number there, or that iterates over the group's size. And a list of ranks for a
// new group holds ranks of the world, so code that looks up its rank within a group in such a list has numbered the
// wrong ranks.
//
// Both are reported only of groups beside which there are others: those whose axes a framework's name gives, a
// dimension of a mesh that is made with several, and the one of several that has this rank in it. A group that is an
// argument may be the world:
//
//     mesh = init_device_mesh("cuda", (replicas, shards), mesh_dim_names=("replicate", "shard"))
//     broadcast(x, src=0, group=mesh["shard"].get_group())
//
//     for ranks in lists:
//         group = new_group(ranks)
//         if rank in ranks: mine = group
//     broadcast(x, src=0, group=mine)
//
// In the world the rank within the group is the rank of the world. So it is a doubt where the group is a parameter
// whose name says nothing, and no caller hands in another one.
#include <algorithm>
#include <optional>

#include "analyzer/questions/events.h"
#include "analyzer/questions/handed_over.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/variance/terms.h"
#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::divergent_root {

constexpr RuleInfo kInfo{.id = "divergent-root",
                         .code = "RL109",
                         .summary = "the root of a collective differs between ranks",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "there is more than one group of this kind"};

namespace {

constexpr int kLongestWay = 4;  // of a group that functions hand on

// Where a list is searched for a rank that is none of the world: one on the node, or one in some group.
struct Search {
  SourceRange range;
  bool on_node = false;
  ValueId group = {};  // in which the rank counts; invalid: known by its axes
};

// A root, or a list for a new group, that is numbered among the wrong ranks.
struct ForeignRoot {
  FunctionKey function;
  SourceRange range;
  std::string op, group;  // no group: the list
  Assurance certainty = Confidence::Likely;
  Search search{};  // of the list
};

class ForeignRoots {
 public:
  explicit ForeignRoots(const Query& in) : in_(in), values_(in.values()) {}

  std::vector<ForeignRoot> run() {
    each_event(in_, kInfo.id, [&](const Summary& s, ir::BlockId b, const Step& step) { check(s, b, step); });
    return std::move(found_);
  }

 private:
  void check(const Summary& s, ir::BlockId block, const Step& step) {
    const Event& event = *step.event;
    if (event.model->kind == ModelKind::Collective)
      check_root(s, block, step);
    else if (event.model->kind == ModelKind::GroupCreate && event.ranks.valid())
      if (const std::optional<Search> search = search_by_group_rank(s, event.ranks)) {
        Assurance sure = Confidence::Likely;
        if (may_be_world(s.function, search->group)) sure.doubt({Reason::HandedWorld, {s.function, search->range}});
        keep(s, step, "", sure, *search);
      }
  }

  // What a name or a call says of the group; nothing: it is one of which nothing is known.
  std::optional<AxisSet> axes_told(ValueId group) {
    const std::optional<AxisSet> axes = in_.resolve_group(group, Unknown::FreshAxis);
    const auto is_told = [](const Axis& a) {
      return a.kind == AxisKind::Mesh || a.kind == AxisKind::Local || a.kind == AxisKind::Node;
    };
    return axes && (axes->world || std::ranges::all_of(axes->axes, is_told)) ? axes : std::nullopt;
  }

  // Whether the group is a parameter, and no caller in sight hands in another than the world.
  bool may_be_world(FunctionKey f, ValueId group, int depth = kLongestWay) {
    if (!group.valid()) return false;
    if (const std::optional<AxisSet> axes = axes_told(group)) return axes->world;
    if (values_[group].kind != ValueKind::Parameter || values_[group].a != f.index || depth == 0) return false;
    if (!callers_) callers_.emplace(in_);
    const uint32_t parameter = values_[group].b;
    return std::ranges::all_of(callers_->of(f), [&](const Callers::Caller& caller) {
      const Binding binding = in_.bind(caller.target, caller.step->call, 0);
      const ValueId given = parameter < binding.parameters.size() ? binding.parameters[parameter] : ValueId{};
      return !given.valid() || may_be_world(caller.link.function, given, depth - 1);
    });
  }

  void check_root(const Summary& s, ir::BlockId block, const Step& step) {
    const Event& event = *step.event;
    int64_t root = 0;
    if (!event.root.valid() || event.model->root_is_group_rank) return;
    if (!values_.integer_of(event.root, root)) return check_rank_within(s, step);
    const std::optional<AxisSet> axes = axes_of_one_of_many(event.group);
    if (!axes || axes->world || axes->axes.empty() || tests_source_rank(s)) return;
    // Those of the root's group, perhaps: `if rank < size: broadcast(x, 0, group=mine)`.
    if (diverging_guard_of(values_, s, block).valid()) return;
    keep(s, step, describe(*axes, in_.index().names()),
         lower_of(Confidence::Likely, model_certainty(*event.model, {s.function, step.range})));
  }

  // Of a group that other ranks have others beside.
  std::optional<AxisSet> axes_of_one_of_many(ValueId group) {
    const Value& value = values_[group];
    if (value.kind == ValueKind::Group)
      return value.child_count > 0 ? std::nullopt : std::optional(values_.axes(AxesId{value.a}));
    if (value.kind == ValueKind::Subscript && is_mesh_of_several(values_.child(group, 0)))
      return in_.resolve_group(group, Unknown::Nothing);
    if (!is_chosen_by_membership(group)) return std::nullopt;
    return in_.resolve_group(group, Unknown::FreshAxis);
  }

  // The call that gave a value of which nothing else is known, and the last part of the callee's name.
  struct MadeBy {
    FunctionKey function;
    const ir::Instruction* call = nullptr;
    std::string_view name;
  };
  MadeBy made_by(ValueId v) const {
    const Site* site = in_.made_at(v);
    if (!site || values_[v].kind != ValueKind::Opaque) return {};
    const ir::Instruction* call = in_.call_at(*site);
    if (!call) return {};
    const ir::Expr& callee = in_.index().function(site->function).exprs[call->value];
    const bool named = callee.kind == ir::ExprKind::Attribute || callee.kind == ir::ExprKind::Name;
    return {site->function, call,
            named ? in_.index().modules()[in_.index().functions()[site->function].module].text(callee.symbol)
                  : std::string_view()};
  }

  // Made with two dimensions or more, none of which is known to have one rank.
  bool is_mesh_of_several(ValueId mesh) const {
    const MadeBy made = made_by(mesh);
    const RoleEntry* makes = in_.roles().find(made.name, Role::ShapesMesh);
    if (!makes) return false;
    const ir::Function& f = in_.index().function(made.function);
    const ir::Module& text = in_.index().modules()[in_.index().functions()[made.function].module];
    int position = 0;
    for (const ir::Argument& a : ir::arguments(f, *made.call)) {
      const bool is_shape = a.kind == ir::ArgumentKind::Keyword ? text.text(a.keyword) == makes->argument.keyword
                                                                : position++ == makes->argument.position;
      if (!is_shape || !a.value.valid() || f.exprs[a.value].kind != ir::ExprKind::Tuple) continue;
      const auto sizes = ir::children(f, a.value);
      const auto is_one = [&](ir::ExprId e) {
        return f.exprs[e].kind == ir::ExprKind::Integer && text.text(f.exprs[e].symbol) == "1";
      };
      return sizes.size() > 1 && std::ranges::none_of(sizes, is_one);
    }
    return false;
  }

  // `mine` after a loop that makes groups and keeps the one in whose list this rank is; `groups[rank // size]`.
  bool is_chosen_by_membership(ValueId group) {
    const Value& value = values_[group];
    if (value.kind == ValueKind::Subscript)
      return values_.diverges(values_.child(group, 1)) && values_[values_.child(group, 1)].kind == ValueKind::Binary;
    if (value.kind != ValueKind::LoopPhi) return false;
    return values_
        .find_part(group,
                   [&](ValueId part) {
                     if (values_[part].kind != ValueKind::Conditional) return false;
                     const ValueId condition = values_.child(part, 0);
                     if (values_[condition].kind != ValueKind::Binary || values_[condition].op != ir::Operator::In)
                       return false;
                     const ValueId asked = values_.child(condition, 0), kept = values_.child(part, 1);
                     return values_[asked].kind == ValueKind::Coordinate &&
                            values_.axes(AxesId{values_[asked].a}).world && values_[kept].kind == ValueKind::Group;
                   })
        .valid();
  }

  // `if dist.get_rank(group) == source: ...` and `for source in range(group.size())` beside `src=source, group=group`.
  void check_rank_within(const Summary& s, const Step& step) {
    const Event& event = *step.event;
    if (values_[event.group].kind == ValueKind::Group && values_[event.group].child_count > 0) return;
    const std::optional<AxisSet> group = in_.resolve_group(event.group, Unknown::Nothing);
    if (!group || group->world || group->axes.empty() || tests_source_rank(s)) return;
    if (!counts_members(event.root, *group) && !is_compared_within(s, event.root, *group)) return;
    keep(s, step, describe(*group, in_.index().names()),
         lower_of(Confidence::Likely, model_certainty(*event.model, {s.function, step.range})));
  }

  bool counts_members(ValueId root, const AxisSet& group) {
    if (values_[root].kind != ValueKind::Element) return false;
    const ValueId all = values_.child(root, 0);
    if (!is_call_of(values_, in_.index(), all, Builtin::Range) || values_[all].child_count != 1) return false;
    const ValueId size = values_.child(all, 0);
    if (values_[size].kind == ValueKind::Size) return values_.axes(AxesId{values_[size].a}) == group;
    return values_[size].kind == ValueKind::SizeIn &&
           in_.resolve_group(values_.child(size, 0), Unknown::Nothing) == group;
  }

  bool is_compared_within(const Summary& s, ValueId root, const AxisSet& group) {
    const auto is_own_rank = [&](ValueId v) {
      if (values_[v].kind == ValueKind::Coordinate) return values_.axes(AxesId{values_[v].a}) == group;
      return values_[v].kind == ValueKind::RankIn && in_.resolve_group(values_.child(v, 0), Unknown::Nothing) == group;
    };
    const auto compares = [&](ValueId part) {
      const Value& v = values_[part];
      if (v.kind != ValueKind::Binary || (v.op != ir::Operator::Equal && v.op != ir::Operator::NotEqual)) return false;
      const ValueId left = values_.child(part, 0), right = values_.child(part, 1);
      return (left == root && is_own_rank(right)) || (right == root && is_own_rank(left));
    };
    return std::any_of(s.blocks.begin(), s.blocks.end(), [&](const BlockSteps& block) {
      return block.condition.valid() && values_.find_part(block.condition, compares).valid();
    });
  }

  // `if mpu.get_data_parallel_src_rank() == 0:` lets only the group in that the root is.
  bool tests_source_rank(const Summary& s) {
    const auto is_source_rank = [&](ValueId v) {
      const MadeBy made = made_by(v);
      return made.function == s.function && in_.priors().suggest(made.name, NameMeaning::SourceRank);
    };
    return std::any_of(s.blocks.begin(), s.blocks.end(), [&](const BlockSteps& block) {
      return block.condition.valid() && values_.find_part(block.condition, is_source_rank).valid();
    });
  }

  // `if group_rank in ranks:` beside `new_group(ranks)`.
  std::optional<Search> search_by_group_rank(const Summary& s, ValueId ranks) {
    const ir::Function& code = in_.index().function(s.function);
    for (uint32_t b = 0; b < s.blocks.size(); ++b) {
      if (!s.blocks[b].condition.valid()) continue;
      ValueId searched;
      values_.find_part(s.blocks[b].condition, [&](ValueId part) {
        const bool is_search = values_[part].kind == ValueKind::Binary && values_[part].op == ir::Operator::In &&
                               values_.child(part, 1) == ranks && is_rank_in_group(values_.child(part, 0));
        if (is_search) searched = values_.child(part, 0);
        return is_search;
      });
      if (searched.valid())
        return Search{.range = code.blocks[ir::BlockId{b}].terminator.range,
                      .on_node = is_rank_on_node(searched),
                      .group = values_[searched].kind == ValueKind::RankIn ? values_.child(searched, 0) : ValueId{}};
    }
    return std::nullopt;
  }

  bool is_rank_on_node(ValueId v) const {
    return values_[v].kind == ValueKind::Coordinate && values_.axes(AxesId{values_[v].a}).has(AxisKind::Local);
  }

  bool is_rank_in_group(ValueId v) const {
    if (values_[v].kind == ValueKind::RankIn) return true;
    return values_[v].kind == ValueKind::Coordinate && !values_.axes(AxesId{values_[v].a}).world;
  }

  void keep(const Summary& s, const Step& step, std::string group, const Assurance& certainty, Search search = {}) {
    found_.push_back({s.function, step.range, step.event->model->op, std::move(group), certainty, search});
  }

  const Query& in_;
  ValueStore& values_;
  std::vector<ForeignRoot> found_;
  std::optional<Callers> callers_;  // once they are asked for
};

}  // namespace

static std::string describe_foreign(const ForeignRoot& d) {
  if (d.group.empty())
    return "`" + d.op + "` takes ranks of the world, and this list is searched for a rank " +
           (d.search.on_node ? "on the node: ranks of all but the first node take the group of other ranks"
                             : "within a group: all but the first group get the wrong ranks");
  return collective_text(d.op, d.group) +
         " takes its root as a rank of the world, and this number is in only one of the groups that the ranks have "
         "there";
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::Root)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = collective_text(m.first.op, m.group) + " has root " + m.first_argument + " on one rank and " +
                      m.second_argument + " on another";
    finding.help = "name the same root on every rank; with a sub-group, src and dst are global ranks";
    findings.push_back(std::move(finding));
  }
  for (const ForeignRoot& d : ForeignRoots(in).run()) {
    if (!is_reported(shared, d.function) || is_run_through(shared, d.function)) continue;
    Finding finding = finding_at(kInfo, shared, d.function, d.range, d.certainty);
    finding.message = describe_foreign(d);
    if (d.search.range.line != 0)
      finding.related.push_back({location_at(shared, d.function, d.search.range), "searched here"});
    finding.help = d.group.empty() ? "list ranks of the world, `get_process_group_ranks(group)` or "
                                     "`get_global_rank(group, r)`, and look for the rank of the world"
                                   : "pass `get_global_rank(group, r)`, the framework's source rank, or `group_src=r`";
    finding.fingerprint_key = d.op + " " + d.group + " foreign";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::divergent_root
