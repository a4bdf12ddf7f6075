// The messages from one rank to another form a queue: the first message sent is the first received. Where every rank
// sends `k` and then `v`, and receives into what was made like `v` and then like `k`, the two tensors arrive swapped.
#include <algorithm>
#include <map>

#include "analyzer/base/work_limit.h"
#include "analyzer/ir/expr_printer.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/rank_guard.h"
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

struct Moved {
  ProgramPoint at;
  SourceRange range;
  bool sends = false;
  std::string peer, tensor;
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
  explicit SwappedReceives(const Query& in) : in_(in), index_(in.index()) {}

  std::vector<SwappedReceive> run() {
    in_.for_each_watched("exchanges", [&](FunctionKey f, const auto& watched) {
      if (const Summary* s = in_.summary(f)) visit(FunctionCode(index_, *s), *s, watched);
    });
    return std::move(found_);
  }

 private:
  void visit(const FunctionCode& code, const Summary& s, const WatchedCalls& calls) {
    std::map<RankSide, std::vector<Moved>> moved;
    if (references_of_ != code.module) references_.emplace(code.text);
    references_of_ = code.module;
    const ir::ExprPrinter print(*references_, code.ir);
    for (const auto& [site, call] : calls)
      if (std::optional<Moved> m = moved_by(code, print, site, call))
        moved[rank_side_of(in_, s, site.block)].push_back(std::move(*m));
    for (auto& [ranks, list] : moved) {
      std::sort(list.begin(), list.end(), [](const Moved& a, const Moved& b) { return a.range < b.range; });
      const auto other = ranks.branch.valid() ? moved.find({ranks.branch, !ranks.holds}) : moved.find(ranks);
      if (other != moved.end() && compare(code.key, list, other->second)) return;
    }
  }

  std::optional<Moved> moved_by(const FunctionCode& code, const ir::ExprPrinter& print, const Site& site,
                                const WatchedCall& watched) const {
    const ir::Instruction* made = in_.call_at(site);
    if (!made) return std::nullopt;
    const ir::Instruction& call = *made;
    std::string operation = foreign_name(index_, code.module, code.ir, call.value);
    std::vector<ir::ExprId> given;
    for (const ir::Argument& a : ir::arguments(code.ir, call)) {
      if (a.kind != ir::ArgumentKind::Positional) return std::nullopt;  // a tag or a group of its own: another queue
      given.push_back(a.value);
    }
    if (plays(in_, code, call, Role::DescribesMessage) && given.size() >= 3) {
      operation = foreign_name(index_, code.module, code.ir, given[0]);
      given.erase(given.begin());
    }
    const Model* model = in_.models().find(operation);
    if (given.size() < 2 || !model || model->kind != ModelKind::PointToPoint ||
        model->direction == TransferDirection::Both)
      return std::nullopt;
    const ProgramPoint at{site.block, site.instruction};
    const bool sends = model->direction == TransferDirection::Sends;
    Moved m{.at = at, .range = watched.range, .sends = sends, .peer = print.text(given[1]), .tensor = {}};
    m.tensor = stem(m.sends ? print.text(given[0]) : made_like(code, print, given[0], at));
    return m;
  }

  // What a buffer was made like, `k` of `torch.empty_like(k)`; else the buffer itself.
  std::string made_like(const FunctionCode& code, const ir::ExprPrinter& print, ir::ExprId buffer,
                        ProgramPoint at) const {
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
  std::string stem(const std::string& name) const {
    std::string out;
    for (size_t begin = 0; begin <= name.size();) {
      const size_t end = std::min(name.find('_', begin), name.size());
      const std::string_view word = std::string_view(name).substr(begin, end - begin);
      if (!word.empty() && !in_.priors().find(word, NameMeaning::Transit))
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
        found_.push_back({function, (*differing.second)->range, (*differing.second)->tensor, (*differing.first)->range,
                          (*differing.first)->tensor});
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
  const ProjectIndex& index_;
  ModuleKey references_of_;
  std::optional<ir::References> references_;
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
