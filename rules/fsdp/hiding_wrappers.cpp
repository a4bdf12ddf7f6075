#include "rules/fsdp/hiding_wrappers.h"

#include <algorithm>

#include "analyzer/base/work_limit.h"
#include "analyzer/flow/side_of_branch.h"
#include "analyzer/program/handed.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/summary/is_call.h"

namespace ranklint {
namespace {

constexpr size_t kLongestTrail = 12;  // definitions, calls and returns from a use back to the wrapping

}  // namespace

HidingWrappers::HidingWrappers(const Query& in) : in_(in), index_(in.index()) {
  for (const auto& [site, call] : in_.watched().calls)
    if (wrapper_of(call)) open_.insert(site.function);
  while (!open_.empty()) {
    const FunctionKey f = *open_.begin();
    open_.erase(open_.begin());
    in_.contain(f, "wrapped models", [&] { look(f); });
  }
}

// `Accelerator(fsdp_plugin=plugin)`: what shards passes members on.
bool HidingWrappers::is_told_to_shard(ValueId object) const {
  const Site* made = in_.made_at(object);
  const ir::Instruction* call = made ? in_.call_at(*made) : nullptr;
  if (!call) return false;
  const ir::Function& f = index_.function(made->function);
  const ir::Module& text = index_.modules()[index_.functions()[made->function].module];
  return std::ranges::any_of(ir::arguments(f, *call), [&](const ir::Argument& a) {
    return a.kind == ir::ArgumentKind::Keyword && f.exprs[a.value].kind != ir::ExprKind::None &&
           in_.priors().suggest(text.text(a.keyword), NameMeaning::ShardingOption);
  });
}

// Of an object of a class of the project it may be for one process: the class says.
const RoleEntry* HidingWrappers::wrapper_of(const WatchedCall& call) const {
  const ValueId object = in_.receiver_of(call.call.callee);
  if (object.valid() && (in_.values().class_of(object).valid() || is_told_to_shard(object))) return nullptr;
  return in_.roles().find(call.model ? call.model->name : in_.callee_path(call.call.callee), Role::HidesMembers);
}

std::optional<HeldWrapper> HidingWrappers::held(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const {
  Trail trail;
  return held(code, e, at, trail);
}

std::optional<HeldWrapper> HidingWrappers::held(const FunctionCode& code, ir::ExprId e, ProgramPoint at,
                                                Trail& trail) const {
  charge_work();
  if (!ir::is_dotted(code.ir, e) || trail.size() > kLongestTrail) return std::nullopt;
  const ir::Expr& expr = code.ir.exprs[e];
  if (expr.kind == ir::ExprKind::Attribute && !own_attribute(index_, code.key, e).valid()) return std::nullopt;
  const Reaching reaching = code.reaching(Assignable{expr.kind, expr.symbol}, at);
  std::optional<HeldWrapper> found;
  for (const Definition& d : reaching.definitions) {
    if (!d.instruction || std::ranges::find(trail, std::pair(code.key, d.place)) != trail.end()) continue;
    if (questions_.takes_wrapped(code, *d.instruction)) return std::nullopt;
    trail.emplace_back(code.key, d.place);
    const std::optional<HeldWrapper> given = given_by(code, d, e, trail);
    const auto is_variable = [&](ir::ExprId part) { return questions_.is_same(code, part, e); };
    const bool is_made_of_it = !given && any_part_read(code.ir, *d.instruction, is_variable);
    const bool is_taken_out = is_made_of_it && held(code, e, d.place, trail);
    trail.pop_back();
    if (is_taken_out) return std::nullopt;
    if (!found) found = given;
  }
  if (!found && reaching.entry) found = before_all(code, e, at);
  if (found && questions_.stand_above(code, at.block, e, found->made_at, found->options)) return std::nullopt;
  return found;
}

std::optional<uint32_t> HidingWrappers::element_given(const FunctionCode& code, ir::ExprId target,
                                                      ir::ExprId variable) const {
  if (questions_.is_same(code, target, variable)) return kWhole;
  uint32_t element = 0;
  if (target.valid() && code.ir.exprs[target].kind == ir::ExprKind::Tuple)
    for (const ir::ExprId part : ir::children(code.ir, target)) {
      if (questions_.is_same(code, part, variable)) return element;
      ++element;
    }
  return std::nullopt;
}

std::optional<HeldWrapper> HidingWrappers::given_by(const FunctionCode& code, const Definition& d, ir::ExprId e,
                                                    Trail& trail) const {
  const ir::Instruction& i = *d.instruction;
  const std::optional<uint32_t> element = element_given(code, i.target, e);
  if (!element) return std::nullopt;
  if (i.kind == ir::InstructionKind::Call) return made_by(code, d.place, *element, trail);
  if (i.kind != ir::InstructionKind::Assign) return std::nullopt;
  if (*element == kWhole) return held(code, i.value, d.place, trail);
  const auto parts = ir::children(code.ir, i.value);
  return code.ir.exprs[i.value].kind == ir::ExprKind::Tuple && *element < parts.size()
             ? held(code, parts[*element], d.place, trail)
             : std::nullopt;
}

std::optional<HeldWrapper> HidingWrappers::made_by(const FunctionCode& code, ProgramPoint place, uint32_t element,
                                                   Trail& trail) const {
  const Site site{code.key, place.block, place.instruction};
  if (const auto call = in_.watched().calls.find(site); call != in_.watched().calls.end() && wrapper_of(call->second))
    return wrapped_by(code, site, call->second, element);
  const ir::Instruction& call = code.instruction(place);
  if (element == kWhole) {
    const RoleEntry* returns = role_of(in_, code, call, Role::ReturnsArgument);
    if (returns) return held(code, given_for(code, call, *returns), place, trail);
    if (in_.roles().play(name_of_callee(code, call), Role::ReturnsModule)) {
      const bool is_method = code.ir.exprs[call.value].kind == ir::ExprKind::Attribute;
      const ir::ExprId object = is_method ? ir::children(code.ir, call.value)[0] : ir::ExprId{};
      const bool is_given = !is_method || names_library(index_, code, object);
      return held(code, is_given ? first_argument(code, call) : object, place, trail);
    }
  }
  const FunctionKey callee = named_callee(index_, code.key, call).function;
  return callee.valid() ? returned_to(code, place, callee, element, trail) : std::nullopt;
}

std::optional<HeldWrapper> HidingWrappers::wrapped_by(const FunctionCode& code, const Site& site,
                                                      const WatchedCall& call, uint32_t element) const {
  const RoleEntry* wrapper = wrapper_of(call);
  HeldWrapper held{.made_at = site,
                   .range = call.range,
                   .wrapper = wrapper,
                   .model = {},
                   .is_of_job = call.model != nullptr,
                   .in_some_runs = call.model && call.model->conditional,
                   .options = questions_.options_above(code, site.block),
                   .condition = condition_above(code, site.block)};
  if (wrapper->argument.present()) {
    held.model = in_.argument(call.call, wrapper->argument);
    return element == kWhole ? std::optional(held) : std::nullopt;
  }
  // It gives back what it is given, each wrapped.
  const auto arguments = ir::arguments(code.ir, code.instruction({site.block, site.instruction}));
  const uint32_t which = element == kWhole ? 0 : element;
  const bool is_seen = !call.call.open_ended && which < arguments.size() && which < call.call.positional.size() &&
                       arguments[which].kind == ir::ArgumentKind::Positional &&
                       (element != kWhole || arguments.size() == 1);
  if (!is_seen || !is_model(code, arguments[which].value, call.call.positional[which])) return std::nullopt;
  held.model = call.call.positional[which];
  return held;
}

bool HidingWrappers::is_model(const FunctionCode& code, ir::ExprId given, ValueId value) const {
  const ClassKey c = in_.values().class_of(value);
  if (c.valid()) return derives_from(in_.roles(), index_, c, Role::ModuleClass);
  return ir::is_dotted(code.ir, given) &&
         in_.priors().suggest(code.text.text(code.ir.exprs[given].symbol), NameMeaning::Model);
}

// What all the branches ask above the block, as one condition.
ValueId HidingWrappers::condition_above(const FunctionCode& code, ir::BlockId block) const {
  const FlowGraph& graph = code.graph();
  const Summary& s = *in_.summary(code.key);
  std::vector<ValueId> all;
  for (ir::BlockId above = graph.dominator(block); above.valid(); above = graph.dominator(above)) {
    const std::optional<bool> side = side_of_branch(graph, code.ir, above, block);
    const ValueId asked = s.blocks[above.index].condition;
    if (side && asked.valid()) all.push_back(*side ? asked : in_.values().negate(asked));
  }
  return in_.values().conjunction(true, all);
}

// Not where what the call gives the callee decides that it does not wrap: `Loader(args, is_ddp=False)`.
std::optional<HeldWrapper> HidingWrappers::returned_to(const FunctionCode& code, ProgramPoint call, FunctionKey callee,
                                                       uint32_t element, Trail& trail) const {
  std::optional<HeldWrapper> found = returned_by(callee, element, trail);
  if (!found) return std::nullopt;
  const ValueId asked = std::exchange(found->condition, ValueId{});
  for (const Step& step : in_.summary(code.key)->blocks[call.block.index].steps) {
    if (!asked.valid() || !is_call(step) || in_.site(step.site).instruction != call.instruction) continue;
    for (const Target& target : in_.targets(step.call.callee))
      if (target.function == callee) found->condition = in_.instantiate(asked, in_.bind(target, step.call, 0));
  }
  const bool is_denied = found->condition.valid() && in_.values().truth(found->condition) == ValueStore::Truth::No;
  return is_denied ? std::nullopt : found;
}

std::optional<HeldWrapper> HidingWrappers::returned_by(FunctionKey f, uint32_t element, Trail& trail) const {
  const Summary* s = in_.summary(f);
  if (!s || index_.function(f).is_generator || trail.size() > kLongestTrail) return std::nullopt;
  const FunctionCode code(index_, *s);
  for (const ir::BlockId b : code.graph().order()) {
    const ir::Block& block = code.ir.blocks[b];
    if (block.terminator.kind != ir::TerminatorKind::Return || !block.terminator.value.valid()) continue;
    ir::ExprId value = block.terminator.value;
    if (element != kWhole) {
      const auto parts = ir::children(code.ir, value);
      if (code.ir.exprs[value].kind != ir::ExprKind::Tuple || element >= parts.size()) continue;
      value = parts[element];
    }
    const ProgramPoint end{b, static_cast<uint32_t>(block.instructions.size())};
    std::optional<HeldWrapper> found = held(code, value, end, trail);
    // What takes a model out of wrappers, by a loop perhaps, returns what it is given where it is in none.
    if (found && found->made_at.function != f && questions_.are_in(code)) return std::nullopt;
    if (found) return found;
  }
  return std::nullopt;
}

// What it holds where the function begins; an attribute, until `at`.
std::optional<HeldWrapper> HidingWrappers::before_all(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const {
  if (code.ir.exprs[e].kind == ir::ExprKind::Attribute) return kept_for(code, e, at);
  const int parameter = code.parameter(code.ir.exprs[e].symbol);
  const auto handed = parameter < 0 ? handed_.end() : handed_.find({code.key, static_cast<uint32_t>(parameter)});
  return handed == handed_.end() ? std::nullopt : std::optional(handed->second);
}

std::optional<HeldWrapper> HidingWrappers::kept_for(const FunctionCode& code, ir::ExprId attribute,
                                                    ProgramPoint at) const {
  const Symbol name = own_attribute(index_, code.key, attribute);
  const FunctionKey method = method_around(code.key);
  const ClassKey c = index_.functions()[method].owner;
  if (!c.valid()) return std::nullopt;
  for (const auto& [of, all] : kept_) {
    const auto [owner, kept_name] = of;
    if (kept_name != name || !(index_.derives_from(c, owner) || index_.derives_from(owner, c))) continue;
    const Symbol own_name = index_.name(code.module, index_.function(method).name);
    const FunctionKey of_owner = index_.find_method(owner, own_name);
    const bool is_replaced = !index_.derives_from(c, owner) && of_owner != method;
    if (is_replaced || is_taken_out_again(owner, name)) continue;
    for (const Kept& kept : all)
      if (kept.method != method && !runs_before(code, at, kept)) return kept.held;
  }
  return std::nullopt;
}

// The method that the function is, or lies in.
FunctionKey HidingWrappers::method_around(FunctionKey f) const {
  while (!index_.functions()[f].owner.valid() && index_.functions()[f].parent.valid()) f = index_.functions()[f].parent;
  return f;
}

// Whether a method gives the attribute the model itself again.
bool HidingWrappers::is_taken_out_again(ClassKey owner, Symbol attribute) const {
  std::vector<ClassKey> family = index_.with_derived(owner);
  const auto& bases = index_.linearization(owner);
  family.insert(family.end(), bases.begin(), bases.end());
  return std::ranges::any_of(family, [&](ClassKey c) {
    const auto sites = index_.classes()[c].attributes.find(attribute);
    return sites != index_.classes()[c].attributes.end() &&
           std::ranges::any_of(sites->second, [&](const AttributeSite& site) {
             const Summary* s = in_.summary(site.function);
             if (!s) return false;
             const FunctionCode code(index_, *s);
             return questions_.takes_wrapped(code, code.instruction({site.block, site.instruction}));
           });
  });
}

}  // namespace ranklint
