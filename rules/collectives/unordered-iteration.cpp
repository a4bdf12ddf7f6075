// Loops around communication whose order ranks need not share (RL114).
//
// A loop counts when what it communicates depends on the element at hand: ranks that go through the same elements
// in other orders then pair wrong ones. A loop over a parameter is the caller's matter; callers are asked until no
// more of them only pass a parameter of their own on.
#include <algorithm>
#include <map>

#include "analyzer/doubts/unused_options.h"
#include "analyzer/questions/communication.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/iteration_order.h"
#include "rules/replay_templates.h"
#include "rules/wording.h"

namespace ranklint::unordered_iteration {

constexpr RuleInfo kInfo{.id = "unordered-iteration",
                         .code = "RL114",
                         .summary = "a loop communicates in an order that differs between ranks",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "each process has an order of its own"};

namespace {

// A loop around communication in an order that ranks need not share.
struct UnorderedLoop {
  FunctionKey function;
  SourceRange range;
  SourceRange collective;  // in the loop: the call or the collective
  std::string source;      // "set", "os.listdir"
  FunctionKey made_in;     // where the order was lost; invalid: in the loop's own line, or unknown
  SourceRange made;
  std::string callee;  // `range` is a call that hands the collection to this function; empty: a loop
  std::string op, group;
  Assurance certainty = Confidence::Likely;
};

constexpr int kMostRounds = 4;

// A barrier carries nothing, and a load gives each rank what that rank requests: rounds of them pair in any order.
bool carries_element(const Roles& roles, const Model& model) {
  return !roles.play(model.op, Role::WaitsForAll) && model.op != "load_checkpoint" && !model.matched_by_name;
}

class UnorderedLoops {
 public:
  explicit UnorderedLoops(const Query& query) : in_(query), origins_(query) {}

  std::vector<UnorderedLoop> run() {
    each_function([&](const Summary& s, const FunctionCode& code) { find_loops(s, code); });
    for (int round = 0; round < kMostRounds && !fresh_.empty(); ++round) {
      const std::map<std::pair<FunctionKey, int>, Inside> asked = std::move(fresh_);
      fresh_.clear();
      each_function([&](const Summary& s, const FunctionCode& code) { find_callers(s, code, asked); });
    }
    return std::move(found_);
  }

 private:
  // What a loop over a parameter communicates.
  struct Inside {
    Communication communication;
    SourceRange range;
  };

  template <typename Visit>
  void each_function(Visit visit) {
    in_.for_each_function_to_check("unordered loops", [&](FunctionKey f) {
      if (const Summary* s = in_.summary(f); s && s->communicates) visit(*s, FunctionCode(in_.index(), *s));
    });
  }

  void find_loops(const Summary& s, const FunctionCode& code) {
    for (ir::BlockId header : s.graph().order()) {
      const ir::Block& block = code.ir.blocks[header];
      if (block.terminator.kind != ir::TerminatorKind::Iterate || !block.terminator.is_loop ||
          !s.graph().is_loop_header(header))
        continue;
      if (names_an_integer(in_.priors(), code.name(block.terminator.target))) continue;
      const IterationOrder origin =
          origins_.of(code, block.terminator.value, {header, static_cast<uint32_t>(block.instructions.size())});
      if (origin.kind != IterationOrder::Kind::Unordered && origin.kind != IterationOrder::Kind::Parameter) continue;
      const std::optional<Inside> inside = communication_in(s, code, header);
      if (inside) keep(s, origin, *inside, block.terminator.range, {});
    }
  }

  // The first communication in the loop that the loop's variable takes part in.
  std::optional<Inside> communication_in(const Summary& s, const FunctionCode& code, ir::BlockId header) {
    const std::span<const ir::BlockId> loop = s.graph().loop_blocks(header);
    const std::set<Symbol> tainted = follow(code, loop, header);
    const auto wanted = [&](Symbol name) { return tainted.contains(name); };
    for (ir::BlockId b : s.graph().order()) {
      if (!s.graph().lies_in_loop(b, header)) continue;
      for (const Step& step : s.blocks[b.index].steps) {
        const uint32_t at = in_.site(step.site).instruction;
        const auto& instructions = code.ir.blocks[b].instructions;
        if (at >= instructions.size() || !code.reads(instructions[at], wanted)) continue;
        if (std::optional<Communication> found = communication_of(in_, step);
            found && carries_element(in_.roles(), *found->model))
          return Inside{*found, step.range};
      }
    }
    return std::nullopt;
  }

  // The names that hold something made of the loop's variable.
  std::set<Symbol> follow(const FunctionCode& code, std::span<const ir::BlockId> loop, ir::BlockId header) {
    std::set<Symbol> tainted;
    code.mentions(code.ir.blocks[header].terminator.target, [&](Symbol name) { return tainted.insert(name), false; });
    const auto wanted = [&](Symbol name) { return tainted.contains(name); };
    for (size_t before = 0; before != tainted.size();) {
      before = tainted.size();
      for (ir::BlockId b : loop)
        for (const ir::Instruction& i : code.ir.blocks[b].instructions) {
          if (!code.reads(i, wanted)) continue;
          code.mentions(i.target, [&](Symbol name) { return tainted.insert(name), false; });
          if (const Symbol name = filled(code, i); name.valid()) tainted.insert(name);
        }
    }
    return tainted;
  }

  // `x` of `x.append(...)` and its kin.
  Symbol filled(const FunctionCode& code, const ir::Instruction& i) {
    if (i.kind != ir::InstructionKind::Call || code.ir.exprs[i.value].kind != ir::ExprKind::Attribute) return {};
    const std::string_view method = code.text.text(code.ir.exprs[i.value].symbol);
    if (!in_.roles().play(method, Role::AddsElement) && !in_.roles().play(method, Role::AddsEntries)) return {};
    return code.root(ir::children(code.ir, i.value)[0]);
  }

  void find_callers(const Summary& s, const FunctionCode& code,
                    const std::map<std::pair<FunctionKey, int>, Inside>& asked) {
    for (ir::BlockId b : s.graph().order())
      for (const Step& step : s.blocks[b.index].steps) {
        const uint32_t at = in_.site(step.site).instruction;
        if (step.event || step.call.implicit || at >= code.ir.blocks[b].instructions.size()) continue;
        const ir::Instruction& i = code.ir.blocks[b].instructions[at];
        if (i.kind == ir::InstructionKind::Call && find_argument(s, code, step, i, {b, at}, asked)) continue;
      }
  }

  bool find_argument(const Summary& s, const FunctionCode& code, const Step& step, const ir::Instruction& i,
                     ProgramPoint at, const std::map<std::pair<FunctionKey, int>, Inside>& asked) {
    for (const Target& target : in_.targets(step.call.callee)) {
      for (auto found = asked.lower_bound({target.function, 0});
           found != asked.end() && found->first.first == target.function; ++found) {
        const ir::ExprId value =
            argument_for(code, i, in_.index(), target.function, found->first.second, target.receiver.valid());
        const IterationOrder origin = origins_.of(code, value, at);
        if (origin.kind != IterationOrder::Kind::Unordered && origin.kind != IterationOrder::Kind::Parameter) continue;
        Inside inside = found->second;
        inside.communication.certainty.lower_to(target_certainty(in_.index(), target, {s.function, step.range}));
        if (inside.communication.group.valid())
          inside.communication.group = in_.instantiate(inside.communication.group, in_.bind(target, step.call, 0));
        inside.range = step.range;
        keep(s, origin, inside, step.range, std::string(in_.index().qualified_name(target.function)));
        return true;
      }
    }
    return false;
  }

  void keep(const Summary& s, const IterationOrder& origin, const Inside& inside, SourceRange range,
            std::string callee) {
    if (origin.kind == IterationOrder::Kind::Parameter) {
      const std::pair place{s.function, origin.parameter};
      if (known_.insert(place).second) fresh_.emplace(place, inside);
      return;
    }
    UnorderedLoop loop;
    loop.function = s.function;
    loop.range = range;
    loop.collective = inside.range;
    loop.source = origin.name;
    if (origin.range.known() && !(origin.function == s.function && origin.range.line == range.line)) {
      loop.made_in = origin.function;
      loop.made = origin.range;
    }
    loop.callee = std::move(callee);
    loop.op = inside.communication.model->op;
    loop.group = group_name(in_, inside.communication);
    loop.certainty = lower_of(Confidence::Likely, inside.communication.certainty);
    if (is_wrapped_by_unused_option(in_, inside.communication.callee))
      loop.certainty.doubt({Reason::UnusedOption, {s.function, inside.range}});
    found_.push_back(std::move(loop));
  }

  const Query& in_;
  std::vector<UnorderedLoop> found_;
  IterationOrders origins_;
  std::map<std::pair<FunctionKey, int>, Inside> fresh_;
  std::set<std::pair<FunctionKey, int>> known_;
};

}  // namespace

static std::string describe(const UnorderedLoop& loop) {
  const std::string order = loop.source == "set" ? "a set" : "`" + loop.source + "`";
  const std::string what = collective_text(loop.op, loop.group) + " follows the order of " + order;
  return what + (loop.callee.empty() ? "" : " in `" + loop.callee + "`") + ", which differs between ranks";
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const UnorderedLoop& loop : UnorderedLoops(in).run()) {
    if (!is_reported(shared, loop.function)) continue;
    Finding finding = finding_at(kInfo, shared, loop.function, loop.range, loop.certainty);
    finding.message = describe(loop);
    if (loop.collective != loop.range)
      finding.related.push_back({{finding.primary.path, loop.collective}, "one round communicates here"});
    if (loop.made_in.valid())
      finding.related.push_back({location_at(shared, loop.made_in, loop.made), "the order is lost here"});
    finding.help =
        "go through the elements in an order that all ranks share: sorted(...), or dict.fromkeys(...) instead of a set";
    finding.fingerprint_key = loop.op + " " + loop.group + " " + loop.source + " " + loop.callee;
    finding.replay = replay_templates::in_two_orders({loop.op, loop.group, {finding.primary.path, loop.collective}});
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::unordered_iteration
