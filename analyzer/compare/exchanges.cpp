// Exchanges with neighbours that do not fit together: one that a rank leaves out with its computation, and two tensors
// that are sent in one order and received in another.
//
// In a causal ring a rank has nothing to compute in some steps, and the tempting `if step <= rank:` around the kernel
// takes the exchange with it. The neighbour has its own number and still waits. So an exchange counts, a batch of
// transfers or a function that makes one, under a comparison between the step of a loop and the rank, with no exchange
// on the other side.
//
// What lies between two ranks is one queue: the first message sent is the first received. Where every rank sends `k`
// and then `v`, and receives into what was made like `v` and then like `k`, each holds the other's two tensors the
// wrong way round.
#include <algorithm>
#include <array>
#include <map>

#include "analyzer/base/work_limit.h"
#include "analyzer/compare/tensor_passes.h"
#include "analyzer/ir/expr_printer.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

constexpr std::array<std::string_view, 20> kWays{"next",   "prev", "recv",     "received", "receive",  "buf",  "buffer",
                                                 "new",    "in",   "incoming", "out",      "outgoing", "send", "sent",
                                                 "remote", "from", "to",       "tmp",      "left",     "right"};

// Which ranks get to a place: all, or those on one side of a branch.
struct Class {
  ir::BlockId branch;
  bool holds = true;
  friend auto operator<=>(const Class&, const Class&) = default;
};

struct Moved {
  Place at;
  SourceRange range;
  bool sends = false;
  std::string peer, tensor;
};

class Exchanges {
 public:
  Exchanges(const Query& in, TensorFacts& facts) : in_(in), values_(in.values()), index_(in.index()), facts_(facts) {}

  void run() {
    for (const auto& [site, call] : in_.watched().calls)
      if (in_.callee_name(call.call.callee) == "batch_isend_irecv") batching_.insert(site.function);
    in_.for_each_watched("exchanges", [&](FunctionKey f, const auto& watched) {
      if (const Summary* s = in_.summary(f)) visit(FunctionCode(index_, *s), *s, {watched.begin(), watched.end()});
    });
  }

 private:
  using Calls = std::vector<std::pair<Site, WatchedCall>>;

  void visit(const FunctionCode& code, const Summary& s, const Calls& calls) {
    find_skipped(s, calls);
    std::map<Class, std::vector<Moved>> moved;
    if (references_of_ != code.module) references_.emplace(code.text);
    references_of_ = code.module;
    const ir::ExprPrinter print(*references_, code.ir);
    for (const auto& [site, call] : calls)
      if (std::optional<Moved> m = moved_by(code, print, site, call))
        moved[class_of(s, site.block)].push_back(std::move(*m));
    for (auto& [ranks, list] : moved) {
      std::sort(list.begin(), list.end(), [](const Moved& a, const Moved& b) { return a.range < b.range; });
      const auto other = ranks.branch.valid() ? moved.find({ranks.branch, !ranks.holds}) : moved.find(ranks);
      if (other != moved.end() && compare(code.key, list, other->second)) return;
    }
  }

  // Exchanges that ranks leave out.

  void find_skipped(const Summary& s, const Calls& calls) {
    std::vector<std::pair<Class, SourceRange>> exchanges;
    for (const auto& [site, call] : calls)
      if (s.graph.reachable(site.block) && is_exchange(call))
        exchanges.emplace_back(class_of(s, site.block), call.range);
    for (const auto& [ranks, range] : exchanges) {
      if (!ranks.branch.valid() || !compares_step_with_rank(s.blocks[ranks.branch.index].condition)) continue;
      const Class others{ranks.branch, !ranks.holds};
      if (std::any_of(exchanges.begin(), exchanges.end(), [&](const auto& e) { return e.first == others; })) continue;
      const SourceRange guard = index_.function(s.function).blocks[ranks.branch].terminator.range;
      facts_.skipped_exchanges.push_back({s.function, range, "exchange", s.function, guard, {}, Certainty::Likely});
      return;
    }
  }

  bool is_exchange(const WatchedCall& call) {
    const Value& callee = values_[call.call.callee];
    if (callee.kind == ValueKind::Function || callee.kind == ValueKind::Bound)
      if (batching_.contains(FunctionKey{callee.a})) return true;
    return call.model && call.model->kind == ModelKind::PointToPoint && call.model->op == "batch_isend_irecv";
  }

  // `step <= rank`, and what is said of it further.
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

  static bool is_order(ir::Operator op) {
    return op == ir::Operator::Less || op == ir::Operator::LessEqual || op == ir::Operator::Greater ||
           op == ir::Operator::GreaterEqual;
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

  // The innermost branch on the rank that decides about a block, by a way around it or by leaving the loop's round.
  Class class_of(const Summary& s, ir::BlockId block) {
    if (!s.graph.reachable(block)) return {};
    for (ir::BlockId above = s.graph.dominator(block); above.valid(); above = s.graph.dominator(above)) {
      const ir::Terminator& end = index_.function(s.function).blocks[above].terminator;
      const ValueId condition = s.blocks[above.index].condition;
      if (end.kind != ir::TerminatorKind::Branch || !condition.valid() || values_.variance(condition).empty()) continue;
      for (const bool side : {true, false}) {
        const ir::BlockId next = end.successors[side ? 0 : 1];
        if (s.graph.predecessors(next).size() == 1 && s.graph.dominates(next, block)) return {above, side};
      }
    }
    return {};
  }

  // Tensors that change places.

  std::optional<Moved> moved_by(const FunctionCode& code, const ir::ExprPrinter& print, const Site& site,
                                const WatchedCall& watched) const {
    const auto& instructions = code.ir.blocks[site.block].instructions;
    if (site.instruction >= instructions.size() || instructions[site.instruction].kind != ir::InstructionKind::Call)
      return std::nullopt;
    const ir::Instruction& call = instructions[site.instruction];
    const std::string called = index_.dotted(code.module, code.ir, call.value);
    std::string_view name = last_part(called);
    std::vector<ir::ExprId> given;
    for (const ir::Argument& a : ir::arguments(code.ir, call)) {
      if (a.kind != ir::ArgumentKind::Positional) return std::nullopt;  // a tag or a group of its own: another queue
      given.push_back(a.value);
    }
    const std::string operation =
        name == "P2POp" && given.size() >= 3 ? index_.dotted(code.module, code.ir, given[0]) : std::string(name);
    if (name == "P2POp" && given.size() >= 3) given.erase(given.begin());
    name = last_part(operation);
    if (given.size() < 2 || (!name.ends_with("send") && !name.ends_with("recv"))) return std::nullopt;
    if (name != "isend" && name != "irecv" && name != "send" && name != "recv") return std::nullopt;
    const Place at{site.block, site.instruction};
    Moved m{
        .at = at, .range = watched.range, .sends = name.ends_with("send"), .peer = print.text(given[1]), .tensor = {}};
    m.tensor = stem(m.sends ? print.text(given[0]) : made_like(code, print, given[0], at));
    return m;
  }

  // What a buffer was made like, `k` of `torch.empty_like(k)`; else the buffer itself.
  std::string made_like(const FunctionCode& code, const ir::ExprPrinter& print, ir::ExprId buffer, Place at) const {
    if (code.ir.exprs[buffer].kind == ir::ExprKind::Name) {
      const Reaching from = code.reaching(code.ir.exprs[buffer].symbol, at);
      if (from.definitions.size() == 1 && from.definitions[0].instruction &&
          from.definitions[0].instruction->kind == ir::InstructionKind::Call) {
        const ir::Instruction& made = *from.definitions[0].instruction;
        const ir::Expr& callee = code.ir.exprs[made.value];
        const std::string name = index_.dotted(code.module, code.ir, made.value);
        const bool makes = callee.kind == ir::ExprKind::Attribute && (in_.roles().play(name, Role::MakesTensorLike) ||
                                                                      in_.roles().play(name, Role::MakesTensorBeside) ||
                                                                      in_.roles().play(name, Role::KeepsTensor));
        const ir::ExprId base = makes ? ir::children(code.ir, made.value)[0] : ir::ExprId{};
        if (makes && !names_library(index_, code, base)) return print.text(base);
        if (const ir::ExprId like = makes ? first_argument(code, made) : ir::ExprId{}; like.valid())
          return print.text(like);
      }
    }
    return print.text(buffer);
  }

  // A name without the words that say where it goes: `k` of `next_k`, `k_to_send` and `recv_k`.
  static std::string stem(const std::string& name) {
    std::string out;
    for (size_t begin = 0; begin <= name.size();) {
      const size_t end = std::min(name.find('_', begin), name.size());
      const std::string_view word = std::string_view(name).substr(begin, end - begin);
      if (!word.empty() && std::find(kWays.begin(), kWays.end(), word) == kWays.end())
        out += (out.empty() ? "" : "_") + std::string(word);
      begin = end + 1;
    }
    return out;
  }

  static std::map<std::string, std::vector<const Moved*>> by_peer(const std::vector<Moved>& all, bool sends) {
    std::map<std::string, std::vector<const Moved*>> out;
    for (const Moved& m : all)
      if (m.sends == sends) out[m.peer].push_back(&m);
    return out;
  }

  // Whether a queue of `senders` is received by `receivers` in another order.
  bool compare(FunctionKey function, const std::vector<Moved>& senders, const std::vector<Moved>& receivers) {
    const auto to_peers = by_peer(senders, true), from_peers = by_peer(receivers, false);
    for (const auto& [to, sent] : to_peers)
      for (const auto& [from, received] : from_peers) {
        charge_work(1 + std::min(sent.size(), received.size()));
        if (!is_reordered(sent, received)) continue;
        const auto differing = std::mismatch(sent.begin(), sent.end(), received.begin(),
                                             [](const Moved* a, const Moved* b) { return a->tensor == b->tensor; });
        facts_.swapped_receives.push_back({function, (*differing.second)->range, (*differing.second)->tensor, function,
                                           (*differing.first)->range, (*differing.first)->tensor, Certainty::Likely});
        return true;
      }
    return false;
  }

  // The same tensors, each once, in another order.
  static bool is_reordered(const std::vector<const Moved*>& sent, const std::vector<const Moved*>& received) {
    if (sent.size() < 2 || sent.size() != received.size()) return false;
    std::vector<std::string> a, b;
    for (const Moved* m : sent) a.push_back(m->tensor);
    for (const Moved* m : received) b.push_back(m->tensor);
    if (a == b) return false;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b && std::adjacent_find(a.begin(), a.end()) == a.end() && !a.front().empty();
  }

  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  TensorFacts& facts_;
  ModuleKey references_of_;
  std::optional<ir::References> references_;
  std::set<FunctionKey> batching_;  // make a batch of transfers themselves
};

}  // namespace

void find_exchanges(const Query& query, TensorFacts& facts) { Exchanges(query, facts).run(); }

}  // namespace ranklint
