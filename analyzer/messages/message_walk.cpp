#include "analyzer/messages/message_walk.h"

#include <algorithm>
#include <map>

#include "analyzer/execution/execution.h"
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
      case Way::On:
      case Way::Ends: break;
      case Way::Fails: walk_.end = MessageWalk::End::Fails; break;
      case Way::Lost: walk_.end = MessageWalk::End::Lost; break;
    }
    return std::move(walk_);
  }

 private:
  enum class Way : uint8_t { On, Ends, Fails, Lost };        // Ends: nobody communicates behind it
  using LoopKey = std::tuple<uint32_t, uint32_t, uint32_t>;  // function, block, path

  Way walk() {
    Way way = come_into(frames_.start());
    size_t blocks = 0;
    while (way == Way::On && !at().at_end()) {
      if (at().step == 0 && (++blocks > kMostBlocksOfProgram || walk_.steps.size() > kMostStepsOfProgram))
        return Way::Lost;
      way = move(execution_.next(at(), Ask::Always));
      rank_.rounds.keep_around(frames_, at());
    }
    return way;
  }

  const Position& at() const { return rank_.at; }
  const Frame& frame() const { return frames_[at().frame]; }
  const Summary& summary() const { return *frame().summary; }
  const ir::Function& code() const { return in_.index().function(summary().function); }

  Way go_on(const Position& to) {
    rank_.at = to;
    return Way::On;
  }

  Way come_into(const Position& function) {
    if (function.at_end()) return Way::Lost;
    rank_.at = function;
    if (code().is_generator || code().blocks.empty()) return Way::Lost;
    entered_.insert(summary().function);
    return Way::On;
  }

  Way move(const Transition& move) {
    switch (move.kind) {
      case Transition::Kind::Communicates: return behind(move, collective(*move.step));
      case Transition::Kind::SendsMessage:
        return behind(move, move.step->waits ? wait(*move.step) : transfer(*move.step));
      case Transition::Kind::Calls: return call(move);
      case Transition::Kind::TearsDown: return Way::Ends;
      case Transition::Kind::Leaves:
      case Transition::Kind::NeverReturns: return Way::Fails;
      case Transition::Kind::Raises: return move.to.at_end() ? Way::Fails : Way::Lost;
      case Transition::Kind::HandsOver: return Way::Lost;
      case Transition::Kind::Asks: return move.iterates ? iterate() : branch(move);
      case Transition::Kind::Passes:
      case Transition::Kind::Jumps:
      case Transition::Kind::Skips:
      case Transition::Kind::Returns: return go_on(move.to);
    }
    return Way::Lost;
  }

  Way behind(const Transition& move, Way way) { return way == Way::On ? go_on(move.to) : way; }

  Way collective(const Step& step) {
    const Event& event = *step.event;
    if (event.model->kind == ModelKind::Setup) return Way::On;
    const std::optional<AxisSet> group = in_.resolve_group(in_root(event.group), Unknown::FreshAxis);
    if (!group || !group->world) return Way::Lost;
    if (const ValueId async = argument(step.call, event.model->async);
        async.valid() && values_.truth(async) != Truth::No)
      return Way::Lost;
    walk_.steps.push_back({.op = event.model->op, .function = summary().function, .range = step.range});
    return Way::On;
  }

  Way call(const Transition& call) {
    std::vector<Target> open;
    for (const Target& target : call.targets) {
      const Truth runs = target.guard.valid() ? values_.truth(residual(target.guard)) : Truth::Yes;
      if (runs == Truth::Unknown) return Way::Lost;
      if (runs == Truth::Yes) open.push_back(target);
    }
    if (open.empty()) return go_on(call.to);
    if (open.size() > 1 || call.step->call.part != Call::Part::Whole) return Way::Lost;
    return come_into(frames_.enter(at(), *call.step, open[0]));
  }

  // Messages.

  Way transfer(const Step& step) {
    const std::string& name = step.transfer->name;
    const std::string_view op = std::string_view(name).substr(name.rfind('.') + 1);
    if (!in_.roles().play(name, Role::MovesMessage)) return Way::Lost;
    if (step.call.open_ended) return Way::Lost;
    const ValueId handle = in_root(step.made);
    if (op == "batch_isend_irecv") return batch(step, handle);
    if (const ValueId group = argument(step.call, step.transfer->group.argument);
        group.valid() && values_[group].kind != ValueKind::None) {
      const std::optional<AxisSet> axes = in_.resolve_group(group, Unknown::FreshAxis);
      if (!axes || !axes->world) return Way::Lost;
    }
    Described d;
    d.peer = argument(step.call, step.transfer->root);
    const ValueId tag = argument(step.call, {.position = op == "P2POp" ? 4 : 3, .keyword = "tag"});
    if (!d.peer.valid() || (tag.valid() && !values_.integer_of(tag, d.tag))) return Way::Lost;
    if (op == "P2POp") {
      const TransferDirection direction = direction_of(in_, argument(step.call, {.position = 0, .keyword = "op"}));
      if (direction == TransferDirection::Both) return Way::Lost;
      d.sends = direction == TransferDirection::Sends;
      described_[handle] = d;
      return Way::On;
    }
    d.sends = step.transfer->direction == TransferDirection::Sends;
    if (op.ends_with("_object_list")) d.tag = INT64_MAX;  // sizes and contents: no other transfer fits
    if (const Way way = post(step, d, std::string(op)); way != Way::On) return way;
    if (op[0] == 'i')
      handles_[handle] = {walk_.steps.size() - 1};
    else
      wait_for(step.range, walk_.steps.size() - 1);
    return Way::On;
  }

  Way post(const Step& step, const Described& d, std::string op) {
    int64_t peer = 0;
    if (!values_.integer_of(d.peer, peer)) return Way::Lost;
    if (peer < 0 || peer >= world_.size() || peer == scenario_.rank()) return Way::Fails;
    walk_.steps.push_back({.kind = d.sends ? MessageStep::Kind::Send : MessageStep::Kind::Receive,
                           .op = std::move(op),
                           .peer = static_cast<uint32_t>(peer),
                           .tag = d.tag,
                           .function = summary().function,
                           .range = step.range});
    return Way::On;
  }

  void wait_for(const SourceRange& range, size_t started) {
    walk_.steps.push_back({.kind = MessageStep::Kind::Wait,
                           .op = walk_.steps[started].op,
                           .started = started,
                           .function = summary().function,
                           .range = range});
  }

  Way batch(const Step& step, ValueId handle) {
    std::vector<ValueId> parts;
    const ValueId list = argument(step.call, step.transfer->tensor);
    if (!list.valid() || !flatten(list, parts)) return Way::Lost;
    if (parts.empty()) return Way::Fails;
    std::vector<size_t> started;
    for (ValueId part : parts) {
      const auto known = described_.find(part);
      if (known == described_.end()) return Way::Lost;
      if (const Way way = post(step, known->second, "batch_isend_irecv"); way != Way::On) return way;
      started.push_back(walk_.steps.size() - 1);
    }
    handles_[handle] = std::move(started);
    return Way::On;
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

  Way wait(const Step& step) {
    const ValueId handle = on_rank(step.call.positional[0]);
    if (values_[handle].kind == ValueKind::Subscript)
      if (const auto of = handles_.find(values_.child(handle, 0)); of != handles_.end()) {
        int64_t which = 0;
        if (!values_.integer_of(values_.child(handle, 1), which) || which < 0 ||
            static_cast<size_t>(which) >= of->second.size())
          return Way::Lost;
        wait_for(step.range, of->second[static_cast<size_t>(which)]);
        return Way::On;
      }
    const auto known = handles_.find(handle);
    if (known == handles_.end()) return handles_.empty() ? Way::On : Way::Lost;
    for (const size_t started : known->second) wait_for(step.range, started);
    return Way::On;
  }

  // Where it goes on.

  Way branch(const Transition& question) {
    const ValueId condition = residual(question.condition);
    Truth holds = values_.truth(condition);
    if (holds == Truth::Unknown) {
      if (values_.diverges(condition)) return Way::Lost;
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
    const ir::BlockId join = summary().graph.join(at().block);
    const unsigned yes = directions(0, join), no = directions(1, join);
    return (yes == 0 || yes == Directions::kBoth) && (no == 0 || no == Directions::kBoth) && (yes == 0 || no == 0);
  }

  bool goes_round_for_all() const {
    const unsigned inside = directions(0, at().block);
    return inside == 0 || inside == Directions::kBoth;
  }

  bool is_on_the_way_in() const { return !rank_.rounds.begun(at().frame, at().block); }

  // Round the loop at whose head it stands, as often as it was found on the way in, or out of it.
  Way turn(Loop& loop) {
    const int64_t round = rank_.rounds.begun(at().frame, at().block).value_or(0);
    loop.round = round;
    rank_.rounds.begin(at().frame, at().block, round + 1);
    return go_on(execution_.side(at(), round < loop.rounds ? 0 : 1));
  }

  Loop& loop_here() { return loops_[{summary().function.index, at().block.index, frame().binding.path}]; }

  Way iterate() {
    Loop& loop = loop_here();
    if (is_on_the_way_in()) {
      const ValueId more = summary().blocks[at().block.index].condition;
      if (!more.valid() || values_[more].child_count != 1) return Way::Lost;
      loop.round = 0;
      const ValueId iterable = on_rank(values_.child(more, 0));
      const std::optional<int64_t> known = rounds_of(iterable);
      if (known && *known > kMostRoundsOfProgram) return Way::Lost;
      if (!known && values_.diverges(iterable)) return Way::Lost;
      if (!known) choices_.believed = choices_.believed && goes_round_for_all();
      loop.rounds = known ? *known : choices_.rounds(iterable);
    }
    return turn(loop);
  }

  // `while` on what all ranks know and we do not.
  Way repeat(ValueId condition) {
    Loop& loop = loop_here();
    if (is_on_the_way_in()) {
      choices_.believed = choices_.believed && goes_round_for_all();
      loop.rounds = choices_.rounds(condition);
    }
    return turn(loop);
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
    if (name == "list" || name == "tuple") return element_of(of, round);
    if (name == "reversed")
      if (const std::optional<int64_t> rounds = rounds_of(of)) return element_of(of, *rounds - 1 - round);
    if (name == "enumerate")
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
    const auto loop =
        in_.knows(SiteId{value.a})
            ? loops_.find({in_.site(SiteId{value.a}).function.index, in_.site(SiteId{value.a}).block.index, value.b})
            : loops_.end();
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
