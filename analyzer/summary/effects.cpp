#include "analyzer/summary/effects.h"

#include <algorithm>

namespace ranklint {
namespace {

constexpr int kMostRounds = 12;
constexpr size_t kMostGroups = 24;

struct CallSite {
  uint32_t block = 0;
  const Step* step = nullptr;
  std::vector<Target> targets;
};

class Effects {
 public:
  explicit Effects(Interpreter& in) : in_(in), values_(in.values()), count_(static_cast<uint32_t>(in.index().functions().size())) {}

  void run() {
    for (uint32_t f = 0; f < count_; ++f) in_.summary(FunctionKey{f});
    sites_.resize(count_);
    for (uint32_t f = 0; f < count_; ++f) collect(f);
    spread();
    for (int round = 0; round < kMostRounds; ++round) {
      bool changed = false;
      for (uint32_t f = 0; f < count_; ++f) changed |= update(f);
      if (!changed) break;
    }
    for (uint32_t f = 0; f < count_; ++f) prune(f);
  }

 private:
  Summary& of(uint32_t f) { return *in_.finished(FunctionKey{f}); }

  void collect(uint32_t f) {
    Summary& s = of(f);
    s.communicates = false;
    for (uint32_t b = 0; b < s.blocks.size(); ++b)
      for (const Step& step : s.blocks[b].steps) {
        if (step.event) s.communicates = true;
        if (step.event || step.leaves || step.yields) continue;
        CallSite site{b, &step, in_.targets(step.call.callee)};
        const Value& callee = values_[step.call.callee];
        if (callee.kind == ValueKind::Parameter && callee.a == f && callee.b < 32) s.calls_parameters |= 1u << callee.b;
        sites_[f].push_back(std::move(site));
      }
  }

  // Who communicates at all, backwards along calls: most functions do not, and nothing more is asked of them.
  void spread() {
    std::vector<std::vector<uint32_t>> callers(count_);
    std::vector<uint32_t> work;
    for (uint32_t f = 0; f < count_; ++f) {
      for (const CallSite& site : sites_[f])
        for (const Target& target : site.targets) callers[target.function.index].push_back(f);
      if (of(f).communicates) work.push_back(f);
    }
    while (!work.empty()) {
      const uint32_t f = work.back();
      work.pop_back();
      for (uint32_t caller : callers[f])
        if (!of(caller).communicates) {
          of(caller).communicates = true;
          work.push_back(caller);
        }
    }
  }

  bool add_group(Summary& s, ValueId group) {
    if (s.groups.size() >= kMostGroups || std::find(s.groups.begin(), s.groups.end(), group) != s.groups.end()) return false;
    s.groups.push_back(group);
    return true;
  }

  bool handed_over(Summary& s, uint32_t f, ValueId callee) {
    bool changed = false;
    const Value& v = values_[callee];
    if (v.kind == ValueKind::Parameter && v.a == f && v.b < 32 && !(s.calls_parameters >> v.b & 1)) {
      s.calls_parameters |= 1u << v.b;
      changed = true;
    }
    for (const Target& target : in_.targets(callee)) {
      const Summary& inner = of(target.function.index);
      if (!inner.communicates) continue;
      changed |= !s.communicates;
      s.communicates = true;
      const std::vector<ValueId> groups = inner.groups;  // it may be the list that grows
      for (ValueId group : groups)
        if (values_[group].closed) changed |= add_group(s, group);
    }
    return changed;
  }

  bool update(uint32_t f) {
    Summary& s = of(f);
    bool changed = false;
    auto diverge = [&](ValueId v) {
      if (!v.valid() || !values_.diverges(v)) return;
      changed |= !s.has_divergence || (values_[v].local && !s.has_local_divergence);
      s.has_divergence = true;
      s.has_local_divergence |= values_[v].local;
      const AxisSet before = s.divergence;
      s.divergence.add(values_.variance(v));
      changed |= !(before == s.divergence);
    };
    // A tensor's sizes part no branch, but the operations that it is given to.
    auto diverge_by_shape = [&](ValueId v) {
      std::vector<ValueId> work{v};
      while (!work.empty()) {
        const ValueId next = work.back();
        work.pop_back();
        if (!next.valid() || !values_.shape_diverges(next)) continue;
        diverge(next);
        if (!values_.diverges(next)) work.insert(work.end(), values_.children(next).begin(), values_.children(next).end());
      }
    };
    if (s.communicates)
      for (const BlockSteps& block : s.blocks) {
        for (const Step& step : block.steps) {
          if (!step.event) continue;
          changed |= add_group(s, step.event->group);
          diverge(step.event->ranks);
          diverge(step.event->root);
          diverge(in_.argument(step.call, step.event->model->reduce_op));
          if (step.event->model->same_shape) diverge_by_shape(in_.argument(step.call, sized_argument(*step.event->model)));
        }
        diverge(block.condition);
      }
    for (const CallSite& site : sites_[f])
      for (const Target& target : site.targets) {
        const Summary& callee = of(target.function.index);
        if (!callee.communicates && !callee.calls_parameters) continue;
        const Binding binding = in_.bind(target, site.step->call, 0);
        for (uint32_t p = 0; p < binding.parameters.size() && p < 32; ++p)
          if (callee.calls_parameters >> p & 1) changed |= handed_over(s, f, binding.parameters[p]);
        if (!callee.communicates) continue;
        diverge(target.guard);
        for (ValueId parameter : binding.parameters) diverge_by_shape(parameter);
        if (callee.has_divergence) {
          const AxisSet before = s.divergence;
          s.divergence.add(callee.divergence);
          changed |= !s.has_divergence || (callee.has_local_divergence && !s.has_local_divergence) || !(before == s.divergence);
          s.has_divergence = true;
          s.has_local_divergence |= callee.has_local_divergence;
        }
        const std::vector<ValueId> groups = callee.groups;  // a function may call itself
        for (ValueId group : groups) changed |= add_group(s, group.valid() ? in_.instantiate(group, binding) : group);
      }
    return changed;
  }

  void prune(uint32_t f) {
    Summary& s = of(f);
    s.block_relevant.assign(s.blocks.size(), false);
    std::vector<const Step*> kept;
    for (const CallSite& site : sites_[f]) {
      bool matters = values_[site.step->call.callee].kind == ValueKind::Parameter || values_[site.step->call.callee].kind == ValueKind::Free;
      for (const Target& target : site.targets) {
        const Summary& callee = of(target.function.index);
        matters |= callee.communicates || callee.calls_parameters;
      }
      if (matters) kept.push_back(site.step);
    }
    for (uint32_t b = 0; b < s.blocks.size(); ++b) {
      auto& steps = s.blocks[b].steps;
      std::vector<Step> left;
      for (Step& step : steps) {
        const bool call = !step.event && !step.leaves && !step.yields;
        if (call && std::find(kept.begin(), kept.end(), &step) == kept.end()) continue;
        s.block_relevant[b] = s.block_relevant[b] || step.event || call;
        left.push_back(std::move(step));
      }
      steps = std::move(left);
    }
  }

  Interpreter& in_;
  ValueStore& values_;
  uint32_t count_;
  std::vector<std::vector<CallSite>> sites_;
};

}  // namespace

void complete_effects(Interpreter& interpreter) { Effects(interpreter).run(); }

}  // namespace ranklint
