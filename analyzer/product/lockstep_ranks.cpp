// What the two classes of a divergence are called: from the conditions that decided which ranks are in them, never from
// the rank that stood for them.
#include <algorithm>

#include "analyzer/product/lockstep.h"

namespace ranklint {

void Lockstep::note_pass(State& state, Who who, ValueId condition, bool yes) {
  const ValueStore& values = in_.values();
  if (!condition.valid() || (values.variance(condition).empty() && !(by_local_ && values[condition].local))) return;
  // Only members of the group are compared.
  if (frames_.members().valid() && values[condition].kind == ValueKind::Binary &&
      values.child(condition, 1) == frames_.members())
    return;
  const Position& p = state[who].at;
  if (state.divergence && state[A].at != state[B].at && p.frame == state.divergence->at.frame)
    note(state, who, PathStep::Kind::Branch, p.frame, code(p.frame).blocks[p.block].terminator.range,
         yes ? PathStep::Outcome::True : PathStep::Outcome::False);
  state.passes =
      passes_.push_back({state.passes, who, p, condition, code(p.frame).blocks[p.block].terminator.range, yes});
}

// Whether a branch before a place still restricts the ranks there: after the join of its sides it does not.
bool Lockstep::still_holds(const Position& at, const Pass& pass) const {
  if (!frames_.lies_around(pass.at.frame, at.frame)) return false;
  const FlowGraph& graph = frames_[pass.at.frame].summary->graph();
  const ir::BlockId here = frames_.block_in(pass.at.frame, at), join = graph.join(pass.at.block);
  if (!here.valid()) return false;
  return graph.dominates(pass.at.block, here) && !(join.valid() && graph.dominates(join, here));
}

// The branches that a rank has to take to do what the class does, the divergence among them, in order.
std::vector<Lockstep::Pass> Lockstep::decided_by(const State& state, Who who) const {
  const Divergence& divergence = *state.divergence;
  std::vector<Pass> all;
  const auto add = [&](const Pass& pass) {
    if (std::ranges::none_of(all, [&](const Pass& later) { return later.condition == pass.condition; }))
      all.push_back(pass);
  };
  PassId id = state.passes;
  for (; id.valid() && id != divergence.passed_before; id = passes_[id].before)
    if (passes_[id].who == who) add(passes_[id]);
  add({{}, who, divergence.at, divergence.condition, divergence.range, divergence.took_first == who});
  for (; id.valid(); id = passes_[id].before)
    if (passes_[id].who == who && still_holds(divergence.at, passes_[id])) add(passes_[id]);
  std::reverse(all.begin(), all.end());
  return all;
}

// Whether the branches that both passed let a single rank of the job through to the place, so that no two can differ
// there.
bool Lockstep::only_one_rank_comes(const State& state, const Position& at) const {
  std::vector<Requirement> all;
  for (PassId id = state.passes; id.valid(); id = passes_[id].before) {
    const Pass& pass = passes_[id];
    const bool is_known = std::ranges::any_of(all, [&](const Requirement& r) { return r.condition == pass.condition; });
    if (pass.who == A && !is_known && still_holds(at, pass)) all.push_back({pass.condition, pass.yes});
  }
  std::erase_if(all, [&](const Requirement& r) { return in_.values()[r.condition].local; });
  if (all.empty()) return false;
  const RankCondition condition(in_.values(), in_.index(),
                                [&](ValueId term) { return state.shared.decide(in_.values(), term); });
  const std::optional<RanksWhere> ranks = condition.ranks_where(all);
  const auto is_one = [&](const RanksWhere::Part& part) {
    const bool of_job = part.variable.axes.valid() && in_.values().axes(part.variable.axes).world;
    return of_job && !part.set.complement && !part.set.parity &&
           part.set.from_start.size() + part.set.from_end.size() == 1;
  };
  return ranks && !ranks->any && std::ranges::any_of(ranks->parts, is_one);
}

std::optional<RanksWhere> Lockstep::ranks_of(const State& state, Who who) const {
  if (state.divergence->local) return std::nullopt;
  std::vector<Requirement> all;
  for (const Pass& pass : decided_by(state, who)) all.push_back({pass.condition, pass.yes});
  const RankCondition condition(in_.values(), in_.index(),
                                [&](ValueId term) { return state.shared.decide(in_.values(), term); });
  std::optional<RanksWhere> ranks = condition.ranks_where(all);
  return ranks && is_among(*ranks, who) ? ranks : std::nullopt;
}

// Whether the rank that stands for the class is one of these.
bool Lockstep::is_among(const RanksWhere& ranks, Who who) const {
  const ValueStore& values = in_.values();
  Scenario& scenario = this->scenario(who);
  const auto is_in = [&](const RanksWhere::Part& part) {
    if (part.variable.group.valid()) return true;
    int64_t size = 0;
    const AxisSet& axes = values.axes(part.variable.axes);
    const ValueId of_group = in_.values().leaf(ValueKind::Size, part.variable.axes.index);
    return values.integer_of(scenario.residual(of_group), size) &&
           part.set.contains(static_cast<uint32_t>(scenario.coordinate(axes)), static_cast<uint32_t>(size));
  };
  return ranks.any ? std::ranges::any_of(ranks.parts, is_in) : std::ranges::all_of(ranks.parts, is_in);
}

// Whether every rank is in one of the two and none in both.
bool Lockstep::are_all_others(const State& state, const RanksWhere& a, const RanksWhere& b) const {
  const std::vector<Pass> of_a = decided_by(state, A), of_b = decided_by(state, B);
  if (of_a.size() == 1 && of_b.size() == 1) return true;
  if (a.parts.size() != 1 || b.parts.size() != 1 || a.parts[0].variable != b.parts[0].variable) return false;
  for (uint32_t size = 1; size <= 64; ++size)
    for (uint32_t number = 0; number < size; ++number)
      if (a.parts[0].set.contains(number, size) == b.parts[0].set.contains(number, size)) return false;
  return true;
}

namespace {

// How many words a set takes: of two that are each other's rest the shorter one is named.
size_t weight(const RankSet& set) {
  return set.parity ? 0 : 2 * (set.from_start.size() + set.from_end.size()) + set.complement;
}

RankNumbering numbering_of(const ProjectIndex& index, const ValueStore& values, const RankVariable& variable) {
  if (variable.group.valid()) return {"rank", " in its group"};
  const AxisSet& axes = values.axes(variable.axes);
  const bool is_one = axes.axes.size() == 1;
  // A node, and a rank of it: a rank of all.
  if (axes.world || axes.empty() || (axes.axes.size() == 2 && axes.has(AxisKind::Local) && axes.has(AxisKind::Node)))
    return {};
  if (axes.has(AxisKind::UnknownGroup) || (is_one && !axes.axes[0].name.valid())) return {"rank", " in its group"};
  const std::string name = describe(axes, index.names());
  return {(is_one && (axes.has(AxisKind::Local) || axes.has(AxisKind::Node)) ? name : "`" + name + "`") + " rank", ""};
}

// `items[rank::2]` of `item in items[rank::2]`, and of `auto item : items` the items; empty: the loop tests a
// condition.
std::string_view iterated_in(std::string_view head) {
  for (const std::string_view mark : {" in ", " : "})
    if (const size_t at = head.find(mark); at != head.npos) return head.substr(at + mark.size());
  return {};
}

// By the loop that they go round another number of times, as its source writes it.
RankName name_by_rounds(const ir::Terminator& loop, const ir::Quote* quote, bool more) {
  const std::string count = more ? "more" : "fewer", briefly = "ranks with " + count + " rounds";
  if (!quote) return {briefly, true};
  const std::string_view iterated =
      loop.kind == ir::TerminatorKind::Iterate ? iterated_in(quote->text) : std::string_view();
  return {iterated.empty() ? "ranks where `" + quote->text + "` holds for " + count + " rounds"
                           : "ranks where `" + std::string(iterated) + "` has " + count + " elements",
          true, briefly};
}

RankName beside(const RankName& name) { return name.beside.empty() ? name : RankName{name.beside, true}; }

std::optional<RankName> words_for(const ProjectIndex& index, const ValueStore& values, const RanksWhere& ranks) {
  std::string in_groups;
  std::optional<RankName> among_all;
  for (const RanksWhere::Part& part : ranks.parts) {
    const RankNumbering numbering = numbering_of(index, values, part.variable);
    if (numbering.among_all() && among_all) return std::nullopt;  // a node and a rank of it, and the rank
    const std::optional<std::string> words = numbering.among_all() ? std::string() : numbered(part.set, numbering);
    if (!words) return std::nullopt;
    if (!numbering.among_all())
      in_groups += (in_groups.empty() ? "" : ranks.any ? " or " : " and ") + *words;
    else if (among_all = name_of(part.set); !among_all)
      return std::nullopt;
  }
  if (in_groups.empty()) return among_all;
  if (!among_all) return RankName{"ranks with " + in_groups, true};
  const std::string rest = (ranks.any ? " and ranks with " : " with ") + in_groups;
  return RankName{among_all->text + rest, ranks.any || among_all->is_plural,
                  among_all->beside.empty() ? "" : among_all->beside + rest};
}

}  // namespace

// "`rank >= n // 2` is true and `fast` is false"; empty where the source does not say it, or says too much.
std::string Lockstep::conditions_of(const State& state, Who who) const {
  const std::vector<Pass> all = decided_by(state, who);
  if (all.size() > 2) return {};
  std::string text;
  for (const Pass& pass : all) {
    const FunctionKey function = frames_[pass.at.frame].summary->function;
    const ir::Quote* quote = in_.index().quote(function, pass.range);
    if (!quote) return {};
    const bool is_clause = all.size() == 1 && pass.yes && quote->is_relation;
    text += (text.empty() ? "`" : " and `") + quote->text + "`" +
            (is_clause  ? ""
             : pass.yes ? " is true"
                        : " is false");
  }
  return text;
}

RankName Lockstep::name_from_code(const State& state, Who who) const {
  const Divergence& divergence = *state.divergence;
  if (divergence.loop)
    return name_by_rounds(code(divergence.at.frame).blocks[divergence.at.block].terminator,
                          in_.index().quote(frames_[divergence.at.frame].summary->function, divergence.range),
                          divergence.took_first == who);
  const std::string conditions = conditions_of(state, who);
  return conditions.empty() ? RankName{} : RankName{"ranks where " + conditions, true};
}

// "rank 0 of `comm`", where that is the group whose sequence is broken.
std::optional<RankName> Lockstep::name_in_group(const RanksWhere& ranks) const {
  if (ranks.parts.size() != 1 || !ranks.parts[0].variable.group.valid()) return std::nullopt;
  const std::optional<AxisSet> group = in_.resolve_group(ranks.parts[0].variable.group, Unknown::FreshAxis);
  const bool is_named = group && group->axes.size() == 1 && group->axes[0].name.valid();
  std::optional<RankName> name = is_named && *group == frames_.group() ? name_of(ranks.parts[0].set) : std::nullopt;
  if (!name) return name;
  const std::string of_group = " of `" + describe(*group, in_.index().names()) + "`";
  name->text += of_group;
  if (!name->beside.empty()) name->beside += of_group;
  return name;
}

void Lockstep::name_classes(const State& state, Arrival& a, Arrival& b) const {
  static const RankName kOthers{"the other ranks", true};
  const std::optional<RanksWhere> of_a = ranks_of(state, A), of_b = ranks_of(state, B);
  const auto words = [&](const std::optional<RanksWhere>& ranks) -> std::optional<RankName> {
    if (!ranks) return std::nullopt;
    const std::optional<RankName> in_group = name_in_group(*ranks);
    return in_group ? in_group : words_for(in_.index(), in_.values(), *ranks);
  };
  const std::optional<RankName> name_a = words(of_a), name_b = words(of_b);
  a.ranks = name_a ? *name_a : name_from_code(state, A);
  b.ranks = name_b ? *name_b : name_from_code(state, B);
  a.by_rounds = b.by_rounds = state.divergence->loop && !(name_a && name_b);
  a.beside = beside(a.ranks);
  b.beside = beside(b.ranks);
  if (a.ranks == b.ranks) a.beside = b.beside = {"other ranks", true};
  const bool by_one = decided_by(state, A).size() == 1 && decided_by(state, B).size() == 1 && !state.divergence->loop;
  if (!(of_a && of_b ? are_all_others(state, *of_a, *of_b) : by_one)) return;
  const auto cost = [&](const std::optional<RanksWhere>& ranks, const std::optional<RankName>& name) -> size_t {
    return !ranks || !name ? 1000 : ranks->parts.size() == 1 ? weight(ranks->parts[0].set) : 900 + ranks->any;
  };
  // Even and odd ranks have a name each.
  const size_t cost_a = cost(of_a, name_a), cost_b = cost(of_b, name_b);
  if (cost_a == 0 && cost_b == 0) return;
  if (cost_a >= cost_b) a.beside = kOthers;
  if (cost_b >= cost_a) b.beside = kOthers;
}

}  // namespace ranklint
