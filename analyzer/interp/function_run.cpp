#include "analyzer/interp/function_run.h"

#include <algorithm>

#include "analyzer/interp/passed_rank.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/summary/entries.h"
#include "analyzer/variance/beliefs.h"

namespace ranklint {
namespace {

// Blocks that one merge looks at before it takes the value for unknown.
constexpr size_t kMostGates = 64;
// Branches of a function up to which its returns are distinguished.
constexpr int kMostBranches = 12;
// How often a function is run again for what its loops bring back: as deep as loops nest, mostly.
constexpr int kMostRounds = 3;
// Places that the environments of one function hold together (128 MB); a body with more, thousands of branches over
// thousands of names, is not run.
constexpr size_t kMostPlaces = size_t{8} << 20;

}  // namespace

ValueId Environment::get(const PlaceKey& place) const {
  auto found = std::ranges::lower_bound(places_, place, {}, &std::pair<PlaceKey, ValueId>::first);
  return found != places_.end() && found->first == place ? found->second : ValueId{};
}

void Environment::set(const PlaceKey& place, ValueId value) {
  auto found = std::ranges::lower_bound(places_, place, {}, &std::pair<PlaceKey, ValueId>::first);
  if (found != places_.end() && found->first == place)
    found->second = value;
  else
    places_.insert(found, {place, value});
}

FunctionRun::FunctionRun(Interpreter& interpreter, FunctionKey f)
    : maker_(interpreter),
      in_(interpreter.query()),
      values_(in_.values()),
      index_(in_.index()),
      key_(f),
      module_(index_.functions()[f].module),
      ir_(index_.modules()[module_]),
      f_(index_.function(f)),
      out_(f, f_),
      is_constructor_(is_builtin(ir_.text(f_.name), Builtin::Init)) {
  before_.resize(f_.blocks.size());
  after_.resize(f_.blocks.size());
  done_.assign(f_.blocks.size(), false);
  out_.blocks.resize(f_.blocks.size());
  for (Symbol s : f_.globals) globals_.insert(index_.name(module_, s));
  locals_ = bound_names(index_, f);
  for (Symbol s : f_.nonlocals) locals_.erase(index_.name(module_, s));
  for (Symbol s : globals_) locals_.erase(s);
}

Summary FunctionRun::run() {
  if (f_.blocks.empty()) return std::move(out_);
  if (!run_all()) return maker_.nothing_known(key_);
  bool again = handlers_come_late();
  const auto loops_diverge = [&] {
    bool diverge = false;
    for (ir::BlockId block : out_.graph().order())
      if (out_.graph().is_loop_header(block)) diverge |= loop_diverges(block);
    return diverge;
  };
  again |= loops_diverge();
  for (int rounds = 0; again && rounds < kMostRounds; ++rounds) {
    // What a loop or a handler brings back differs: once more, with that known at its head. What an inner loop brings,
    // the loop around it brings as well.
    for (BlockSteps& b : out_.blocks) b = BlockSteps{};
    std::fill(done_.begin(), done_.end(), false);
    if (!run_all()) return maker_.nothing_known(key_);
    again = loops_diverge();
  }
  collect_result();
  collect_changes();
  collect_effects();
  if (f_.kind == ir::FunctionKind::Module || f_.kind == ir::FunctionKind::ClassBody) {
    // The names as they stand where the body ends.
    for (ir::BlockId block : out_.graph().order())
      if (f_.blocks[block].terminator.kind == ir::TerminatorKind::Return)
        for (const auto& [place, value] : after_[block.index].places())
          if (!place.is_attribute() && !SymbolTable::is_temporary(place.name))
            out_.name_values().set_at_end(place.name, value);
  }
  return std::move(out_);
}

// Runs the blocks in flow order. False: the function is too large; then nothing is known of it.
bool FunctionRun::run_all() {
  places_ = 0;
  sent_.clear();
  received_.clear();
  for (ir::BlockId block : out_.graph().order()) {
    run_block(block);
    places_ += before_[block.index].places().size() + after_[block.index].places().size();
    if (places_ <= kMostPlaces) continue;
    in_.note_incomplete(key_, IncompleteReason::TooLarge);
    return false;
  }
  return true;
}

void FunctionRun::bind_parameters(Environment& env) {
  const FunctionFlags& flags = in_.flags(key_);
  const ClassKey owner = index_.functions()[key_].owner;
  for (uint32_t p = 0; p < f_.parameters.size(); ++p) {
    const ir::Parameter& parameter = f_.parameters[p];
    const Symbol name = index_.name(module_, parameter.name);
    uint32_t type = in_.annotation_type(module_, f_, parameter.annotation);
    if (!type) type = in_.handed_type(key_, p);
    if (p == 0 && owner.valid() && !flags.is_static) type = ValueStore::type_of_class(owner);
    ValueId value = values_.leaf(ValueKind::Parameter, key_.index, p, 0, type);
    if (p == 0 && owner.valid() && flags.is_classmethod) {
      value = values_.leaf(ValueKind::Parameter, key_.index, p, 1, type);  // cls: the class or one derived from it
    } else if (const auto belief = belief_about(in_.models_, index_.names().text(name));
               belief && !type && !in_.has_constant_default(key_, p)) {
      value = in_.believed(value, index_.names().text(name));
    } else if (!type && ir_.has(ir::Convention::DeclaresNoTypes) &&
               is_passed_as_rank(index_, in_.models_, key_, parameter.name)) {
      value = values_.node(ValueKind::Believed, {{value}}, values_.intern(AxisSet{.world = true, .axes = {}}).index,
                           static_cast<uint32_t>(BeliefKind::Coordinate));
    } else if (!type && in_.program().is_numbered(key_, p)) {
      value = values_.coordinate(in_.axes_of({"local"}));
    }
    if (is_handed_batch(p)) value = loaded_batch(in_.intern_site({key_, ir::BlockId{0}, 0, p, Site::Why::Batch}));
    env.set(Environment::key(name), value);
  }
}

SiteId FunctionRun::here() { return in_.intern_site({key_, block_, instruction_, part_++}); }
ValueId FunctionRun::opaque(uint32_t type) { return values_.leaf(ValueKind::Opaque, here().index, 0, 0, type); }

void FunctionRun::run_block(ir::BlockId block) {
  Environment env = enter(block);
  if (out_.graph().is_loop_header(block)) enter_loop(block, env);
  before_[block.index] = env;
  block_ = block;
  now_ = &env;
  out_.blocks[block.index].reachable = true;
  const auto& instructions = f_.blocks[block].instructions;
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    instruction_ = i;
    part_ = 0;
    run_instruction(instructions[i], i, env);
    keep_assigned(instructions[i].target, env);
  }
  instruction_ = static_cast<uint32_t>(instructions.size());
  part_ = 0;
  run_terminator(block, env);
  keep_assigned(f_.blocks[block].terminator.target, env);
  now_ = nullptr;
  after_[block.index] = std::move(env);
  done_[block.index] = true;
}

// A block may be run again with more known at the head of its loop: what counts is the last time.
void FunctionRun::keep_assigned(ir::ExprId target, const Environment& env) {
  if (!maker_.keeps_assigned_values_ || !target.valid()) return;
  std::vector<AssignedValue>& kept = out_.name_values().assigned[{block_.index, instruction_}];
  kept.clear();
  const auto keep = [&](auto&& self, ir::ExprId e) -> void {
    const Symbol name = index_.name(module_, f_.exprs[e].symbol);
    const auto parts = ir::children(f_, e);
    ValueId value;
    if (f_.exprs[e].kind == ir::ExprKind::Name) {
      value = env.get(Environment::key(name));
    } else if (f_.exprs[e].kind == ir::ExprKind::Attribute && f_.exprs[parts[0]].kind == ir::ExprKind::Name) {
      const ValueId object = env.get(Environment::key(index_.name(module_, f_.exprs[parts[0]].symbol)));
      if (object.valid()) value = env.get(Environment::key(object, name));
    } else if (f_.exprs[e].kind == ir::ExprKind::Tuple || f_.exprs[e].kind == ir::ExprKind::List) {
      for (const ir::ExprId part : parts) self(self, part);
    }
    if (value.valid()) kept.push_back({name, value});
  };
  keep(keep, target);
}

Environment FunctionRun::enter(ir::BlockId block) {
  if (block.index == 0) {
    Environment env;
    bind_parameters(env);
    return env;
  }
  std::vector<ir::BlockId> from;
  for (ir::BlockId p : out_.graph().predecessors(block))
    if (done_[p.index]) from.push_back(p);
  if (from.empty()) {
    // A handler that only exceptions reach: what held at the entry of the blocks it covers.
    for (ir::BlockId b : out_.graph().order())
      if (f_.blocks[b].handler == block && done_[b.index]) return before_[b.index];
    return {};
  }
  Environment env = from.size() == 1 ? after_[from[0].index] : merge(block, from);
  if (from.size() == 1) {
    count_filled_lists(block, from[0], env);
    forget_lists_filled_up(block, from[0], env);
  }
  if (!late_.empty()) merge_handled(block, env);
  return env;
}

Environment FunctionRun::merge(ir::BlockId block, const std::vector<ir::BlockId>& from) {
  Environment env = after_[from[0].index];
  std::set<PlaceKey> differing;
  for (size_t i = 1; i < from.size(); ++i) {
    const Environment& other = after_[from[i].index];
    for (const auto& [place, value] : other.places())
      if (env.get(place) != value) differing.insert(place);
    for (const auto& [place, value] : env.places())
      if (other.get(place) != value) differing.insert(place);
  }
  const ir::BlockId top = out_.graph().dominator(block);
  block_ = block;
  instruction_ = 0;
  for (const PlaceKey& place : differing) {
    std::map<uint32_t, ValueId> known;
    ValueId value = top.valid() ? gate(top, block, place, known) : ValueId{};
    if (!value.valid()) value = values_.leaf(ValueKind::Opaque, site_of(block, Site::Why::Merged, place).index);
    env.set(place, value);
  }
  return env;
}

// The value of a place on arrival at `join`, as a choice over the branches from `at` on. Invalid: no path from
// `at` arrives, or only through unknown edges (an exception, a loop's back edge). `known` holds what was found
// for blocks already visited, and an invalid value for those on the way.
ValueId FunctionRun::gate(ir::BlockId at, ir::BlockId join, const PlaceKey& place, std::map<uint32_t, ValueId>& known) {
  if (auto found = known.find(at.index); found != known.end()) return found->second;
  if (known.size() > kMostGates || !done_[at.index]) return {};
  known[at.index] = {};
  auto through = [&](ir::BlockId next) -> ValueId {
    if (next != join) return gate(next, join, place, known);
    ValueId v = after_[at.index].get(place);
    if (!v.valid()) v = before_any_change(place);
    return v.valid() ? v : values_.leaf(ValueKind::Opaque, site_of(at, Site::Why::Unset, place).index);
  };
  const ir::Terminator& end = f_.blocks[at].terminator;
  const ir::BlockId meet = out_.graph().join(at);
  ValueId result;
  switch (end.kind) {
    case ir::TerminatorKind::Jump: result = through(end.successors[0]); break;
    case ir::TerminatorKind::Branch:
    case ir::TerminatorKind::Iterate:
    case ir::TerminatorKind::Except: {
      // Sides that meet again before the join were merged there already.
      if (meet.valid() && meet != join && out_.graph().position(meet) < out_.graph().position(join)) {
        result = gate(meet, join, place, known);
        break;
      }
      const ValueId no = through(end.successors[1]);
      const auto left_by = [&](std::map<uint32_t, ValueId>& others) {
        return gate(end.successors[0], join, place, others);
      };
      if (end.is_loop && (result = left_in_a_round(at, no, place, left_by, known)).valid()) break;
      const ValueId yes = through(end.successors[0]);
      if (!yes.valid() || !no.valid())
        result = yes.valid() ? yes : no;
      else if (end.kind == ir::TerminatorKind::Branch)
        result = choose(at, yes, no, site_of(join, Site::Why::Received, place));
      else
        result = yes == no ? yes : ValueId{};
      break;
    }
    default: break;
  }
  return known[at.index] = result;
}

// The value after a loop that ranks may leave in different rounds: what they find at its end, or what makes them leave.
//
//     for path in paths:
//         if os.path.exists(path): found = True; break
//
// `left_by` chooses among the ways out of a round, with the value for ranks that go on to another. Invalid: they leave
// it alike. Whether they do stays open for an answer (`if isnan(loss): return True`) about what the function is given.
ValueId FunctionRun::left_in_a_round(ir::BlockId header, ValueId at_end, const PlaceKey& place, const Choosing& left_by,
                                     std::map<uint32_t, ValueId> known) {
  const bool has_entries = at_end.valid() && Entries(values_, index_).known(at_end);
  if (!at_end.valid() || (!has_entries && values_.diverges(at_end))) return {};
  known[header.index] = at_end;
  const ValueId left = left_by(known);
  if (left.valid() && has_entries)
    if (const ValueId made = left_by_entry(header, at_end, left, place); made.valid()) return made;
  if (!left.valid() || values_.diverges(at_end) || looks_for_its_own(left)) return {};
  const bool is_open = values_[at_end].kind == ValueKind::Bool && is_of_given(left);
  if (!is_open && !values_.diverges(left)) return {};
  const SiteId site = site_of(header, Site::Why::LeftInRound);
  return values_.node(ValueKind::LoopPhi, {{at_end, left}}, site.index, 0, values_.intern(place).index);
}

// `if rank in ranks: mine = ranks; break`: each rank finds something, in a round of its own.
bool FunctionRun::looks_for_its_own(ValueId left) const {
  const auto of_round = [&](ValueId part) {
    return values_[part].kind == ValueKind::Element || values_[part].kind == ValueKind::LoopPhi;
  };
  const auto compares = [&](ValueId part) {
    return values_[part].kind == ValueKind::Binary || values_[part].kind == ValueKind::Pure;
  };
  return values_
      .find_part(left,
                 [&](ValueId part) {
                   return compares(part) && !values_.variance(part).empty() &&
                          values_.find_part(part, of_round).valid();
                 })
      .valid();
}

ValueId FunctionRun::choose(ir::BlockId at, ValueId yes, ValueId no, SiteId after) {
  const ValueId condition = out_.blocks[at.index].condition,
                broadcast = broadcast_per_branch(condition, yes, no, after);
  return broadcast.valid() ? broadcast : values_.conditional(condition, yes, no);
}

// The side of a branch that every rank takes; that of a loop it takes more than once. Nothing: either.
std::optional<uint32_t> FunctionRun::only_side(ir::BlockId at) const {
  const ir::Terminator& end = f_.blocks[at].terminator;
  if (end.kind != ir::TerminatorKind::Branch || end.is_loop || !out_.blocks[at.index].condition.valid()) return {};
  const ValueStore::Truth truth = values_.truth(out_.blocks[at.index].condition);
  return truth == ValueStore::Truth::Unknown ? std::nullopt : std::optional(truth == ValueStore::Truth::Yes ? 0U : 1U);
}

ValueId FunctionRun::choose_return(ir::BlockId at, const PlaceKey& place, const OfReturn& of_return,
                                   std::map<uint32_t, ValueId>& known) {
  if (auto found = known.find(at.index); found != known.end()) return found->second;
  if (known.size() > kMostGates) return {};
  known[at.index] = {};
  const ir::Terminator& end = f_.blocks[at].terminator;
  ValueId result;
  switch (end.kind) {
    case ir::TerminatorKind::Return: result = of_return(at); break;
    case ir::TerminatorKind::Jump: result = choose_return(end.successors[0], place, of_return, known); break;
    case ir::TerminatorKind::Branch:
    case ir::TerminatorKind::Iterate:
    case ir::TerminatorKind::Except: {
      const ValueId no = choose_return(end.successors[1], place, of_return, known);
      const auto left_by = [&](std::map<uint32_t, ValueId>& others) {
        return choose_return(end.successors[0], place, of_return, others);
      };
      if (end.is_loop && (result = left_in_a_round(at, no, place, left_by, known)).valid()) break;
      const ValueId yes = choose_return(end.successors[0], place, of_return, known);
      if (const std::optional<uint32_t> side = only_side(at))
        result = *side == 0 ? yes : no;
      else if (!yes.valid() || !no.valid())
        result = yes.valid() ? yes : no;
      else if (end.kind == ir::TerminatorKind::Branch)
        result = values_.conditional(out_.blocks[at.index].condition, yes, no);
      else if (yes == no)
        result = yes;
      else {
        // A loop that may return: unknown, but of the type that both sides agree on.
        const ClassKey a = values_.class_of(yes), b = values_.class_of(no);
        const SiteId site = site_of(at, Site::Why::Returned, place);
        result = values_.leaf(ValueKind::Opaque, site.index, 0, 0,
                              a.valid() && (a == b || !b.valid()) ? ValueStore::type_of_class(a) : 0);
      }
      break;
    }
    default: break;
  }
  return known[at.index] = result;
}

bool FunctionRun::has_few_branches() const {
  return std::ranges::count_if(out_.graph().order(), [&](ir::BlockId b) {
           return f_.blocks[b].terminator.kind == ir::TerminatorKind::Branch;
         }) <= kMostBranches;
}

// The returned value as a choice over the branches, as at a join: the virtual exit.
void FunctionRun::collect_result() {
  std::map<uint32_t, ValueId> known;
  size_t returns = 0;
  ValueId only;
  for (ir::BlockId b : out_.graph().order())
    if (f_.blocks[b].terminator.kind == ir::TerminatorKind::Return) {
      ++returns;
      only = out_.blocks[b.index].result;
    }
  if (returns == 1)
    out_.result = only;
  else if (returns > 1 && has_few_branches()) {
    const auto of_return = [&](ir::BlockId at) { return out_.blocks[at.index].result; };
    const PlaceKey place = Environment::key(index_.name(module_, f_.name));
    out_.result = result_of_handlers(choose_return(ir::BlockId{0}, place, of_return, known), known);
  }
  const auto unknown = [&](Site::Why why) {
    return values_.leaf(ValueKind::Opaque, site_of(ir::BlockId{0}, why).index);
  };
  if (!out_.result.valid()) out_.result = returns ? unknown(Site::Why::Result) : values_.none();
  out_.result = agreed_later(out_.result);
  // What was made here is known better by what it was made as.
  const bool is_made = values_[out_.result].kind == ValueKind::Opaque && values_.external_type_of(out_.result).valid();
  if (uint32_t type = is_made ? 0 : in_.annotation_type(module_, f_, f_.return_annotation))
    out_.result = values_.with_type(out_.result, type);
  if (!f_.is_generator || in_.is_context_manager(key_)) return;
  const ValueId given = yielded();
  out_.result = given.valid() ? given : unknown(Site::Why::Generator);
}

// Whether it communicates, as far as its callees are known by now; complete_effects() settles the rest.
void FunctionRun::collect_effects() {
  for (const BlockSteps& block : out_.blocks)
    for (const Step& step : block.steps) {
      if (step.event) out_.communicates = true;
      if (step.event || step.ending != Ending::None || step.yields || out_.communicates) continue;
      for (const Target& target : in_.targets(step.call.callee))
        if (const Summary* s = in_.summary(target.function)) out_.communicates |= s->communicates;
    }
}

}  // namespace ranklint
