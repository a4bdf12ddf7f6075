// The messages from one rank to another form a queue: the first message sent is the first received. Where every rank
// sends `k` and then `v`, and receives into what was made like `v` and then like `k`, the two tensors arrive swapped.
#include <algorithm>
#include <map>

#include "analyzer/base/work_limit.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/questions/value_numbers.h"
#include "rules/p2p/transfers.h"
#include "rules/wording.h"

namespace ranklint::batched_p2p_order {

constexpr RuleInfo kInfo{.id = "batched-p2p-order",
                         .code = "RL204",
                         .summary = "tensors are sent to a neighbour in one order and received from it in another",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "tensors arrive in each other's place",
                         .premise = "the neighbour runs the same code"};

constexpr std::string_view kCalls[] = {"<point-to-point>"};

namespace {

// What is sent or received: one thing where its numbers are the same, and by its name where that has more to say than
// which way it goes, as `next_k` and `k_to_send` have.
struct Tensor {
  ValueNumber number;  // of the object that has the name, or of the tensor itself; invalid: a variable has it
  std::string stem;
  friend auto operator<=>(const Tensor&, const Tensor&) = default;
};

struct Moved {
  SourceRange range;
  bool sends = false;
  ValueId peer;  // two messages with one of them lie in one queue
  Tensor tensor;
  std::string spelled;  // for people
};

// A receive into one tensor where the neighbour sends another.
struct SwappedReceive {
  FunctionKey function;
  SourceRange received_at;
  std::string received;
  SourceRange sent_at;
  std::string sent;
};

class SwappedReceives {
 public:
  explicit SwappedReceives(const Query& in) : in_(in), index_(in.index()), numbers_(in) {}

  std::vector<SwappedReceive> run() {
    in_.for_each_watched("exchanges", [&](FunctionKey f, const auto& watched) {
      if (const Summary* s = in_.summary(f)) visit(FunctionCode(index_, *s), *s, watched);
    });
    return std::move(found_);
  }

 private:
  void visit(const FunctionCode& code, const Summary& s, const WatchedCalls& calls) {
    std::map<RankSide, std::vector<Moved>> moved;
    for (const auto& [site, call] : calls)
      if (std::optional<Moved> m = moved_by(code, site, call))
        moved[rank_side_of(in_, s, site.block)].push_back(std::move(*m));
    for (auto& [ranks, list] : moved) {
      std::sort(list.begin(), list.end(), [](const Moved& a, const Moved& b) { return a.range < b.range; });
      const auto other = ranks.branch.valid() ? moved.find({ranks.branch, !ranks.holds}) : moved.find(ranks);
      if (other != moved.end() && compare(code.key, list, other->second)) return;
    }
  }

  std::optional<Moved> moved_by(const FunctionCode& code, const Site& site, const WatchedCall& watched) {
    const ir::Instruction* made = in_.call_at(site);
    if (!made) return std::nullopt;
    const ir::Instruction& call = *made;
    const auto arguments = ir::arguments(code.ir, call);
    for (const ir::Argument& a : arguments)
      if (a.kind != ir::ArgumentKind::Positional) return std::nullopt;  // a tag or a group of its own: another queue
    const size_t tensor = plays(in_, code, call, Role::DescribesMessage) ? 1 : 0, peer = tensor + 1;
    if (arguments.size() <= peer || watched.call.positional.size() <= peer) return std::nullopt;
    const ir::ExprId operation = tensor ? arguments.front().value : call.value;
    const Model* model = in_.models().find(foreign_name(index_, code.module, code.ir, operation));
    if (!model || model->kind != ModelKind::PointToPoint || model->direction == TransferDirection::Both)
      return std::nullopt;
    const ProgramPoint at{site.block, site.instruction};
    const bool sends = model->direction == TransferDirection::Sends;
    const Tensor moved = sends ? tensor_in(code, first_name(code, {arguments[tensor].value, at}))
                               : made_like(code, arguments[tensor].value, at);
    std::string spelled = moved.stem.empty() ? in_.source_text(watched.call.positional[tensor]) : moved.stem;
    if (const Symbol whole = code.root(arguments[tensor].value); spelled.empty() && whole.valid())
      spelled = std::string(code.text.text(whole)) + "[...]";
    return Moved{watched.range, sends, watched.call.positional[peer], moved, std::move(spelled)};
  }

  // An expression and the place where it is evaluated.
  struct Read {
    ir::ExprId e;
    ProgramPoint at;
  };

  // What a buffer was made like, `k` of `torch.empty_like(k)`; else the buffer itself.
  Tensor made_like(const FunctionCode& code, ir::ExprId buffer, ProgramPoint at) {
    const Read first = first_name(code, {buffer, at});
    const std::optional<Definition> from = code.only_definition(first.e, first.at);
    if (!from || from->instruction->kind != ir::InstructionKind::Call) return tensor_in(code, first);
    const ir::Instruction& made = *from->instruction;
    const std::string name = index_.dotted(code.module, code.ir, made.value);
    const bool makes = code.ir.exprs[made.value].kind == ir::ExprKind::Attribute &&
                       (in_.roles().play(name, Role::MakesTensorLike) ||
                        in_.roles().play(name, Role::MakesTensorBeside) || in_.roles().play(name, Role::KeepsTensor));
    if (!makes) return tensor_in(code, first);
    const ir::ExprId object = ir::children(code.ir, made.value)[0];
    const ir::ExprId like = names_library(index_, code, object) ? first_argument(code, made) : object;
    return like.valid() ? tensor_in(code, first_name(code, {like, from->place})) : tensor_in(code, first);
  }

  Tensor tensor_in(const FunctionCode& code, Read read) {
    const ir::Expr& expr = code.ir.exprs[read.e];
    if (expr.kind == ir::ExprKind::Name && !SymbolTable::is_temporary(expr.symbol))
      return {.number = {}, .stem = stem(code.text.text(expr.symbol))};
    if (expr.kind == ir::ExprKind::Attribute)
      return {.number = numbers_.of(code, ir::children(code.ir, read.e)[0], read.at),
              .stem = stem(code.text.text(expr.symbol))};
    return {.number = numbers_.of(code, read.e, read.at), .stem = {}};
  }

  // What a variable was called before: `k` where `out = k` gave it its value.
  static Read first_name(const FunctionCode& code, Read read) {
    constexpr int kMostNames = 8;
    for (int names = 0; names < kMostNames; ++names) {
      const std::optional<Definition> from = code.only_definition(read.e, read.at);
      if (!from || from->instruction->kind != ir::InstructionKind::Assign) break;
      if (!ir::is_dotted(code.ir, from->instruction->value)) break;
      read = {from->instruction->value, from->place};
    }
    return read;
  }

  // A name without the words that say where it goes: `k` of `next_k`, `k_to_send` and `recv_k`.
  std::string stem(std::string_view name) const {
    std::string out;
    for (size_t begin = 0; begin <= name.size();) {
      const size_t end = std::min(name.find('_', begin), name.size());
      const std::string_view word = name.substr(begin, end - begin);
      if (!word.empty() && !in_.priors().find(word, NameMeaning::Transit))
        out += (out.empty() ? "" : "_") + std::string(word);
      begin = end + 1;
    }
    return out;
  }

  static std::map<ValueId, std::vector<const Moved*>> by_peer(const std::vector<Moved>& all, bool sends) {
    std::map<ValueId, std::vector<const Moved*>> out;
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
        found_.push_back({function, (*differing.second)->range, (*differing.second)->spelled, (*differing.first)->range,
                          (*differing.first)->spelled});
        return true;
      }
    return false;
  }

  // The same tensors, each once, in another order.
  static bool is_reordered(const std::vector<const Moved*>& sent, const std::vector<const Moved*>& received) {
    if (sent.size() < 2 || sent.size() != received.size()) return false;
    std::vector<Tensor> a, b;
    for (const Moved* m : sent) a.push_back(m->tensor);
    for (const Moved* m : received) b.push_back(m->tensor);
    if (a == b) return false;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b && std::adjacent_find(a.begin(), a.end()) == a.end();
  }

  const Query& in_;
  const ProjectIndex& index_;
  ValueNumbers numbers_;
  std::vector<SwappedReceive> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const SwappedReceive& swap : SwappedReceives(in).run()) {
    if (!is_reported(shared, swap.function)) continue;
    Finding finding = finding_at(kInfo, shared, swap.function, swap.received_at, Confidence::Likely);
    finding.message = "this receives into `" + swap.received + "` what the neighbour sends from `" + swap.sent +
                      "`: between two ranks, messages arrive in the order in which they are sent";
    finding.related.push_back({location_at(shared, swap.function, swap.sent_at), "sent at this turn"});
    finding.help = "receive in the order in which the neighbour sends";
    finding.fingerprint_key = swap.received + " " + swap.sent;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::batched_p2p_order
