// Both ranks at one branch: its condition for each, and how they go on: together, or each on its own side.
#include <set>

#include "analyzer/execution/rounds.h"
#include "analyzer/product/lockstep.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

using Truth = ValueStore::Truth;

// That are made before one branch is asked.
static constexpr int kMostChoices = 2;

// What one rank has after a change, where the other still has the old value: `stop` that is still as it was, or has
// been made true. Nothing: it is not that, or not one truth.
static std::optional<bool> changed_to(const ValueStore& values, ValueId changed, ValueId kept) {
  std::vector<ValueId> work{changed};
  std::set<ValueId> seen;
  std::optional<bool> truth;
  bool has_kept = false;
  while (!work.empty()) {
    const ValueId v = work.back();
    work.pop_back();
    if (!seen.insert(v).second || seen.size() > ValueStore::kManyLeaves) continue;
    const Value& value = values[v];
    if (v == kept) {
      has_kept = true;
    } else if (value.kind == ValueKind::LoopPhi || value.kind == ValueKind::Conditional) {
      const auto ends = values.children(v).subspan(value.kind == ValueKind::Conditional ? 1 : 0);
      work.insert(work.end(), ends.begin(), ends.end());
    } else {
      // `stop = bad or stop`, which is how `if bad: stop = True` reads.
      const bool joins = value.kind == ValueKind::Or || value.kind == ValueKind::And;
      for (ValueId part : values.children(v).first(joins ? value.child_count : 0))
        if (has_part(values, part, kept)) work.push_back(part);
      const Truth t = joins ? (value.kind == ValueKind::Or ? Truth::Yes : Truth::No) : values.truth(v);
      if (t == Truth::Unknown || (truth && *truth != (t == Truth::Yes))) return std::nullopt;
      truth = t == Truth::Yes;
    }
  }
  return has_kept ? truth : std::nullopt;
}

// `bad >= patience` where one rank has counted and the other has still what it began with: the same is asked of both
// with the same limit, so that what the one comes to says nothing of the other.
static bool tests_one_sided_change(const ValueStore& values, ValueId of_a, ValueId of_b) {
  using ir::Operator;
  const Value &a = values[of_a], &b = values[of_b];
  if (a.kind != ValueKind::Binary || b.kind != ValueKind::Binary || a.op != b.op) return false;
  if (a.op != Operator::Less && a.op != Operator::LessEqual && a.op != Operator::Greater &&
      a.op != Operator::GreaterEqual)
    return false;
  for (const size_t asked : {0U, 1U}) {
    const ValueId limit = values.child(of_a, 1 - asked);
    if (limit != values.child(of_b, 1 - asked) || values.diverges(limit)) continue;
    const ValueId x = values.child(of_a, asked), y = values.child(of_b, asked);
    const auto holds = [&](ValueId whole, ValueId part) { return whole != part && has_part(values, whole, part); };
    return values.is_constant(x) != values.is_constant(y) || holds(x, y) || holds(y, x);
  }
  return false;
}

// A choice that both make alike and have not made yet, and on one side of which they see the same, on the other not.
ValueId Lockstep::choice_in(const State& state, ValueId asked) const {
  const ValueStore& values = in_.values();
  ValueId choice;
  values.find_part(asked, [&](ValueId v) {
    if (values[v].kind != ValueKind::Conditional || values.diverges(values.child(v, 0)) ||
        values.diverges(values.child(v, 1)) == values.diverges(values.child(v, 2)))
      return false;
    const ValueId left = scenario(A).residual(values.child(v, 0));
    const bool is_open = left == scenario(B).residual(values.child(v, 0)) && decide(state, A, left) == Truth::Unknown;
    if (is_open) choice = left;
    return is_open;
  });
  return choice;
}

void Lockstep::branch_converged(State state, const Transition& question, int choices) {
  ValueStore& values = in_.values();
  const ValueId condition = question.condition;
  const ValueId asked = values.diverges(condition) ? state.shared.simplify(values, condition) : condition;
  const bool may_choose = choices < kMostChoices && values.diverges(asked);
  if (const ValueId choice = may_choose ? choice_in(state, asked) : ValueId{}; choice.valid()) {
    for (const bool yes : {true, false}) {
      State next = state;
      next.shared.assume(values, choice, yes);
      branch_converged(std::move(next), question, choices + 1);
    }
    return;
  }
  Question q{state, condition, question.range, question.is_loop};
  q.asked[A] = state.shared.undecided_part(values, scenario(A).residual(asked));
  q.asked[B] = state.shared.undecided_part(values, scenario(B).residual(asked));
  q.answer[A] = decide(state, A, q.asked[A]);
  q.answer[B] = decide(state, B, q.asked[B]);
  if (q.loop) answer_by_count(state, q);
  // Two loops that turn as often as each other are one decision.
  if (q.loop && turn_alike(q.asked)) q.asked[B] = q.asked[A];
  if (q.answer[A] != Truth::Unknown && q.answer[B] != Truth::Unknown) {
    const bool a_yes = q.answer[A] == Truth::Yes, b_yes = q.answer[B] == Truth::Yes;
    return a_yes == b_yes ? go_together(state, q, a_yes, {}) : go_apart(q, a_yes, b_yes, {.local = after_failure_});
  }
  const bool local = values[q.asked[A]].local || values[q.asked[B]].local;
  const bool diverges_by_local = local && by_local_ && !after_failure_;
  if (!diverges_by_local && q.loop && enter_loop_together(state, q.asked[A] == q.asked[B] ? q.asked[A] : ValueId{}))
    return;
  // `exists and rank == 0`: whatever the one sees there, the other does not ask.
  const bool one_is_decided = q.answer[A] != q.answer[B] && !by_local_ && !after_failure_;
  if ((local && !one_is_decided) || q.asked[A] == q.asked[B]) {
    for (const bool yes : {true, false}) go_together(state, q, yes, q.asked[A]);
    if (diverges_by_local && !only_one_rank_comes(state, state[A].at))
      for (const bool a_yes : {true, false}) go_apart(q, a_yes, !a_yes, {.local = true});
    return;
  }
  if (q.answer[A] != Truth::Unknown || q.answer[B] != Truth::Unknown) return answer_for_one(q);
  // In a loop over one of two lists the one that was chosen is asked about, and not the choice.
  if (values[q.loop ? asked : condition].exact) return answer_for_both(q);
  answer_what_is_not_exact(q);
}

void Lockstep::answer_by_count(const State& state, Question& q) const {
  for (const Who who : {A, B}) {
    if (q.answer[who] == Truth::Unknown) q.answer[who] = execution_.another_round(state[who], q.asked[who]);
    if (q.asked[A] != q.asked[B] && goes_over_nothing(in_.values(), in_.index(), q.asked[who]))
      q.answer[who] = Truth::No;
  }
}

// Whether both loops turn, and equally often, as far as that is known.
bool Lockstep::turn_alike(const Two<ValueId>& more) const {
  const auto a = constant_turns(in_.values(), in_.index(), more.a),
             b = constant_turns(in_.values(), in_.index(), more.b);
  return a && a == b;
}

void Lockstep::go_together(State next, const Question& q, bool yes, ValueId learned) {
  if (learned.valid() && !q.loop) next.shared.assume(in_.values(), learned, yes);
  if (learned.valid()) note_decision(next, kBoth, Decision::Kind::Side, next[A].at, yes ? 0 : 1);
  if (!q.loop)
    for (const Who who : {A, B}) note_pass(next, who, q.condition, yes);
  go(next, A, yes ? 0 : 1);
  go(next, B, yes ? 0 : 1);
  push(std::move(next));
}

void Lockstep::go_apart(const Question& q, bool a_yes, bool b_yes, Apart how) {
  ValueStore& values = in_.values();
  State next = q.state;
  const ValueId written = frames_[q.state[A].at.frame].summary->blocks[q.state[A].at.block.index].condition;
  diverge(next, q.range, q.condition, written, q.loop, how.local, how.one_sided);
  if (q.answer[A] == Truth::Unknown) note_decision(next, A, Decision::Kind::Side, next[A].at, a_yes ? 0 : 1);
  if (q.answer[B] == Truth::Unknown) note_decision(next, B, Decision::Kind::Side, next[B].at, b_yes ? 0 : 1);
  next.divergence->took_first = a_yes ? A : B;
  if (how.local) {
    choose_alone(next, A, q.asked[A], a_yes);
    choose_alone(next, B, q.asked[B], b_yes);
  } else {
    if (q.answer[A] == Truth::Unknown) next.shared.assume(values, q.asked[A], a_yes);
    if (q.answer[B] == Truth::Unknown) next.shared.assume(values, q.asked[B], b_yes);
  }
  using enum PathStep::Outcome;
  const auto decision = [&](bool yes) { return q.loop ? yes ? NextRound : Done : yes ? True : False; };
  note(next, A, PathStep::Kind::Branch, q.state[A].at.frame, q.range, decision(a_yes));
  note(next, B, PathStep::Kind::Branch, q.state[A].at.frame, q.range, decision(b_yes));
  go(next, A, a_yes ? 0 : 1);
  go(next, B, b_yes ? 0 : 1);
  for (const Who who : {A, B}) next.divergence->side[who] = next[who].at.block;
  next.divergence->taken = next.shared;
  next.divergence->decided = q.answer[A] != Truth::Unknown && q.answer[B] != Truth::Unknown;
  push(std::move(next));
}

// Two unknown things at one place: taken for one decision, unless one of them was made out of the other.
void Lockstep::answer_what_is_not_exact(const Question& q) {
  ValueStore& values = in_.values();
  for (const bool yes : {true, false}) {
    State next = q.state;
    if (!q.loop) next.shared.assume(values, q.asked[B], yes);
    go_together(std::move(next), q, yes, q.asked[A]);
  }
  if (tests_one_sided_change(values, q.asked[A], q.asked[B]))
    for (const bool a_yes : {true, false}) go_apart(q, a_yes, !a_yes, {.one_sided = true});
  else if (const std::optional<bool> of_a = changed_to(values, q.asked[A], q.asked[B]))
    go_apart(q, *of_a, !*of_a, {.one_sided = true});
  else if (const std::optional<bool> of_b = changed_to(values, q.asked[B], q.asked[A]))
    go_apart(q, !*of_b, *of_b, {.one_sided = true});
}

// A choice for each, as far as the one's leaves the other's open. Where they come by again it is as it was chosen here.
void Lockstep::answer_for_both(const Question& q) {
  ValueStore& values = in_.values();
  constexpr std::pair<bool, bool> kAnswers[] = {{false, false}, {true, true}, {true, false}, {false, true}};
  for (const auto& [a_yes, b_yes] : kAnswers) {
    State trial = q.state;
    trial.shared.assume(values, q.asked[A], a_yes);
    const Truth implied = trial.shared.decide(values, q.asked[B]);
    if ((a_yes || b_yes) && implied != Truth::Unknown && (implied == Truth::Yes) != b_yes) continue;
    if (a_yes != b_yes) {
      go_apart(q, a_yes, b_yes);
      continue;
    }
    State next = q.state;
    if (!q.loop && implied == Truth::Unknown) next.shared.assume(values, q.asked[B], b_yes);
    go_together(std::move(next), q, a_yes, q.asked[A]);
  }
}

// Decided for one rank, a choice for the other.
void Lockstep::answer_for_one(const Question& q) {
  ValueStore& values = in_.values();
  const bool a_is_open = q.answer[A] == Truth::Unknown;
  const bool decided_yes = (a_is_open ? q.answer[B] : q.answer[A]) == Truth::Yes;
  const ValueId open = a_is_open ? q.asked[A] : q.asked[B];
  State next = q.state;
  if (!q.loop) next.shared.assume(values, open, decided_yes);
  note_decision(next, a_is_open ? A : B, Decision::Kind::Side, next[A].at, decided_yes ? 0 : 1);
  go_together(std::move(next), q, decided_yes, {});
  // One has made something, and the other has what it was given: that is hardly nothing.
  const Value& v = values[open];
  const bool tests_for_none = v.kind == ValueKind::Binary && (v.op == ir::Operator::Is || v.op == ir::Operator::IsNot);
  if (tests_for_none && decided_yes == (v.op == ir::Operator::IsNot) && !v.local) return;
  go_apart(q, a_is_open ? !decided_yes : decided_yes, a_is_open ? decided_yes : !decided_yes,
           {.one_sided = !values[q.condition].exact});
}

// Into a loop, or past it where it has no rounds: over one thing that is one decision, however many loops there are.
// False: it is no such loop, or they arrive by its back edge.
bool Lockstep::enter_loop_together(const State& state, ValueId more) {
  if (!state[A].at.entering || !more.valid() || in_.values()[more].local) return false;
  const Truth known = first_round(state, A, more);
  for (const bool yes : {true, false}) {
    if (known == (yes ? Truth::No : Truth::Yes)) continue;
    State next = state;
    next.loops.assume(in_.values(), more, yes);
    note_decision(next, kBoth, Decision::Kind::Side, next[A].at, yes ? 0 : 1);
    go(next, A, yes ? 0 : 1);
    go(next, B, yes ? 0 : 1);
    push(std::move(next));
  }
  return true;
}

}  // namespace ranklint
