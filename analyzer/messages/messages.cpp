// Which functions are run as programs of messages, in which worlds, and what is reported of them.
//
// A function that sends and receives is started on every rank of worlds of two to five ranks, under every choice that
// all ranks share, and the lists of what the ranks do are put together (message_steps.h). One that comes to its end in
// some world may have been written for that one: a tutorial's `if rank == 0: send(...) else: recv(...)` is right with
// two ranks. So a hang is reported as likely only if no world that the function can run in is free of it.
//
// A message that one function sends may be received by another one that other ranks run. So functions without a caller
// are run, with what they call; another one only if its callers could not be, and if no rank is kept out of it; and
// what only sends, or only receives, is half of something.
#include "analyzer/messages/messages.h"

#include <algorithm>
#include <span>

#include "analyzer/messages/message_walk.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/summary/is_call.h"

namespace ranklint {
namespace {

constexpr uint32_t kSizesOfWorlds[] = {4, 2, 3, 5};
constexpr size_t kMostRuns = 48;  // of one function in one world

struct Hang {
  MessageLists lists;
  MessageEnding ending;
  PathCondition choices;
  bool buffers_help = false;
};

// All runs in one world.
struct OfWorld {
  std::optional<Hang> hang;
  bool finishes = false;  // some run comes to its end with its messages sent
  bool has_half = false;  // some run is stuck in which ranks only send, or only receive
  bool known = true;
};

bool goes_both_ways(const MessageLists& lists) {
  bool sends = false, receives = false;
  for (const auto& list : lists)
    for (const MessageStep& s : list) {
      sends = sends || s.kind == MessageStep::Kind::Send;
      receives = receives || s.kind == MessageStep::Kind::Receive;
    }
  return sends && receives;
}

class MessageSearch {
 public:
  explicit MessageSearch(const Query& in) : in_(in), directions_(in), elements_(in.values()) {}

  Messages run() {
    in_.for_each_function_to_check("messages", [&](FunctionKey f) {
      if (is_program(f)) programs_.insert(f);
    });
    if (programs_.empty()) return {};
    find_callers();
    for (const FunctionKey f : programs_)
      if (!callers_.contains(f)) check_contained(f);
    for (const FunctionKey f : programs_)
      if (callers_.contains(f) && !found_.judged.contains(f) && !kept_out_.contains(f)) check_contained(f);
    return std::move(found_);
  }

 private:
  void check_contained(FunctionKey f) {
    in_.contain(f, "messages", [&] { check(f); });
  }

  bool is_program(FunctionKey f) {
    const Summary* s = in_.summary(f);
    if (!s || !s->transfers || directions_.of(f) != Directions::kBoth) return false;
    const ir::FunctionKind kind = in_.index().function(f).kind;
    return kind != ir::FunctionKind::ClassBody &&
           !in_.index().modules()[in_.index().functions()[f].module].has(ir::Convention::RunsInWorlds);
  }

  void find_callers() {
    for (uint32_t i = 0; i < in_.index().functions().size(); ++i) {
      const FunctionKey f{i};
      const Summary* s = in_.summary(f);
      if (!s || !s->transfers) continue;
      for (uint32_t b = 0; b < s->blocks.size(); ++b) {
        note_callees(f, *s, ir::BlockId{b}, s->blocks[b].steps);
        note_callees(f, *s, ir::BlockId{b}, s->blocks[b].point_to_point);
      }
    }
  }

  void note_callees(FunctionKey caller, const Summary& s, ir::BlockId block, std::span<const Step> steps) {
    for (const Step& step : steps) {
      if (!is_call(step)) continue;
      for (const Target& target : in_.targets(step.call.callee)) {
        if (target.function == caller || !programs_.contains(target.function)) continue;
        callers_.insert(target.function);
        if (kept_out_.contains(target.function)) continue;
        if (target.guard.valid() || rank_guard_of(in_, s, block).valid()) kept_out_.insert(target.function);
      }
    }
  }

  void check(FunctionKey f) {
    std::optional<Hang> hang;
    uint32_t size = 0;
    bool has_clean_world = false;
    std::set<FunctionKey> entered;
    Frames frames(in_, *in_.summary(f), Frames::WithMessages());
    for (const uint32_t ranks : kSizesOfWorlds) {
      OfWorld of = run_world(frames, World::flat(ranks), entered);
      if (!of.known) return;
      has_clean_world = has_clean_world || (!of.hang && !of.has_half && of.finishes);
      if (!of.hang || hang) continue;
      hang = std::move(of.hang);
      size = ranks;
    }
    found_.judged.insert(entered.begin(), entered.end());
    if (hang) report(f, *hang, size, has_clean_world);
  }

  OfWorld run_world(Frames& frames, const World& world, std::set<FunctionKey>& entered) {
    OfWorld of;
    MessageChoices choices;
    for (size_t run = 0; run < kMostRuns; ++run) {
      MessageLists lists;
      bool fails = false;
      for (uint32_t rank = 0; rank < world.size() && of.known; ++rank) {
        MessageWalk walk = walk_messages(in_, directions_, elements_, frames, world, rank, choices, entered);
        of.known = walk.end != MessageWalk::End::Lost;
        fails = fails || walk.end == MessageWalk::End::Fails;
        lists.push_back(std::move(walk.steps));
      }
      of.known = of.known && settle_tags(lists);
      if (!of.known) return of;
      if (!fails) take(of, std::move(lists), choices);
      if (!choices.advance()) return of;
    }
    of.known = false;
    return of;
  }

  static void take(OfWorld& of, MessageLists lists, const MessageChoices& choices) {
    const bool both = goes_both_ways(lists);
    MessageEnding ending = put_together(lists, false);
    if (!ending.is_stuck(lists)) {
      of.finishes = of.finishes || both;
      return;
    }
    of.has_half = of.has_half || (!both && choices.believed);
    if (!both || !choices.believed || of.hang) return;
    const bool buffers_help = !put_together(lists, true).is_stuck(lists);
    of.hang = Hang{std::move(lists), std::move(ending), choices.made(), buffers_help};
  }

  static bool waits_in_message(const Hang& h, uint32_t rank) {
    return h.ending.at[rank] < h.lists[rank].size() && step_of(h, rank).kind == MessageStep::Kind::Wait;
  }

  // What the other end posts for the message that a rank waits for, however far it comes; null: nothing.
  static const MessageStep* answer_to(const Hang& h, uint32_t rank) {
    const auto& list = h.lists[rank];
    const size_t started = step_of(h, rank).started;
    const MessageStep& s = list[started];
    const auto wanted = s.kind == MessageStep::Kind::Send ? MessageStep::Kind::Receive : MessageStep::Kind::Send;
    auto before =
        std::count_if(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(started),
                      [&](const MessageStep& t) { return t.kind == s.kind && t.peer == s.peer && t.tag == s.tag; });
    for (const MessageStep& t : h.lists[s.peer])
      if (t.kind == wanted && t.peer == rank && t.tag == s.tag && before-- == 0) return &t;
    return nullptr;
  }

  // The ranks that wait for each other in a circle, from the lowest that waits for a message; empty: `rank` leads to
  // none.
  static std::vector<uint32_t> circle_from(const Hang& h, uint32_t rank) {
    std::vector<uint32_t> chain{rank};
    for (;;) {
      const uint32_t next = waits_for(h.lists, h.ending, chain.back());
      if (h.ending.at[next] == h.lists[next].size() || next == chain.back()) return {};
      const auto met = std::find(chain.begin(), chain.end(), next);
      if (met == chain.end()) {
        chain.push_back(next);
        continue;
      }
      chain.erase(chain.begin(), met);
      std::ranges::rotate(chain, std::ranges::min_element(
                                     chain, {}, [&](uint32_t r) { return std::pair(!waits_in_message(h, r), r); }));
      if (!waits_in_message(h, chain[0])) return {};
      return chain;
    }
  }

  // Messages without a counterpart, each once; else a cycle.
  void report(FunctionKey f, const Hang& hang, uint32_t size, bool has_clean_world) {
    std::set<std::pair<FunctionKey, SourceRange>> reported;
    for (uint32_t rank = 0; rank < size; ++rank) {
      if (!waits_in_message(hang, rank) || answer_to(hang, rank)) continue;
      const WaitingRank w = waiting(hang, rank);
      if (reported.emplace(w.function, w.range).second) add(f, hang, size, has_clean_world, {rank}, false);
    }
    for (uint32_t rank = 0; rank < size && reported.empty(); ++rank)
      if (const std::vector<uint32_t> circle = circle_from(hang, rank); !circle.empty())
        return add(f, hang, size, has_clean_world, circle, true);
  }

  void add(FunctionKey f, const Hang& hang, uint32_t size, bool has_clean_world, const std::vector<uint32_t>& ranks,
           bool in_circle) {
    StuckMessage m;
    m.root = f;
    m.in_circle = in_circle;
    m.buffers_help = hang.buffers_help;
    m.world_size = size;
    for (const uint32_t r : ranks) m.waiting.push_back(waiting(hang, r));
    m.tag = hang.lists[ranks[0]][step_of(hang, ranks[0]).started].tag;
    if (has_clean_world) m.certainty.doubt({Reason::EndsOtherwise});
    for (const auto& [term, holds] : hang.choices.all())
      if (const std::string text = in_.source_text(term); !text.empty())
        m.assumptions.push_back("`" + text + "`" + (holds ? " holds" : " does not hold"));
    m.replay = replay_of(hang, size, m.waiting[0]);
    found_.stuck.push_back(std::move(m));
  }

  static const MessageStep& step_of(const Hang& h, uint32_t rank) { return h.lists[rank][h.ending.at[rank]]; }

  static WaitingRank waiting(const Hang& h, uint32_t rank) {
    const MessageStep& at = step_of(h, rank);
    const MessageStep& of = at.kind == MessageStep::Kind::Wait ? h.lists[rank][at.started] : at;
    const bool in_message = at.kind == MessageStep::Kind::Wait;
    const MessageStep* answer = in_message ? answer_to(h, rank) : nullptr;
    return {.rank = rank,
            .in_message = in_message,
            .sends = of.kind == MessageStep::Kind::Send,
            .op = of.op,
            .waits_for = waits_for(h.lists, h.ending, rank),
            .function = of.function,
            .range = of.range,
            .answered_in = answer ? answer->function : FunctionKey{},
            .answer = answer ? answer->range : SourceRange{}};
  }

  std::shared_ptr<const Replay> replay_of(const Hang& h, uint32_t size, const WaitingRank& waiter) {
    Replay replay;
    replay.world_size = size;
    std::vector<uint32_t> all;
    for (uint32_t rank = 0; rank < size; ++rank) all.push_back(rank);
    replay.groups.push_back({"world", std::vector<std::vector<uint32_t>>(size, all)});
    replay.fails.assign(size, false);
    replay.parts = true;
    replay.waiter = static_cast<int>(waiter.rank);
    replay.path = in_.index().path(waiter.function);
    replay.waits = waiter.range;
    for (const auto& list : h.lists) replay.ranks.push_back(steps_of(list));
    return std::make_shared<const Replay>(std::move(replay));
  }

  // A transfer that is waited for at once is a blocking one.
  std::vector<ReplayStep> steps_of(const std::vector<MessageStep>& list) const {
    std::vector<ReplayStep> steps;
    std::vector<size_t> index(list.size());
    for (size_t i = 0; i < list.size(); ++i) {
      const MessageStep& s = list[i];
      index[i] = steps.size();
      const bool blocks =
          i + 1 < list.size() && list[i + 1].kind == MessageStep::Kind::Wait && list[i + 1].started == i;
      if (s.kind == MessageStep::Kind::Wait && s.started + 1 == i) continue;
      ReplayStep step;
      step.op = s.op;
      step.path = in_.index().path(s.function);
      step.range = s.range;
      switch (s.kind) {
        case MessageStep::Kind::Collective: break;
        case MessageStep::Kind::Send: step.message.kind = Message::Kind::Send; break;
        case MessageStep::Kind::Receive: step.message.kind = Message::Kind::Receive; break;
        case MessageStep::Kind::Wait:
          step.message.kind = Message::Kind::Wait;
          step.message.started = index[s.started];
          step.range = list[s.started].range;
          break;
      }
      step.message.peer = s.peer;
      step.message.tag = static_cast<int32_t>(s.tag);
      step.message.starts_only = !blocks;
      steps.push_back(std::move(step));
    }
    return steps;
  }

  const Query& in_;
  const Directions directions_;
  ElementTerms elements_;
  Messages found_;
  std::set<FunctionKey> programs_;  // those that are judged and both send and receive, themselves or in what they call
  std::set<FunctionKey> callers_;   // those of them that are called
  std::set<FunctionKey> kept_out_;  // by some ranks only
};

}  // namespace

Messages find_stuck_messages(const Query& query) { return MessageSearch(query).run(); }

}  // namespace ranklint
