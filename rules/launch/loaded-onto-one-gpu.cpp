// A checkpoint that every rank reads as it was saved: each tensor comes back to the GPU that it was on, which is that
// of the rank that saved it.
//
//     checkpoint = torch.load(path)                       # no map_location
//     model.load_state_dict(checkpoint["model"])
//     optimizer.load_state_dict(checkpoint["optimizer"])
//
// Where more than one object takes its state out of what is read, it is a checkpoint of a training, and not weights
// that somebody made public, which may lie anywhere.
#include <algorithm>

#include "analyzer/doubts/file_calls.h"
#include "analyzer/questions/reached_calls.h"
#include "rules/loading/every_rank.h"
#include "rules/wording.h"

namespace ranklint::loaded_onto_one_gpu {

constexpr RuleInfo kInfo{.id = "loaded-onto-one-gpu",
                         .code = "RL710",
                         .summary = "every rank loads a checkpoint onto the GPU that it was saved from",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "the first GPU of each machine runs out of memory",
                         .premise = "the checkpoint was saved from a GPU"};

constexpr std::string_view kCalls[] = {"...<reads-file>", "<fills-model>"};
constexpr size_t kFewestRestored = 2;  // objects

namespace {

class Loads {
 public:
  explicit Loads(const Query& in) : in_(in), values_(in.values()) {}

  struct Load {
    FunctionKey function;
    SourceRange range;
    std::string callee, option;
    ReachedByAll reached;
  };

  std::vector<Load> run() {
    for_each_reached_call(in_, kInfo.id,
                          [&](const Summary& s, const Site& site, const WatchedCall& call) { check(s, site, call); });
    return std::move(found_);
  }

 private:
  // The argument that could say the device. Null: the call reads no file, or it has that argument.
  const RoleEntry* left_open(const Call& call) const {
    const std::string callee = in_.callee_path(call.callee);
    const RoleEntry* takes = in_.roles().find(callee, Role::TakesDevice);
    const bool is_open = takes && in_.roles().play(callee, Role::ReadsFile) && !call.open_ended &&
                         !in_.argument(call, takes->argument).valid();
    return is_open ? takes : nullptr;
  }

  void check(const Summary& s, const Site& site, const WatchedCall& call) {
    const RoleEntry* takes = left_open(call.call);
    if (!takes || restored_from(site).size() < kFewestRestored || is_told_elsewhere(site, *takes)) return;
    const FunctionCode code(in_.index(), s);
    const ProgramPoint place{site.block, site.instruction};
    const ir::ExprId path = file_given(in_, code, code.instruction(place), {Role::ReadsFile});
    if (!path.valid()) return;
    std::optional<ReachedByAll> reached =
        every_rank_.at(s.function, place, path, file_given(in_, call.call, {Role::ReadsFile}));
    if (reached)
      found_.push_back({s.function, call.range, std::string(in_.callee_name(call.call.callee)), takes->argument.keyword,
                        std::move(*reached)});
  }

  // The objects that take their state out of what is read, in the same function.
  std::set<ValueId> restored_from(const Site& load) const {
    std::set<ValueId> objects;
    for (const auto& [site, call] : calls_in(in_.watched().calls, load.function))
      if (!call.call.positional.empty() && in_.roles().play(in_.callee_name(call.call.callee), Role::FillsModel) &&
          values_[call.call.positional[0]].kind == ValueKind::Subscript &&
          is_made_at(in_, values_.child(call.call.positional[0], 0), load))
        objects.insert(in_.receiver_of(call.call.callee));
    return objects;
  }

  // Whether the function tells another such call the device: `if args.gpu is None: ... else: ...`
  bool is_told_elsewhere(const Site& load, const RoleEntry& takes) const {
    return std::ranges::any_of(calls_in(in_.watched().calls, load.function), [&](const auto& other) {
      const Call& call = other.second.call;
      return in_.roles().find(in_.callee_path(call.callee), Role::TakesDevice) == &takes &&
             in_.argument(call, takes.argument).valid();
    });
  }

  const Query& in_;
  const ValueStore& values_;
  EveryRank every_rank_{in_};
  std::vector<Load> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Loads::Load& load : Loads(in).run()) {
    if (!is_reported(shared, load.function) || is_without_job(shared, load.function)) continue;
    // Where each process may see one GPU alone, all come back to its own.
    if (!programs_name(in, load.function, Role::BindsDevice) || programs_name(in, load.function, Role::HidesDevices))
      continue;
    Finding finding =
        finding_at(kInfo, shared, load.function, load.range, certainty_of_several_ranks(shared, load.function));
    finding.message = "`" + load.callee +
                      "` brings the checkpoint on every rank to the GPU that it was saved from: no `" + load.option +
                      "`";
    finding.help = "load it onto the host (`" + load.option + "=\"cpu\"`) or onto the process's own GPU";
    finding.fingerprint_key = load.callee;
    add_way(finding, shared, load.reached);
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::loaded_onto_one_gpu
