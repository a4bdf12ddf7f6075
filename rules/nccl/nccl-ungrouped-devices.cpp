// One thread that drives several devices has to gather the calls of all of them in a group: the first call alone waits
// for the device of the second, which the thread never comes to.
#include <algorithm>

#include "analyzer/compare/brackets.h"
#include "analyzer/compare/facts.h"
#include "analyzer/flow/graph.h"
#include "rules/told.h"
#include "rules/wording.h"

namespace ranklint::nccl_ungrouped_devices {

constexpr RuleInfo kInfo{.id = "nccl-ungrouped-devices",
                         .code = "RL852",
                         .summary = "one thread calls NCCL for several devices in turn, without a group",
                         .since = "0.1"};

namespace {

class Devices {
 public:
  Devices(const Facts& facts, FunctionKey function, Reporter& report)
      : facts_(facts), key_(function), function_(facts.index->function(function)), report_(report) {}

  void run() {
    if (!mentions_nccl()) return;
    const FlowGraph graph(function_);
    const Brackets groups(*facts_.index, key_, "ncclGroupStart", "ncclGroupEnd");
    for (const ir::BlockId header : graph.order()) {
      const ir::Terminator& loop = function_.blocks[header].terminator;
      if (loop.kind != ir::TerminatorKind::Iterate || function_.exprs[loop.target].kind != ir::ExprKind::Name) continue;
      for (const ir::BlockId block : graph.loop_blocks(header))
        for (uint32_t i = 0; i < function_.blocks[block].instructions.size(); ++i)
          if (is_call_for_device(function_.blocks[block].instructions[i], function_.exprs[loop.target].symbol) && groups.surely_outside(block, i))
            return tell(function_.blocks[block].instructions[i], loop.range);
    }
  }

 private:
  std::string callee(const ir::Instruction& i) const {
    return i.kind == ir::InstructionKind::Call ? facts_.index->dotted(facts_.index->functions()[key_].module, function_, i.value) : "";
  }

  bool mentions_nccl() const {
    for (const ir::Block& block : function_.blocks)
      if (std::any_of(block.instructions.begin(), block.instructions.end(), [&](const ir::Instruction& i) { return callee(i).starts_with("ncclComm"); }))
        return true;
    return false;
  }

  // What makes one communicator of a whole list for this thread: its list.
  std::string made_at_once() const {
    for (const ir::Block& block : function_.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (callee(i) == "ncclCommInitAll" && i.argument_count > 0) return text(ir::arguments(function_, i)[0].value);
    return {};
  }

  std::string text(ir::ExprId e) const { return facts_.index->dotted(facts_.index->functions()[key_].module, function_, e); }

  // `comms[i]` with the loop's variable: the list's name.
  std::string list_of(ir::ExprId e, Symbol variable) const {
    if (function_.exprs[e].kind != ir::ExprKind::Subscript) return {};
    const auto parts = ir::children(function_, e);
    const ir::Expr& at = function_.exprs[parts[1]];
    return at.kind == ir::ExprKind::Name && at.symbol == variable ? text(parts[0]) : std::string();
  }

  bool is_call_for_device(const ir::Instruction& i, Symbol variable) const {
    const std::string name = callee(i);
    const auto arguments = ir::arguments(function_, i);
    if (name == "ncclCommInitRank" || name == "ncclCommInitRankConfig")
      return arguments.size() >= 4 && !list_of(arguments[0].value, variable).empty() &&
             function_.exprs[arguments[3].value].kind == ir::ExprKind::Name && function_.exprs[arguments[3].value].symbol == variable;
    static constexpr std::string_view kCollectives[] = {"ncclAllReduce", "ncclBroadcast", "ncclBcast", "ncclReduce", "ncclAllGather",
                                                        "ncclReduceScatter", "ncclAlltoAll"};
    if (std::find(std::begin(kCollectives), std::end(kCollectives), name) == std::end(kCollectives)) return false;
    const std::string list = made_at_once();
    return !list.empty() && std::any_of(arguments.begin(), arguments.end(), [&](const ir::Argument& a) { return list_of(a.value, variable) == list; });
  }

  void tell(const ir::Instruction& call, SourceRange loop) {
    Finding finding = finding_at(kInfo, facts_, key_, call.range, Certainty::High);
    finding.message = "`" + callee(call) + "` is called for one device after the other, outside of a group: the first waits for the others, which this thread never comes to";
    finding.related.push_back({{finding.primary.path, loop}, "the devices are taken in turn here"});
    finding.help = "put ncclGroupStart before the loop and ncclGroupEnd behind it";
    finding.replay = told::by_one_alone({callee(call), "devices", finding.primary});
    finding.fingerprint_key = callee(call);
    report_.push_back(std::move(finding));
  }

  const Facts& facts_;
  FunctionKey key_;
  const ir::Function& function_;
  Reporter& report_;
};

}  // namespace

static void check(const Facts& facts, Reporter& report) {
  for (uint32_t f = 0; f < facts.index->functions().size(); ++f) {
    const FunctionKey function{f};
    if (facts.index->modules()[facts.index->functions()[function].module].language == "cpp" && is_reported(facts, function))
      Devices(facts, function, report).run();
  }
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .check = check};

}  // namespace ranklint::nccl_ungrouped_devices
