#include "analyzer/messages/message_walk.h"

#include <algorithm>

#include "analyzer/base/among.h"
#include "analyzer/variance/ranges.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

constexpr size_t kMostSteps = 400;
constexpr size_t kMostBlocks = 4000;
constexpr int kDeepest = 12;
constexpr int64_t kMostRounds = 64;

using Truth = ValueStore::Truth;

struct Frame {
  const Summary& summary;
  Binding binding;
};

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

class Walker {
 public:
  Walker(const Query& query, const Directions& directions, ElementTerms& elements, const World& world, uint32_t rank,
         MessageChoices& choices, std::set<FunctionKey>& entered)
      : in_(query),
        values_(query.values()),
        directions_(directions),
        elements_(elements),
        world_(world),
        scenario_(query, world, rank),
        choices_(choices),
        entered_(entered) {}

  MessageWalk run(const Summary& root) {
    Frame frame{root, {}};
    frame.binding.function = root.function;
    switch (function(frame)) {
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

  Way function(const Frame& frame) {
    const ir::Function& f = in_.index().function(frame.summary.function);
    if (f.is_generator || f.blocks.empty() || ++depth_ > kDeepest) return Way::Lost;
    entered_.insert(frame.summary.function);
    const ir::BlockId around = from_;
    from_ = {};
    ir::BlockId block{0}, next;
    Way way = Way::On;
    while (way == Way::On && block.valid()) {
      if (++blocks_ > kMostBlocks || walk_.steps.size() > kMostSteps) return Way::Lost;
      way = steps(frame, frame.summary.blocks[block.index]);
      if (way != Way::On) break;
      way = leave(frame, f, block, next);
      from_ = block;
      block = next;
    }
    from_ = around;
    --depth_;
    return way;
  }

  Way steps(const Frame& frame, const BlockSteps& block) {
    std::vector<const Step*> all;
    for (const Step& step : block.steps) all.push_back(&step);
    for (const Step& step : block.aside) all.push_back(&step);
    std::ranges::stable_sort(
        all, {}, [&](const Step* s) { return std::pair(in_.site(s->site).instruction, in_.site(s->site).part); });
    for (const Step* step : all)
      if (const Way way = one(frame, *step); way != Way::On) return way;
    return Way::On;
  }

  Way one(const Frame& frame, const Step& step) {
    if (step.yields) return Way::Lost;
    if (step.tears_down) return Way::Ends;
    if (step.leaves) return Way::Fails;
    if (step.waits) return wait(frame, step);
    if (step.transfer) return transfer(frame, step);
    return step.event ? collective(frame, step) : call(frame, step);
  }

  Way collective(const Frame& frame, const Step& step) {
    const Event& event = *step.event;
    if (event.model->kind == ModelKind::Setup) return Way::On;
    const std::optional<AxisSet> group = in_.as_group(in_root(frame, event.group), true);
    if (!group || !group->world) return Way::Lost;
    if (const ValueId async = argument(frame, step.call, event.model->async);
        async.valid() && values_.truth(async) != Truth::No)
      return Way::Lost;
    walk_.steps.push_back({.op = event.model->op, .function = frame.summary.function, .range = step.range});
    return Way::On;
  }

  Way call(const Frame& frame, const Step& step) {
    std::vector<Target> open;
    for (const Target& target : in_.targets(in_root(frame, step.call.callee))) {
      const Summary* s = in_.summary(target.function);
      if (!s || (!s->communicates && !s->transfers)) continue;
      if (target.guard.valid()) {
        const Truth runs = values_.truth(on_rank(frame, target.guard));
        if (runs == Truth::Unknown) return Way::Lost;
        if (runs == Truth::No) continue;
      }
      open.push_back(target);
    }
    if (open.empty()) return Way::On;
    if (open.size() > 1 || step.call.part != Call::Part::Whole) return Way::Lost;
    const Summary& s = *in_.summary(open[0].function);
    const Call made = in_.instantiate(step.call, frame.binding);
    return function({s, in_.bind(open[0], made, in_.extend_path(frame.binding.path, step.site))});
  }

  // Messages.

  Way transfer(const Frame& frame, const Step& step) {
    const std::string& name = step.transfer->name;
    const std::string_view op = std::string_view(name).substr(name.rfind('.') + 1);
    if (!in_.roles().play(name, Role::MovesMessage)) return Way::Lost;
    if (step.call.open_ended) return Way::Lost;
    const ValueId handle = in_root(frame, step.made);
    if (op == "batch_isend_irecv") return batch(frame, step, handle);
    if (const ValueId group = argument(frame, step.call, step.transfer->group.argument);
        group.valid() && values_[group].kind != ValueKind::None) {
      const std::optional<AxisSet> axes = in_.as_group(group, true);
      if (!axes || !axes->world) return Way::Lost;
    }
    Described d;
    d.peer = argument(frame, step.call, step.transfer->root);
    const ValueId tag = argument(frame, step.call, {.position = op == "P2POp" ? 4 : 3, .keyword = "tag"});
    if (!d.peer.valid() || (tag.valid() && !values_.integer_of(tag, d.tag))) return Way::Lost;
    if (op == "P2POp") {
      const std::string_view what = in_.callee_name(argument(frame, step.call, {.position = 0, .keyword = "op"}));
      if (what != "isend" && what != "irecv") return Way::Lost;
      d.sends = what == "isend";
      described_[handle] = d;
      return Way::On;
    }
    d.sends = op.find("send") != op.npos;
    if (op.ends_with("_object_list")) d.tag = INT64_MAX;  // sizes and contents: no other transfer fits
    if (const Way way = post(frame, step, d, std::string(op)); way != Way::On) return way;
    if (op[0] == 'i')
      handles_[handle] = {walk_.steps.size() - 1};
    else
      wait_for(frame, step.range, walk_.steps.size() - 1);
    return Way::On;
  }

  Way post(const Frame& frame, const Step& step, const Described& d, std::string op) {
    int64_t peer = 0;
    if (!values_.integer_of(d.peer, peer)) return Way::Lost;
    if (peer < 0 || peer >= world_.size() || peer == scenario_.rank()) return Way::Fails;
    walk_.steps.push_back({.kind = d.sends ? MessageStep::Kind::Send : MessageStep::Kind::Receive,
                           .op = std::move(op),
                           .peer = static_cast<uint32_t>(peer),
                           .tag = d.tag,
                           .function = frame.summary.function,
                           .range = step.range});
    return Way::On;
  }

  void wait_for(const Frame& frame, const SourceRange& range, size_t started) {
    walk_.steps.push_back({.kind = MessageStep::Kind::Wait,
                           .op = walk_.steps[started].op,
                           .started = started,
                           .function = frame.summary.function,
                           .range = range});
  }

  Way batch(const Frame& frame, const Step& step, ValueId handle) {
    std::vector<ValueId> parts;
    const ValueId list = argument(frame, step.call, step.transfer->tensor);
    if (!list.valid() || !flatten(list, parts)) return Way::Lost;
    if (parts.empty()) return Way::Fails;
    std::vector<size_t> started;
    for (ValueId part : parts) {
      const auto known = described_.find(part);
      if (known == described_.end()) return Way::Lost;
      if (const Way way = post(frame, step, known->second, "batch_isend_irecv"); way != Way::On) return way;
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
      return true;
    }
    const bool joined = v.kind == ValueKind::Binary && v.op == ir::Operator::Add;
    return joined && flatten(values_.child(list, 0), parts) && flatten(values_.child(list, 1), parts);
  }

  Way wait(const Frame& frame, const Step& step) {
    const ValueId handle = on_rank(frame, step.call.positional[0]);
    if (values_[handle].kind == ValueKind::Subscript)
      if (const auto of = handles_.find(values_.child(handle, 0)); of != handles_.end()) {
        int64_t which = 0;
        if (!values_.integer_of(values_.child(handle, 1), which) || which < 0 ||
            static_cast<size_t>(which) >= of->second.size())
          return Way::Lost;
        wait_for(frame, step.range, of->second[static_cast<size_t>(which)]);
        return Way::On;
      }
    const auto known = handles_.find(handle);
    if (known == handles_.end()) return handles_.empty() ? Way::On : Way::Lost;
    for (const size_t started : known->second) wait_for(frame, step.range, started);
    return Way::On;
  }

  // Where it goes on.

  Way leave(const Frame& frame, const ir::Function& f, ir::BlockId block, ir::BlockId& next) {
    const ir::Terminator& end = f.blocks[block].terminator;
    next = {};
    switch (end.kind) {
      case ir::TerminatorKind::Jump: next = end.successors[0]; return Way::On;
      case ir::TerminatorKind::Return: return Way::On;
      case ir::TerminatorKind::Raise: return f.blocks[block].handler.valid() ? Way::Lost : Way::Fails;
      case ir::TerminatorKind::Unreachable: return Way::Fails;
      case ir::TerminatorKind::Except: return Way::Lost;
      case ir::TerminatorKind::Iterate: return iterate(frame, end, block, next);
      case ir::TerminatorKind::Branch: break;
    }
    const ValueId condition = on_rank(frame, frame.summary.blocks[block.index].condition);
    Truth holds = values_.truth(condition);
    if (holds == Truth::Unknown) {
      if (values_.diverges(condition)) return Way::Lost;
      if (end.is_loop) return repeat(frame, end, block, condition, next);
      choices_.believed = choices_.believed && is_of_all(frame, end, block);
      holds = choices_.holds(values_, condition) ? Truth::Yes : Truth::No;
    }
    next = end.successors[holds == Truth::Yes ? 0 : 1];
    return Way::On;
  }

  // Whether one side has both ends of what it sends and the other has none of it: what a switch of all ranks looks
  // like.
  bool is_of_all(const Frame& frame, const ir::Terminator& end, ir::BlockId block) const {
    const ir::BlockId join = frame.summary.graph.join(block);
    const unsigned yes = directions_.between(frame.summary, end.successors[0], join),
                   no = directions_.between(frame.summary, end.successors[1], join);
    return (yes == 0 || yes == Directions::kBoth) && (no == 0 || no == Directions::kBoth) && (yes == 0 || no == 0);
  }

  bool goes_round_for_all(const Frame& frame, const ir::Terminator& end, ir::BlockId head) const {
    const unsigned inside = directions_.between(frame.summary, end.successors[0], head);
    return inside == 0 || inside == Directions::kBoth;
  }

  LoopKey key_of(const Frame& frame, ir::BlockId block) const {
    return {frame.summary.function.index, block.index, frame.binding.path};
  }

  Loop& arrive(const Frame& frame, ir::BlockId head, bool& enters) {
    Loop& loop = loops_[key_of(frame, head)];
    enters = !from_.valid() || !frame.summary.graph.dominates(head, from_);
    if (enters) loop.round = -1;
    ++loop.round;
    return loop;
  }

  Way iterate(const Frame& frame, const ir::Terminator& end, ir::BlockId head, ir::BlockId& next) {
    bool enters = false;
    Loop& loop = arrive(frame, head, enters);
    if (enters) {
      const ValueId more = frame.summary.blocks[head.index].condition;
      if (!more.valid() || values_[more].child_count != 1) return Way::Lost;
      const ValueId iterable = on_rank(frame, values_.child(more, 0));
      const std::optional<int64_t> known = rounds_of(iterable);
      if (known && *known > kMostRounds) return Way::Lost;
      if (!known && values_.diverges(iterable)) return Way::Lost;
      if (!known) choices_.believed = choices_.believed && goes_round_for_all(frame, end, head);
      loop.rounds = known ? *known : choices_.rounds(iterable);
    }
    next = end.successors[loop.round < loop.rounds ? 0 : 1];
    return Way::On;
  }

  // `while` on what all ranks know and we do not.
  Way repeat(const Frame& frame, const ir::Terminator& end, ir::BlockId head, ValueId condition, ir::BlockId& next) {
    bool enters = false;
    Loop& loop = arrive(frame, head, enters);
    if (enters) {
      choices_.believed = choices_.believed && goes_round_for_all(frame, end, head);
      loop.rounds = choices_.rounds(condition);
    }
    next = end.successors[loop.round < loop.rounds ? 0 : 1];
    return Way::On;
  }

  std::optional<int64_t> rounds_of(ValueId iterable) const {
    if (const std::optional<NumberRange> range = range_of(values_, in_.index(), iterable)) return range->size();
    if (const auto of = handles_.find(iterable); of != handles_.end()) return static_cast<int64_t>(of->second.size());
    std::vector<ValueId> parts;
    if (flatten(iterable, parts)) return static_cast<int64_t>(parts.size());
    const std::string_view name = function_of(values_, in_.index(), iterable);
    if (values_[iterable].child_count == 1 && among(name, {"list", "tuple", "reversed", "enumerate"}))
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

  ValueId in_root(const Frame& frame, ValueId v) { return v.valid() ? in_.instantiate(v, frame.binding) : v; }
  ValueId on_rank(const Frame& frame, ValueId v) { return in_this_round(scenario_.residual(in_root(frame, v))); }
  ValueId argument(const Frame& frame, const Call& call, const ArgumentSpec& spec) {
    const ValueId given = in_.argument(call, spec);
    return given.valid() ? on_rank(frame, given) : given;
  }

  // What the loops around it have come to put in.
  ValueId in_this_round(ValueId v) {
    if (loops_.empty() || !elements_.contain(v)) return v;
    const Value value = values_[v];
    std::vector<ValueId> parts(values_.children(v).begin(), values_.children(v).end());
    for (ValueId& part : parts) part = in_this_round(part);
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
  const World& world_;
  Scenario scenario_;
  MessageChoices& choices_;
  std::set<FunctionKey>& entered_;
  MessageWalk walk_;
  int depth_ = 0;
  size_t blocks_ = 0;
  ir::BlockId from_;  // the block that was left last, in this function
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

MessageWalk walk_messages(const Query& query, const Directions& directions, ElementTerms& elements, const Summary& root,
                          const World& world, uint32_t rank, MessageChoices& choices, std::set<FunctionKey>& entered) {
  return Walker(query, directions, elements, world, rank, choices, entered).run(root);
}

}  // namespace ranklint
