#include "analyzer/messages/message_walk.h"

#include <algorithm>
#include <map>

#include "analyzer/execution/execution.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/variance/ranges.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

constexpr size_t kMostStepsOfProgram = 400;
constexpr size_t kMostBlocksOfProgram = 4000;
constexpr int64_t kMostRoundsOfProgram = 64;
constexpr size_t kMostPartsOfList = 4096;

using Truth = ValueStore::Truth;

// A loop that is going round: which round it is, and how many there are.
struct Loop {
  int64_t round = -1, rounds = 0;
};

// A transfer as `P2POp` describes it.
struct Described {
  bool sends = true;
  ValueId peer;
  int64_t tag = 0;
  bool is_of_mpi = false;
};

class MessageWalker {
 public:
  MessageWalker(const Query& query, const Directions& directions, ElementTerms& elements, Frames& frames,
                const World& world, uint32_t rank, MessageChoices& choices, std::set<FunctionKey>& entered)
      : in_(query),
        values_(query.values()),
        directions_(directions),
        elements_(elements),
        frames_(frames),
        execution_(query, frames),
        world_(world),
        scenario_(query, world, rank),
        choices_(choices),
        entered_(entered) {}

  MessageWalk run() {
    switch (walk()) {
      case Outcome::Continues:
      case Outcome::Ends: break;
      case Outcome::Fails: walk_.end = MessageWalk::End::Fails; break;
      case Outcome::Lost: walk_.end = MessageWalk::End::Lost; break;
    }
    return std::move(walk_);
  }

 private:
  enum class Outcome : uint8_t { Continues, Ends, Fails, Lost };  // Ends: nothing communicates after it
  using LoopKey = std::tuple<uint32_t, uint32_t, uint32_t>;       // function, block, path

  Outcome walk() {
    Outcome outcome = enter(frames_.start());
    size_t blocks = 0;
    while (outcome == Outcome::Continues && !at().at_end()) {
      if (at().step == 0 && (++blocks > kMostBlocksOfProgram || walk_.steps.size() > kMostStepsOfProgram))
        return Outcome::Lost;
      outcome = move(execution_.next(at(), Ask::Always));
      rank_.rounds.keep_around(frames_, at());
    }
    return outcome;
  }

  const Position& at() const { return rank_.at; }
  const Frame& frame() const { return frames_[at().frame]; }
  const Summary& summary() const { return *frame().summary; }
  const ir::Function& code() const { return in_.index().function(summary().function); }

  Outcome go_on(const Position& to) {
    rank_.at = to;
    return Outcome::Continues;
  }

  Outcome enter(const Position& function) {
    if (function.at_end()) return Outcome::Lost;
    rank_.at = function;
    if (code().is_generator || code().blocks.empty()) return Outcome::Lost;
    entered_.insert(summary().function);
    return Outcome::Continues;
  }

  Outcome move(const Transition& move) {
    switch (move.kind) {
      case Transition::Kind::Communicates: return after(move, collective(*move.step));
      case Transition::Kind::SendsMessage:
        return after(move, move.step->waits ? wait(*move.step) : transfer(*move.step));
      case Transition::Kind::Calls: return call(move);
      case Transition::Kind::TearsDown: return Outcome::Ends;
      case Transition::Kind::Leaves:
      case Transition::Kind::NeverReturns: return Outcome::Fails;
      case Transition::Kind::Raises: return move.to.at_end() ? Outcome::Fails : Outcome::Lost;
      case Transition::Kind::HandsOver: return Outcome::Lost;
      case Transition::Kind::Asks: return move.iterates ? iterate() : branch(move);
      case Transition::Kind::Passes:
      case Transition::Kind::Jumps:
      case Transition::Kind::Skips:
      case Transition::Kind::Returns: return go_on(move.to);
    }
    return Outcome::Lost;
  }

  Outcome after(const Transition& move, Outcome outcome) {
    return outcome == Outcome::Continues ? go_on(move.to) : outcome;
  }

  Outcome collective(const Step& step) {
    const Event& event = *step.event;
    if (event.model->kind == ModelKind::Setup) return Outcome::Continues;
    const std::optional<AxisSet> group = in_.resolve_group(in_root(event.group), Unknown::FreshAxis);
    if (!group || !group->world) return Outcome::Lost;
    if (const ValueId async = argument(step.call, event.model->async);
        async.valid() && values_.truth(async) != Truth::No)
      return Outcome::Lost;
    walk_.steps.push_back({.op = event.model->op, .function = summary().function, .range = step.range});
    return Outcome::Continues;
  }

  Outcome call(const Transition& call) {
    std::vector<Target> open;
    for (const Target& target : call.targets) {
      const Truth runs = target.guard.valid() ? values_.truth(residual(target.guard)) : Truth::Yes;
      if (runs == Truth::Unknown) return Outcome::Lost;
      if (runs == Truth::Yes) open.push_back(target);
    }
    if (open.empty()) return go_on(call.to);
    if (open.size() > 1 || call.step->call.part != Call::Part::Whole) return Outcome::Lost;
    return enter(frames_.enter(at(), *call.step, open[0]));
  }

  // Messages.

  Outcome transfer(const Step& step) {
    const std::string& name = step.transfer->name;
    const std::string_view op = std::string_view(name).substr(name.rfind('.') + 1);
    const RoleEntry* moves = in_.roles().find(name, Role::MovesMessage);
    if (!moves || step.call.open_ended) return Outcome::Lost;
    const ValueId handle = in_root(step.made);
    if (in_.roles().play(name, Role::MovesDescribed)) return batch(step, handle);
    const RoleEntry* describes = in_.roles().find(name, Role::DescribesMessage);
    const bool is_method = step.transfer->group.otherwise == GroupSpec::Otherwise::Receiver;
    if (const ValueId group =
            is_method ? in_root(in_.receiver_of(step.call.callee)) : argument(step.call, step.transfer->group.argument);
        group.valid() && values_[group].kind != ValueKind::None) {
      const std::optional<AxisSet> axes = in_.resolve_group(group, Unknown::FreshAxis);
      if (!axes || !axes->world) return Outcome::Lost;
    }
    Described d;
    d.peer = argument(step.call, step.transfer->root);
    const ValueId tag = argument(step.call, moves->argument);
    d.is_of_mpi = !moves->note.empty();
    if (!d.peer.valid() || (tag.valid() && !values_.integer_of(tag, d.tag))) return Outcome::Lost;
    if (describes) {
      const TransferDirection direction = direction_of(in_, argument(step.call, describes->argument));
      if (direction == TransferDirection::Both) return Outcome::Lost;
      d.sends = direction == TransferDirection::Sends;
      described_[handle] = d;
      return Outcome::Continues;
    }
    d.sends = step.transfer->direction == TransferDirection::Sends;
    if (step.transfer->direction == TransferDirection::Both) return Outcome::Lost;
    if (d.is_of_mpi && !d.sends && !tag.valid()) d.tag = kAnyTag;
    if (in_.roles().play(name, Role::MovesObjects)) d.tag = INT64_MAX;  // sizes and contents: no other transfer fits
    if (const Outcome outcome = post(step, d, std::string(op)); outcome != Outcome::Continues) return outcome;
    if (in_.roles().play(name, Role::GivesHandle))
      handles_[handle] = {walk_.steps.size() - 1};
    else
      wait_for(step.range, walk_.steps.size() - 1);
    return Outcome::Continues;
  }

  Outcome post(const Step& step, const Described& d, std::string op) {
    int64_t peer = 0;
    if (!values_.integer_of(d.peer, peer)) return Outcome::Lost;
    if (peer < 0 || peer >= world_.size() || (peer == scenario_.rank() && !d.is_of_mpi)) return Outcome::Fails;
    walk_.steps.push_back({.kind = d.sends ? MessageStep::Kind::Send : MessageStep::Kind::Receive,
                           .op = std::move(op),
                           .peer = static_cast<uint32_t>(peer),
                           .tag = d.tag,
                           .function = summary().function,
                           .range = step.range});
    return Outcome::Continues;
  }

  void wait_for(const SourceRange& range, size_t started) {
    walk_.steps.push_back({.kind = MessageStep::Kind::Wait,
                           .op = walk_.steps[started].op,
                           .started = started,
                           .function = summary().function,
                           .range = range});
  }

  Outcome batch(const Step& step, ValueId handle) {
    std::vector<ValueId> parts;
    const ValueId list = argument(step.call, step.transfer->tensor);
    if (!list.valid() || !flatten(list, parts)) return Outcome::Lost;
    if (parts.empty()) return Outcome::Fails;
    std::vector<size_t> started;
    for (ValueId part : parts) {
      const auto known = described_.find(part);
      if (known == described_.end()) return Outcome::Lost;
      if (const Outcome outcome = post(step, known->second, "batch_isend_irecv"); outcome != Outcome::Continues)
        return outcome;
      started.push_back(walk_.steps.size() - 1);
    }
    handles_[handle] = std::move(started);
    return Outcome::Continues;
  }

  // A list written in place, and what was appended to it.
  bool flatten(ValueId list, std::vector<ValueId>& parts) const {
    const Value& v = values_[list];
    if (v.kind == ValueKind::Tuple) {
      parts.insert(parts.end(), values_.children(list).begin(), values_.children(list).end());
      return parts.size() <= kMostPartsOfList;  // `parts = parts + parts` doubles them
    }
    const bool joined = v.kind == ValueKind::Binary && v.op == ir::Operator::Add;
    return joined && flatten(values_.child(list, 0), parts) && flatten(values_.child(list, 1), parts);
  }

  Outcome wait(const Step& step) {
    const ValueId handle = on_rank(step.call.positional[0]);
    if (values_[handle].kind == ValueKind::Subscript)
      if (const auto of = handles_.find(values_.child(handle, 0)); of != handles_.end()) {
        int64_t which = 0;
        if (!values_.integer_of(values_.child(handle, 1), which) || which < 0 ||
            static_cast<size_t>(which) >= of->second.size())
          return Outcome::Lost;
        wait_for(step.range, of->second[static_cast<size_t>(which)]);
        return Outcome::Continues;
      }
    const auto known = handles_.find(handle);
    if (known == handles_.end()) return handles_.empty() ? Outcome::Continues : Outcome::Lost;
    for (const size_t started : known->second) wait_for(step.range, started);
    return Outcome::Continues;
  }

  // Where it goes on.

  Outcome branch(const Transition& question) {
    const ValueId condition = residual(question.condition);
    Truth holds = values_.truth(condition);
    if (holds == Truth::Unknown) {
      if (values_.diverges(condition)) return Outcome::Lost;
      if (question.is_loop) return repeat(condition);
      choices_.believed = choices_.believed && is_of_all();
      holds = choices_.holds(values_, condition) ? Truth::Yes : Truth::No;
    }
    return go_on(execution_.side(at(), holds == Truth::Yes ? 0 : 1));
  }

  unsigned directions(uint32_t successor, ir::BlockId up_to) const {
    return directions_.between(summary(), execution_.side(at(), successor).block, up_to);
  }

  // Whether one side has both ends of what it sends and the other has none of it: what a switch of all ranks looks
  // like.
  bool is_of_all() const {
    const ir::BlockId join = summary().graph().join(at().block);
    const unsigned yes = directions(0, join), no = directions(1, join);
    return (yes == 0 || yes == Directions::kBoth) && (no == 0 || no == Directions::kBoth) && (yes == 0 || no == 0);
  }

  bool goes_round_for_all() const {
    const unsigned inside = directions(0, at().block);
    return inside == 0 || inside == Directions::kBoth;
  }

  bool is_entering() const { return !rank_.rounds.begun(at().frame, at().block); }

  // From the head of the loop into its next round, or out of it after as many as were counted on entry.
  Outcome start_round(Loop& loop) {
    const int64_t round = rank_.rounds.begun(at().frame, at().block).value_or(0);
    loop.round = round;
    rank_.rounds.begin(at().frame, at().block, round + 1);
    return go_on(execution_.side(at(), round < loop.rounds ? 0 : 1));
  }

  Loop& loop_here() { return loops_[{summary().function.index, at().block.index, frame().binding.path}]; }

  Outcome iterate() {
    Loop& loop = loop_here();
    if (is_entering()) {
      const ValueId more = summary().blocks[at().block.index].condition;
      if (!more.valid() || values_[more].child_count != 1) return Outcome::Lost;
      loop.round = 0;
      const ValueId iterable = on_rank(values_.child(more, 0));
      const std::optional<int64_t> known = rounds_of(iterable);
      if (known && *known > kMostRoundsOfProgram) return Outcome::Lost;
      if (!known && values_.diverges(iterable)) return Outcome::Lost;
      if (!known) choices_.believed = choices_.believed && goes_round_for_all();
      loop.rounds = known ? *known : choices_.rounds(iterable);
    }
    return start_round(loop);
  }

  // `while` on what all ranks know and we do not.
  Outcome repeat(ValueId condition) {
    Loop& loop = loop_here();
    if (is_entering()) {
      choices_.believed = choices_.believed && goes_round_for_all();
      loop.rounds = choices_.rounds(condition);
    }
    return start_round(loop);
  }

  std::optional<int64_t> rounds_of(ValueId iterable) const {
    if (const std::optional<NumberRange> range = range_of(values_, in_.index(), iterable)) return range->size();
    if (const auto of = handles_.find(iterable); of != handles_.end()) return static_cast<int64_t>(of->second.size());
    std::vector<ValueId> parts;
    if (flatten(iterable, parts)) return static_cast<int64_t>(parts.size());
    if (values_[iterable].child_count == 1 && values_.is_result_of(iterable, ValueStore::Trait::KeepsLength))
      return rounds_of(values_.child(iterable, 0));
    return std::nullopt;
  }

  // The element of a round. Invalid: not known.
  ValueId element_of(ValueId iterable, int64_t round) {
    if (const std::optional<NumberRange> range = range_of(values_, in_.index(), iterable))
      return values_.integer((*range)[round]);
    if (handles_.contains(iterable)) return values_.node(ValueKind::Subscript, {{iterable, values_.integer(round)}});
    std::vector<ValueId> parts;
    if (flatten(iterable, parts))
      return round >= 0 && static_cast<size_t>(round) < parts.size() ? parts[static_cast<size_t>(round)] : ValueId{};
    const std::string_view name = function_of(values_, in_.index(), iterable);
    if (values_[iterable].child_count != 1) return {};
    const ValueId of = values_.child(iterable, 0);
    if (is_builtin(name, {Builtin::List, Builtin::Tuple})) return element_of(of, round);
    if (is_builtin(name, Builtin::Reversed))
      if (const std::optional<int64_t> rounds = rounds_of(of)) return element_of(of, *rounds - 1 - round);
    if (is_builtin(name, Builtin::Enumerate))
      if (const ValueId element = element_of(of, round); element.valid())
        return values_.node(ValueKind::Tuple, {{values_.integer(round), element}});
    return {};
  }

  // Values.

  // Of a term of the root, and of one of the function that it is in.
  ValueId residual(ValueId v) { return in_this_round(scenario_.residual(v)); }
  ValueId on_rank(ValueId v) { return residual(in_root(v)); }
  ValueId in_root(ValueId v) { return frames_.in_root(at().frame, v); }
  ValueId argument(const Call& call, const ArgumentSpec& spec) {
    const ValueId given = in_.argument(call, spec);
    return given.valid() ? on_rank(given) : given;
  }

  // What the loops around it have come to put in.
  ValueId in_this_round(ValueId v) {
    std::map<ValueId, ValueId> known;
    return in_this_round(v, known);
  }
  ValueId in_this_round(ValueId v, std::map<ValueId, ValueId>& known) {
    if (loops_.empty() || !elements_.contain(v)) return v;
    if (const auto before = known.find(v); before != known.end()) return before->second;
    std::vector<ValueId> parts(values_.children(v).begin(), values_.children(v).end());
    for (ValueId& part : parts) part = in_this_round(part, known);
    return known[v] = made_in_this_round(v, parts);
  }
  ValueId made_in_this_round(ValueId v, const std::vector<ValueId>& parts) {
    const Value value = values_[v];
    if (value.kind != ValueKind::Element) return with_parts(values_, v, parts);
    const Site* head = in_.made_at(v);
    const auto loop = head ? loops_.find({head->function.index, head->block.index, value.b}) : loops_.end();
    const ValueId element = loop == loops_.end() ? ValueId{} : element_of(parts[0], loop->second.round);
    return element.valid() ? element : v;
  }

  const Query& in_;
  ValueStore& values_;
  const Directions& directions_;
  ElementTerms& elements_;
  Frames& frames_;
  Execution execution_;
  const World& world_;
  Scenario scenario_;
  MessageChoices& choices_;
  std::set<FunctionKey>& entered_;
  MessageWalk walk_;
  RankState rank_;
  std::map<LoopKey, Loop> loops_;
  std::map<ValueId, Described> described_;
  std::map<ValueId, std::vector<size_t>> handles_;  // and what they are of
};

}  // namespace

// The parts of a term were made before it.
bool ElementTerms::contain(ValueId v) {
  if (known_.size() <= v.index) known_.resize(values_.size());
  if (known_[v.index] == Known::Nothing) {
    const auto parts = values_.children(v);
    const bool yes = values_[v].kind == ValueKind::Element ||
                     std::any_of(parts.begin(), parts.end(), [&](ValueId part) { return contain(part); });
    known_[v.index] = yes ? Known::Yes : Known::No;
  }
  return known_[v.index] == Known::Yes;
}

MessageWalk walk_messages(const Query& query, const Directions& directions, ElementTerms& elements, Frames& frames,
                          const World& world, uint32_t rank, MessageChoices& choices, std::set<FunctionKey>& entered) {
  return MessageWalker(query, directions, elements, frames, world, rank, choices, entered).run();
}

}  // namespace ranklint
