// Communicators that are gone on every way to a call that uses them: which ones is a forward walk over the blocks,
// joined by intersection.
#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "analyzer/flow/graph.h"
#include "analyzer/project/shared.h"
#include "analyzer/summary/query.h"
#include "rules/nccl/function.h"
#include "rules/wording.h"

namespace ranklint::nccl_use_after_destroy {

constexpr RuleInfo kInfo{.id = "nccl-use-after-destroy",
                         .code = "RL851",
                         .summary = "an NCCL communicator is used after it was destroyed or aborted",
                         .since = "0.1",
                         .no_wait = "the call fails",
                         .premise = "the calls run in this order"};

namespace {

struct Gone {
  std::string place;
  SourceRange range;  // of what ended it
  std::string how;    // "ncclCommDestroy"
  friend bool operator<(const Gone& a, const Gone& b) { return a.place < b.place; }
};
using State = std::optional<std::set<Gone>>;  // nothing: no way here is known yet

class Walk {
 public:
  Walk(const Query& in, const Shared& shared, FunctionKey function, std::vector<Finding>& findings)
      : in_(in), shared_(shared), nccl_(shared, function), function_(nccl_.body()), findings_(findings) {}

  void run() {
    if (function_.blocks.empty() || !nccl_.calls([&](const std::string& name) { return ending(name) != nullptr; }))
      return;
    std::vector<State> entry(function_.blocks.size());
    entry[0].emplace();
    std::vector<ir::BlockId> work{ir::BlockId{0}};
    while (!work.empty()) {
      const ir::BlockId id = work.back();
      work.pop_back();
      std::set<Gone> gone = *entry[id.index];
      for (const ir::Instruction& i : function_.blocks[id].instructions) step(gone, i, false);
      for (const ir::BlockId to : FlowGraph::successors(function_.blocks[id]))
        if (join(entry[to.index], gone)) work.push_back(to);
    }
    for (uint32_t b = 0; b < function_.blocks.size(); ++b)
      if (entry[b])
        for (const ir::Instruction& i : function_.blocks[ir::BlockId{b}].instructions) step(*entry[b], i, true);
  }

 private:
  // Null: the function ends no communicator.
  const RoleEntry* ending(const std::string& name) const { return in_.roles().find(name, Role::EndsGroup); }

  // Whether the function uses the communicators that it is given, and does not make them.
  bool uses_groups(const std::string& name) const {
    if (ending(name)) return true;
    const Model* model = in_.models().find(name);
    return model && (model->kind != ModelKind::GroupCreate || model->group.argument.present());
  }

  static bool join(State& into, const std::set<Gone>& from) {
    if (!into) {
      into = from;
      return true;
    }
    return std::erase_if(*into, [&](const Gone& g) { return !from.contains(g); }) > 0;
  }

  // The communicator that the call ends; invalid: none.
  ir::ExprId ended_by(const ir::Instruction& i, const std::string& name) const {
    const RoleEntry* role = ending(name);
    return role ? nccl_.given_for(i, role->argument) : ir::ExprId{};
  }

  void step(std::set<Gone>& gone, const ir::Instruction& i, bool tell) {
    const std::string name = nccl_.callee(i);
    const auto arguments = ir::arguments(function_, i);
    if (uses_groups(name))
      for (const ir::Argument& argument : arguments)
        if (const auto found = gone.find({nccl_.place(argument.value), {}, {}});
            found != gone.end() && !found->place.empty()) {
          if (tell) report_use(*found, name, i.range);
          gone.erase(found);  // once
          break;
        }
    if (const ir::ExprId communicator = ended_by(i, name); communicator.valid())
      if (std::string ended = nccl_.place(communicator); !ended.empty()) gone.insert({std::move(ended), i.range, name});
    if (i.target.valid())
      if (const std::string written = nccl_.place(i.target); !written.empty())
        std::erase_if(gone, [&](const Gone& g) { return g.place == written || g.place.starts_with(written + "."); });
  }

  void report_use(const Gone& gone, const std::string& name, SourceRange range) {
    Finding finding = finding_at(kInfo, shared_, nccl_.key(), range, Confidence::High);
    finding.message = "`" + name + "` uses `" + gone.place + "`, which `" + gone.how + "` has ended";
    finding.related.push_back({{finding.primary.path, gone.range}, "it is ended here"});
    finding.help = "end the communicator behind its last use, or initialise it again";
    finding.fingerprint_key = gone.place;
    findings_.push_back(std::move(finding));
  }

  const Query& in_;
  const Shared& shared_;
  NcclFunction nccl_;
  const ir::Function& function_;
  std::vector<Finding>& findings_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const FunctionKey function : cpp_functions(shared))
    if (is_reported(shared, function)) Walk(in, shared, function, findings).run();
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find};

}  // namespace ranklint::nccl_use_after_destroy
