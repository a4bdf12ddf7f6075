// In a causal ring a rank has nothing to compute in some steps, and the tempting `if step <= rank:` around the kernel
// takes the exchange with it. The neighbour has its own number and still waits. So an exchange counts, a batch of
// transfers or a function that makes one, under a comparison between the step of a loop and the rank, with no exchange
// on the other side.
#include <algorithm>
#include <set>

#include "analyzer/questions/rank_guard.h"
#include "analyzer/summary/is_call.h"
#include "rules/replay_templates.h"
#include "rules/wording.h"

namespace ranklint::ring_skips_transfer {

constexpr RuleInfo kInfo{.id = "ring-skips-transfer",
                         .code = "RL605",
                         .summary = "a rank leaves out the exchange with its neighbours together with the computation",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "the ring has more than one rank"};

namespace {

struct SkippedExchange {
  FunctionKey function;
  SourceRange exchanged_at;
  SourceRange diverge_at;
};

class SkippedExchanges {
 public:
  explicit SkippedExchanges(const Query& in) : in_(in), values_(in.values()), index_(in.index()) {}

  std::vector<SkippedExchange> run() {
    // Of all functions: one that is checked may call one that is not.
    for (FunctionKey f{0}; f.index < index_.functions().size(); ++f.index)
      if (const Summary* s = in_.summary(f); s && s->transfers) note_batches(*s);
    if (batching_.empty()) return {};
    in_.for_each_function_to_check("skipped exchanges", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      if (s && s->transfers) find_skipped(*s);
    });
    return std::move(found_);
  }

 private:
  template <typename Do>
  void for_each_step(const Summary& s, Do what) const {
    for (const ir::BlockId b : s.graph().order())
      for (const auto* steps : {&s.blocks[b.index].steps, &s.blocks[b.index].point_to_point})
        for (const Step& step : *steps) what(b, step);
  }

  void note_batches(const Summary& s) {
    for_each_step(s, [&](ir::BlockId, const Step& step) {
      if (moves_batch(step)) batching_.insert(s.function);
    });
  }

  void find_skipped(const Summary& s) {
    std::vector<std::pair<RankSide, SourceRange>> exchanges;
    for_each_step(s, [&](ir::BlockId block, const Step& step) {
      if (is_exchange(step)) exchanges.emplace_back(rank_side_of(in_, s, block), step.range);
    });
    for (const auto& [ranks, range] : exchanges) {
      if (!ranks.branch.valid() || !compares_step_with_rank(s.blocks[ranks.branch.index].condition)) continue;
      const RankSide others{ranks.branch, !ranks.holds};
      if (std::any_of(exchanges.begin(), exchanges.end(), [&](const auto& e) { return e.first == others; })) continue;
      const SourceRange guard = index_.function(s.function).blocks[ranks.branch].terminator.range;
      found_.push_back({.function = s.function, .exchanged_at = range, .diverge_at = guard});
      return;
    }
  }

  bool moves_batch(const Step& step) const {
    return step.transfer && in_.roles().play(step.transfer->name, Role::MovesDescribed);
  }

  bool is_exchange(const Step& step) const {
    if (!is_call(step)) return moves_batch(step);
    return std::ranges::any_of(in_.targets(step.call.callee),
                               [&](const Target& target) { return batching_.contains(target.function); });
  }

  // `step <= rank`, also as a part of a longer condition.
  bool compares_step_with_rank(ValueId condition) {
    if (!condition.valid() || values_[condition].local || values_.variance(condition).empty()) return false;
    return values_
        .find_part(condition,
                   [&](ValueId part) {
                     const Value& v = values_[part];
                     if (v.kind != ValueKind::Binary || !is_order(v.op)) return false;
                     const ValueId left = values_.child(part, 0), right = values_.child(part, 1);
                     return (is_step(left) && is_rank(right)) || (is_rank(left) && is_step(right));
                   })
        .valid();
  }

  bool is_step(ValueId v) {
    if (!values_.variance(v).empty()) return false;
    return values_
        .find_part(v,
                   [&](ValueId part) {
                     return values_[part].kind == ValueKind::Element || values_[part].kind == ValueKind::LoopPhi;
                   })
        .valid();
  }

  bool is_rank(ValueId v) { return !values_.variance(v).empty() && !values_[v].local; }

  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  std::set<FunctionKey> batching_;  // make a batch of transfers themselves
  std::vector<SkippedExchange> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const SkippedExchange& skipped : SkippedExchanges(in).run()) {
    if (!is_reported(shared, skipped.function)) continue;
    Finding finding = finding_at(kInfo, shared, skipped.function, skipped.exchanged_at, Confidence::Likely);
    finding.message =
        "ranks that this step is not for leave out the exchange: their neighbours, which have other numbers, wait for "
        "them";
    finding.related.push_back({location_at(shared, skipped.function, skipped.diverge_at), "ranks diverge here"});
    finding.help = "make the exchange in every step on every rank, and put only the computation under the condition";
    finding.replay = replay_templates::unanswered({.op = "send", .at = finding.primary});
    finding.fingerprint_key = "exchange";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find};

}  // namespace ranklint::ring_skips_transfer
