#include "analyzer/interp/effects.h"

#include <algorithm>
#include <functional>
#include <set>

#include "analyzer/interp/endings.h"
#include "analyzer/summary/constructors.h"
#include "analyzer/summary/is_call.h"
#include "analyzer/summary/raises.h"

namespace ranklint {
namespace {

constexpr int kMostRoundsOfEffects = 12;
constexpr size_t kMostGroupsKept = 24;
constexpr int kDeepestHandOver = 4;

class Effects {
 public:
  explicit Effects(Interpreter& maker)
      : maker_(maker), in_(maker.query()), values_(in_.values()), wanted_(in_.functions_to_check()) {}

  void run() {
    for (const FunctionKey f : wanted_) in_.summary(f);
    sites_.resize(wanted_.last);
    for_each(wanted_, "calls", [&](uint32_t f) { collect(f); });
    maker_.note_ways(sites_);
    spread();
    updated_at_.resize(wanted_.last, 0);
    changed_at_.resize(wanted_.last, 0);
    read_by_.resize(wanted_.last);
    const std::vector<FunctionKey> order = callees_first();
    for (int round = 0; round < kMostRoundsOfEffects; ++round) {
      bool changed = false;
      for_each(order, "effects", [&](uint32_t f) {
        if (is_out_of_date(f)) changed |= update_now(f);
      });
      if (!changed) break;
    }
    Endings endings(maker_, sites_);
    endings.find();
    for_each(wanted_, "steps that matter", [&](uint32_t f) { prune(f, endings); });
  }

 private:
  // Nothing is known any more of a function in which a bug showed half-way: others rely on what is left of it being
  // whole.
  template <typename Functions>
  void for_each(const Functions& functions, std::string_view stage, const std::function<void(uint32_t)>& body) {
    for (const FunctionKey f : functions) {
      if (in_.is_stopped()) return;
      if (in_.contain(f, stage, [&] { body(f.index); })) continue;
      sites_[f.index].clear();
      maker_.give_up(f);
    }
  }

  // Of functions that call each other in a circle, the one that comes first is the last of them.
  std::vector<FunctionKey> callees_first() const {
    struct Visited {
      uint32_t f;
      size_t site = 0, target = 0;  // the next one to be looked at
    };
    std::vector<FunctionKey> order;
    std::vector<bool> seen(wanted_.last);
    std::vector<Visited> way;
    const auto visit = [&](FunctionKey f) {
      if (!wanted_.contains(f) || seen[f.index]) return;
      seen[f.index] = true;
      way.push_back({f.index});
    };
    for (const FunctionKey f : wanted_) {
      visit(f);
      while (!way.empty()) {
        Visited& at = way.back();
        const CompactVector<SummarySite>& sites = sites_[at.f];
        if (at.site == sites.size()) {
          order.push_back(FunctionKey{at.f});
          way.pop_back();
        } else if (at.target == sites[at.site].targets.size()) {
          ++at.site;
          at.target = 0;
        } else {
          visit(sites[at.site].targets[at.target++].function);
        }
      }
    }
    return order;
  }

  Summary& of(uint32_t f) { return *maker_.unfinished(FunctionKey{f}); }

  // What an update reads of another function's summary is written down: it comes to nothing new until one of them is
  // another. Of an edit nearly all are as they were.
  const Summary& read(uint32_t f) {
    CompactVector<uint32_t>& read = read_by_[reader_];
    if (wanted_.contains(FunctionKey{f}) && f != reader_)
      if (const auto place = std::ranges::lower_bound(read, f); place == read.end() || *place != f)
        read.insert(place, f);
    return of(f);
  }

  bool is_out_of_date(uint32_t f) const {
    const auto has_changed = [&](uint32_t g) { return changed_at_[g] >= updated_at_[f]; };
    return updated_at_[f] == 0 || has_changed(f) || std::ranges::any_of(read_by_[f], has_changed);
  }

  bool update_now(uint32_t f) {
    reader_ = f;
    updated_at_[f] = ++now_;
    const bool changed = update(f);
    if (changed) changed_at_[f] = now_;
    return changed;
  }

  void collect(uint32_t f) {
    Summary& s = of(f);
    s.communicates = s.transfers = false;
    for (const BlockSteps& block : s.blocks)
      s.transfers |=
          std::ranges::any_of(block.point_to_point, [](const Step& step) { return step.transfer != nullptr; });
    for (uint32_t b = 0; b < s.blocks.size(); ++b)
      for (const Step& step : s.blocks[b].steps) {
        if (step.event) s.communicates = true;
        if (is_call(step)) depends_on_caller(s, f, step.call.callee);
      }
    collect_calls(f);
  }

  void collect_calls(uint32_t f) {
    const Summary& s = of(f);
    for (uint32_t b = 0; b < s.blocks.size(); ++b)
      for (const Step& step : s.blocks[b].steps)
        if (is_call(step)) sites_[f].push_back({b, &step, in_.targets(step.call.callee)});
  }

  // Of a function that was settled before, those of its calls that matter are left.
  const CompactVector<SummarySite>& sites_of(uint32_t f) {
    if (!wanted_.contains(FunctionKey{f}) && sites_[f].empty()) collect_calls(f);
    return sites_[f];
  }

  // The functions that communicate at all, backwards along calls: most do not, and need no more work.
  void spread() {
    std::vector<CompactVector<uint32_t>> callers(wanted_.last);
    for (const FunctionKey f : wanted_) {
      for (const SummarySite& site : sites_[f.index])
        for (const Target& target : site.targets) {
          callers[target.function.index].push_back(f.index);
          if (wanted_.contains(target.function)) continue;
          of(f.index).communicates |= of(target.function.index).communicates;
          of(f.index).transfers |= of(target.function.index).transfers;
        }
    }
    spread(callers, &Summary::communicates);
    spread(callers, &Summary::transfers);
  }

  void spread(const std::vector<CompactVector<uint32_t>>& callers, bool Summary::* property) {
    std::vector<uint32_t> work;
    for (const FunctionKey f : wanted_)
      if (of(f.index).*property) work.push_back(f.index);
    while (!work.empty()) {
      const uint32_t f = work.back();
      work.pop_back();
      for (uint32_t caller : callers[f])
        if (!(of(caller).*property)) {
          of(caller).*property = true;
          work.push_back(caller);
        }
    }
  }

  bool add_group(Summary& s, ValueId group) {
    if (s.groups.size() >= kMostGroupsKept || std::find(s.groups.begin(), s.groups.end(), group) != s.groups.end())
      return false;
    s.groups.push_back(group);
    return true;
  }

  // Whether a callee is known to the function's caller only; remembers it.
  bool depends_on_caller(Summary& s, uint32_t f, ValueId callee) {
    const ValueId passed = passed_by_caller(values_, in_.index(), callee);
    if (!passed.valid()) return false;
    const Value& v = values_[passed];
    if (v.kind == ValueKind::Parameter && v.a == f && v.b < 32 && !(s.calls_parameters >> v.b & 1)) {
      s.calls_parameters |= 1u << v.b;
      return true;
    }
    if (v.kind == ValueKind::Free && v.a == f && !s.calls_captures) return s.calls_captures = true;
    return false;
  }

  // Follows a call, in the terms of `f`, into the calls of the callee whose own callee it hands over: an argument, or
  // what a decorator wraps.
  bool follow(Summary& s, uint32_t f, const Call& call, int depth) {
    bool changed = depends_on_caller(s, f, call.callee);
    for (const Target& target : in_.targets(call.callee)) {
      const uint32_t g = target.function.index;
      const Binding binding = in_.bind(target, call, 0);
      const Summary& callee = read(g);
      if (depth > 0 && callee.communicates) {
        changed |= !s.communicates;
        s.communicates = true;
        const CompactVector<ValueId> groups = callee.groups;  // it may be the list that grows
        for (ValueId group : groups) {
          const ValueId here = group.valid() ? in_.instantiate(group, binding) : group;
          changed |= add_group(s, here);
        }
      }
      if (!callee.calls_unknown() || depth >= kDeepestHandOver) continue;
      for (const SummarySite& site : sites_of(g))
        if (hands_over(g, site)) changed |= follow(s, f, in_.instantiate(site.step->call, binding), depth + 1);
    }
    return changed;
  }

  bool hands_over(uint32_t g, const SummarySite& site) {
    const ValueId passed = passed_by_caller(values_, in_.index(), site.step->call.callee);
    if (passed.valid() && values_[passed].a == g) return true;
    return std::any_of(site.targets.begin(), site.targets.end(),
                       [&](const Target& t) { return read(t.function.index).calls_unknown(); });
  }

  // Where ranks diverge in a function, as more of it becomes known.
  struct Divergence {
    ValueStore& values;
    Summary& of;
    bool changed = false;

    void add(ValueId v) {
      if (!v.valid() || !values.diverges(v)) return;
      add(values.variance(v), values[v].local);
    }
    void add(const AxisSet& axes, bool is_local) {
      AxisSet all = values.axes(of.divergence);
      all.add(axes);
      const AxesId now = values.intern(all);
      changed |= !of.has_divergence || (is_local && !of.has_local_divergence) || now != of.divergence;
      of.divergence = now;
      of.has_divergence = true;
      of.has_local_divergence |= is_local;
    }
    // A tensor's sizes part no branch, but the operations that it is given to.
    void add_shape(ValueId v) {
      std::vector<ValueId> work{v};
      while (!work.empty()) {
        const ValueId next = work.back();
        work.pop_back();
        if (!next.valid() || !values.shape_diverges(next)) continue;
        add(next);
        if (!values.diverges(next)) work.insert(work.end(), values.children(next).begin(), values.children(next).end());
      }
    }
  };

  bool update(uint32_t f) {
    Summary& s = of(f);
    Divergence divergence{.values = values_, .of = s};
    if (s.communicates || s.calls_unknown())
      for (const BlockSteps& block : s.blocks) add_block(divergence, block);
    for (const SummarySite& site : sites_[f])
      for (const Target& target : site.targets) add_callee(divergence, f, *site.step, target);
    return divergence.changed;
  }

  void add_block(Divergence& divergence, const BlockSteps& block) {
    for (const Step& step : block.steps) {
      if (!step.event) continue;
      divergence.changed |= add_group(divergence.of, step.event->group);
      divergence.add(step.guard);
      divergence.add(step.event->ranks);
      divergence.add(step.event->root);
      divergence.add(in_.argument(step.call, step.event->model->reduce_op));
      if (step.event->model->same_shape)
        divergence.add_shape(in_.argument(step.call, sized_argument(*step.event->model)));
    }
    divergence.add(block.condition);
  }

  void add_callee(Divergence& divergence, uint32_t f, const Step& step, const Target& target) {
    Summary& s = divergence.of;
    const Summary& callee = read(target.function.index);
    if (callee.calls_unknown()) divergence.changed |= follow(s, f, step.call, 0);
    if (s.communicates && !callee.communicates && raises(target.function)) {
      const Binding thrown = in_.bind(target, step.call, 0);
      for (const BlockSteps& block : callee.blocks)
        if (block.condition.valid()) divergence.add(in_.instantiate(block.condition, thrown));
    }
    if (!callee.communicates && !callee.calls_unknown()) return;
    if (callee.communicates) {
      divergence.changed |= !s.communicates;
      s.communicates = true;
    }
    const Binding binding = in_.bind(target, step.call, 0);
    divergence.add(target.guard);
    for (const FieldState& held : step.call.held) divergence.add(held.value);
    for (ValueId parameter : binding.parameters) add_given(divergence, parameter);
    if (callee.has_divergence) divergence.add(values_.axes(callee.divergence), callee.has_local_divergence);
    const CompactVector<ValueId> groups = callee.groups;  // a function may call itself
    for (ValueId group : groups)
      divergence.changed |= add_group(s, group.valid() ? in_.instantiate(group, binding) : group);
  }

  void add_given(Divergence& divergence, ValueId parameter) {
    divergence.add_shape(parameter);
    if (!parameter.valid()) return;
    // A batch sends no rank another way by itself, but a function that is given one may branch on its numbers.
    if (values_[parameter].of_batch) {
      divergence.changed |= !divergence.of.has_local_divergence;
      divergence.of.has_divergence = divergence.of.has_local_divergence = true;
    }
    // Nor does an object, but its methods may branch on what its constructor was given, or made of that.
    if (values_[parameter].kind != ValueKind::Instance) return;
    for (ValueId given : values_.children(parameter)) divergence.add(given);
    const AxisSet& made = in_.differing_attributes(ClassKey{values_[parameter].a});
    if (!made.empty()) divergence.add(made, false);
  }

  bool raises(FunctionKey f) {
    if (!in_.index().modules()[in_.index().functions()[f].module].has(ir::Convention::RaisesInCallees)) return false;
    const auto [known, is_new] = raises_.try_emplace(f.index, false);
    if (is_new) known->second = raises_by_rank(in_, f);
    return known->second;
  }

  void prune(uint32_t f, const Endings& endings) {
    Summary& s = of(f);
    std::vector<const Step*> kept, point_to_point;
    const bool makes = is_constructor(in_.index(), FunctionKey{f});
    // What the constructor of a base is given is asked for later.
    const auto lies_aside = [&](const Target& t) {
      return of(t.function.index).transfers || (makes && is_constructor(in_.index(), t.function));
    };
    for (const SummarySite& site : sites_[f]) {
      bool matters = passed_by_caller(values_, in_.index(), site.step->call.callee).valid();
      for (const Target& target : site.targets) {
        const Summary& callee = of(target.function.index);
        matters |= callee.communicates || callee.calls_unknown() || raises(target.function);
      }
      if (matters)
        kept.push_back(site.step);
      else if (const Ending ending = endings.of(site); ending != Ending::None)
        step_of(s, site).ending = ending;
      else if (std::ranges::any_of(site.targets, lies_aside))
        point_to_point.push_back(site.step);
    }
    std::ranges::sort(kept);
    std::ranges::sort(point_to_point);
    for (BlockSteps& block : s.blocks) keep_steps(block, kept, point_to_point);
  }

  static Step& step_of(Summary& s, const SummarySite& site) {
    auto& steps = s.blocks[site.block].steps;
    return steps[static_cast<size_t>(site.step - steps.data())];
  }

  // Keeps the communication of a block and those of its calls that are listed.
  static void keep_steps(BlockSteps& block, const std::vector<const Step*>& kept,
                         const std::vector<const Step*>& point_to_point) {
    block.may_communicate = false;
    size_t count = 0;
    for (Step& step : block.steps) {
      const bool call = is_call(step);
      if (call && !std::ranges::binary_search(kept, &step)) {
        if (std::ranges::binary_search(point_to_point, &step)) block.point_to_point.push_back(std::move(step));
        continue;
      }
      block.may_communicate |= step.event || call;
      if (Step& place = block.steps[count++]; &place != &step) place = std::move(step);
    }
    block.steps.resize(count);
    block.steps.shrink_to_fit();
  }

  Interpreter& maker_;
  const Query& in_;
  ValueStore& values_;
  const FunctionRange wanted_;
  SitesOfFunctions sites_;
  std::map<uint32_t, bool> raises_;
  uint32_t reader_ = 0, now_ = 0;
  std::vector<CompactVector<uint32_t>> read_by_;   // beside itself, by the last update of each, and those before
  std::vector<uint32_t> updated_at_, changed_at_;  // counted in updates
};

}  // namespace

void complete_effects(Interpreter& interpreter) { Effects(interpreter).run(); }

void leave_out(Interpreter& interpreter, std::span<const SiteId> silent) {
  for (const SiteId site : silent) {
    Summary* s = interpreter.unfinished(interpreter.query().site(site).function);
    if (!s) continue;
    auto& steps = s->blocks[interpreter.query().site(site).block.index].steps;
    erase_if(steps, [&](const Step& step) { return step.site == site; });
  }
}

}  // namespace ranklint
