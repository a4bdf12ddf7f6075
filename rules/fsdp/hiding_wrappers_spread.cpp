// How a wrapper gets from one function to others: through attributes, returns and arguments; and which methods run
// before an attribute holds it.
#include <algorithm>

#include "analyzer/base/work_limit.h"
#include "analyzer/flow/reached.h"
#include "analyzer/program/handed.h"
#include "analyzer/resolve/builtins.h"
#include "rules/fsdp/hiding_wrappers.h"

namespace ranklint {
namespace {

constexpr int kMostTimes = 4;         // that a function is looked at, as more is known of others
constexpr size_t kMostCalled = 3000;  // functions that run before an attribute is given a wrapper
constexpr int kMostCallersAbove = 3;  // of the method that gives it one

// Whether the instruction may run after the other one.
bool may_follow(const ir::Function& f, ProgramPoint first, ProgramPoint then) {
  if (first.block == then.block && first.instruction < then.instruction) return true;
  const auto ways_from = [&](ir::BlockId b) { return ways_with_errors(f, b); };
  return reached_from(ways_from(first.block), ways_from).contains(then.block);
}

}  // namespace

const CallPlaces& HidingWrappers::places() const {
  if (!places_) places_.emplace(index_);
  return *places_;
}

void HidingWrappers::ask_again(FunctionKey f) {
  if (times_looked_[f] < kMostTimes) open_.insert(f);
}

void HidingWrappers::ask_methods_again(ClassKey owner) {
  std::vector<ClassKey> family = index_.with_derived(owner);
  const auto& bases = index_.linearization(owner);
  family.insert(family.end(), bases.begin(), bases.end());
  for (const ClassKey c : family)
    for (const auto& [name, method] : index_.classes()[c].methods) ask_again(method);
}

void HidingWrappers::look(FunctionKey f) {
  const Summary* s = in_.summary(f);
  if (!s) return;
  ++times_looked_[f];
  functions_.insert(f);
  const FunctionCode code(index_, *s);
  bool gives_back = false;
  for (const ir::BlockId b : code.graph().order()) {
    const ir::Block& block = code.ir.blocks[b];
    for (uint32_t i = 0; i < block.instructions.size(); ++i) {
      if (block.instructions[i].kind == ir::InstructionKind::Call) look_at_call(code, {b, i});
      if (block.instructions[i].target.valid()) keep(code, {b, i});
    }
    if (block.terminator.kind == ir::TerminatorKind::Return && block.terminator.value.valid())
      gives_back |= ir::any_part(code.ir, block.terminator.value, [&](ir::ExprId part) {
        return held(code, part, {b, static_cast<uint32_t>(block.instructions.size())}).has_value();
      });
  }
  if (gives_back)
    for (const CallPlace& call : places().of(f)) ask_again(call.within);
}

// What the callee is given.
void HidingWrappers::look_at_call(const FunctionCode& code, ProgramPoint place) {
  const ir::Instruction& call = code.instruction(place);
  const auto holds = [&](const ir::Argument& a) { return held(code, a.value, place).has_value(); };
  if (std::ranges::none_of(ir::arguments(code.ir, call), holds)) return;
  for (const HandedArgument& a : handed_arguments(index_, code.key, call)) {
    std::optional<HeldWrapper> given = held(code, a.value, place);
    if (!given) continue;
    for (std::string& option : questions_.options_above(code, place.block)) given->options.push_back(std::move(option));
    given->condition = {};
    if (handed_.emplace(std::pair(a.callee, a.parameter), std::move(*given)).second) ask_again(a.callee);
  }
}

// What attributes of the method's object it gives a wrapper.
void HidingWrappers::keep(const FunctionCode& code, ProgramPoint place) {
  const ir::ExprId target = code.instruction(place).target;
  ir::any_part(code.ir, target, [&](ir::ExprId part) {
    if (own_attribute(index_, code.key, part).valid()) keep_in(code, place, part);
    return false;
  });
}

void HidingWrappers::keep_in(const FunctionCode& code, ProgramPoint place, ir::ExprId attribute) {
  const ir::Instruction& i = code.instruction(place);
  Trail trail{{code.key, place}};
  std::optional<HeldWrapper> given =
      given_by(code, {place, &i, code.ir.exprs[i.target].kind == ir::ExprKind::Attribute}, attribute, trail);
  const FunctionKey method = method_around(code.key);
  const ClassKey owner = index_.functions()[method].owner;
  if (!given || !owner.valid()) return;
  for (std::string& option : questions_.options_above(code, place.block)) given->options.push_back(std::move(option));
  given->condition = {};
  std::vector<Kept>& all = kept_[{owner, own_attribute(index_, code.key, attribute)}];
  if (std::ranges::any_of(all, [&](const Kept& k) { return k.method == method && k.place == place; })) return;
  all.push_back({method, place, std::move(*given)});
  ask_methods_again(owner);
}

const HidingWrappers::Before& HidingWrappers::before(const Kept& kept) const {
  const auto [known, is_new] = before_.try_emplace({kept.method, kept.place});
  Before& found = known->second;
  if (!is_new) return found;
  std::vector<std::pair<CallPlace, int>> work{{{kept.method, kept.place.block, kept.place.instruction}, 0}};
  while (!work.empty()) {
    const auto [place, level] = work.back();
    work.pop_back();
    const ProgramPoint point{place.block, place.instruction};
    std::vector<ProgramPoint>& leads_there = found.above[place.within];
    leads_there.push_back(point);
    add_called(place.within, &point, found.called);
    if (level < kMostCallersAbove && leads_there.size() == 1)
      for (const CallPlace& caller : places().of(place.within)) work.emplace_back(caller, level + 1);
  }
  const FunctionKey constructor =
      index_.find_method(index_.functions()[kept.method].owner, index_.intern(name_of(Builtin::Init)));
  if (constructor.valid() && !found.above.contains(constructor)) add_called(constructor, nullptr, found.called);
  return found;
}

// Whether a call of the method is seen that comes before the attribute is given the wrapper, or whether the method
// itself leads there, `at` lies before, and no call of the method is repeated. Then it may run at no other time.
bool HidingWrappers::runs_before(const FunctionCode& code, ProgramPoint at, const Kept& kept) const {
  const Before& known = before(kept);
  const FunctionKey method = method_around(code.key);
  if (known.called.contains(method) || known.called.size() >= kMostCalled) return true;
  const auto leads_there = known.above.find(code.key);
  const auto follows = [&](ProgramPoint p) { return may_follow(code.ir, p, at); };
  const auto is_repeated = [&](const CallPlace& call) {
    const ProgramPoint p{call.block, call.instruction};
    return may_follow(index_.function(call.within), p, p);
  };
  return leads_there != known.above.end() && std::ranges::none_of(leads_there->second, follows) &&
         std::ranges::none_of(places().of(code.key), is_repeated);
}

// The functions that the calls in it lead to. `before`: only of calls that do not follow this place.
void HidingWrappers::add_called(FunctionKey caller, const ProgramPoint* before, std::set<FunctionKey>& called) const {
  std::vector<std::pair<FunctionKey, const ProgramPoint*>> work{{caller, before}};
  while (!work.empty() && called.size() < kMostCalled) {
    const auto [f, until] = work.back();
    work.pop_back();
    const ir::Function& function = index_.function(f);
    for (ir::BlockId b{0}; b.index < function.blocks.size(); ++b.index) {
      const auto& instructions = function.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i) {
        charge_work();
        if (instructions[i].kind != ir::InstructionKind::Call) continue;
        if (until && (ProgramPoint{b, i} == *until || may_follow(function, *until, {b, i}))) continue;
        const FunctionKey callee = named_callee(index_, f, instructions[i]).function;
        if (callee.valid() && called.insert(callee).second) work.emplace_back(callee, nullptr);
      }
    }
  }
}

}  // namespace ranklint
