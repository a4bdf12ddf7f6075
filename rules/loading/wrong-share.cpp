// A sampler deals out the samples of one order to all ranks: each takes every n-th, from its own number on. So all have
// to draw the same order, count the same ranks, and have a number each.
//
//     DistributedSampler(dataset, rank=0)                              # all take the first share
//     DistributedSampler(dataset, seed=args.seed + dist.get_rank())    # each takes its share of another order
//     DistributedSampler(dataset, rank=int(os.environ["LOCAL_RANK"]))  # all machines take the same
//     sampler = DistributedSampler(dataset)                            # and no loader is given it
#include <optional>

#include "analyzer/questions/code.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/questions/reached_calls.h"
#include "analyzer/questions/seen_value.h"
#include "analyzer/resolve/dotted.h"
#include "rules/loading/wrong-share_unused.h"
#include "rules/wording.h"

namespace ranklint::wrong_share {

constexpr RuleInfo kInfo{
    .id = "wrong-share",
    .code = "RL511",
    .summary = "a sampler deals out by a rank, a number of ranks or a seed that does not fit, or to no loader",
    .severity = Severity::Warning,
    .since = "0.1",
    .no_wait = "ranks see the same samples, and others are seen by none",
    .premise = "the sampler deals out what the ranks of one job share"};

constexpr std::string_view kCalls[] = {"<deals-out>"};

namespace {

struct Share {
  FunctionKey function;
  SourceRange range;
  std::string name;  // of the sampler's class, without the module
  std::string what, help;
  std::string spelled;  // the argument
};

class Shares {
 public:
  explicit Shares(const Query& in) : in_(in) {}

  std::vector<Share> run() {
    for_each_reached_call(in_, kInfo.id, [&](const Summary& s, const Site& site, const WatchedCall& watched) {
      const std::string path = in_.callee_path(watched.call.callee);
      const RoleEntry* deals = in_.roles().find(path, Role::DealsOut);
      // What deals out the world's samples by itself: a method `shard(8, 0)` may as well be asked for the first of
      // eight.
      if (!deals || deals->note.empty() || watched.call.open_ended || rank_guard_of(in_, s, site.block).valid()) return;
      const FunctionCode code(in_.index(), s);
      const ProgramPoint place{site.block, site.instruction};
      if (code.instruction(place).kind != ir::InstructionKind::Call) return;
      std::optional<Share> found = wrong(watched.call, path, *deals);
      if (!found && is_for_nobody(in_, code, place))
        found =
            Share{.what = "is given to no loader: what loads the data set without it loads all samples on every rank",
                  .help = "give it to the loader as `sampler`"};
      if (!found) return;
      found->function = s.function;
      found->range = watched.range;
      found->name = last_part(path);
      found_.push_back(std::move(*found));
    });
    return std::move(found_);
  }

 private:
  ValueId argument(const Call& call, const RoleEntry* entry) const {
    return entry ? in_.argument(call, entry->argument) : ValueId{};
  }

  std::optional<SeenValue> given(const Call& call, const RoleEntry* entry) const {
    const ValueId v = argument(call, entry);
    if (!v.valid() || in_.values()[v].kind == ValueKind::None) return std::nullopt;
    return see(in_, v);
  }

  bool is_world_size(const Call& call, const RoleEntry* among) const {
    const ValueId size = argument(call, among);
    if (!size.valid() || in_.values()[size].kind == ValueKind::None) return true;
    const Value& value = in_.values()[size];
    return value.kind == ValueKind::Size && in_.values().axes(AxesId{value.a}).world;
  }

  // Whether it is computed of the number of ranks and of constants alone: all ranks have the same.
  bool is_of_size(ValueId v) const {
    const ValueStore& values = in_.values();
    const auto is_size = [&](ValueId part) { return values[part].kind == ValueKind::Size; };
    const auto is_more = [&](ValueId part) {
      const ValueKind kind = values[part].kind;
      return kind != ValueKind::Size && kind != ValueKind::Integer && kind != ValueKind::Binary;
    };
    return values.find_part(v, is_size).valid() && !values.find_part(v, is_more).valid();
  }

  // `dist.get_world_size() - 1`
  bool is_off_by_some(ValueId size) const {
    const Value& value = in_.values()[size];
    const bool adds =
        value.kind == ValueKind::Binary && (value.op == ir::Operator::Add || value.op == ir::Operator::Subtract);
    return adds && is_of_size(size);
  }

  std::optional<Share> wrong(const Call& call, const std::string& path, const RoleEntry& deals) const {
    const RoleEntry* among = in_.roles().find(path, Role::SamplesAmong);
    const std::optional<SeenValue> rank = given(call, &deals), size = given(call, among),
                                   seed = given(call, in_.roles().find(path, Role::SamplesBySeed));
    const bool is_whole_job = is_world_size(call, among);
    // A written number of ranks may be meant: one process that takes one share.
    if (rank && rank->kind == SeenValue::Kind::Integer &&
        (is_whole_job || (size && size->kind != SeenValue::Kind::Integer)))
      return Share{.what = "takes the share of rank " + std::to_string(rank->integer) + " on every rank",
                   .help = "give it this rank's own number, or leave it out",
                   .spelled = rank->spelled};
    if (rank && is_of_size(argument(call, &deals)))
      return Share{.what = "takes the share of one rank on every rank",
                   .help = "give it this rank's own number, or leave it out",
                   .spelled = rank->spelled};
    if (size && is_off_by_some(argument(call, among)) && (!rank || rank->is_own_rank))
      return Share{.what = "counts some ranks more or fewer than there are",
                   .help = "give it the number of ranks, or leave it out",
                   .spelled = size->spelled};
    if (rank && rank->along == SeenValue::Ranks::Node && rank->counts == SeenValue::Ranks::Node && !rank->believed &&
        is_whole_job)
      return Share{
          .what =
              "deals out to all ranks of the job by the local rank: on each further machine ranks take the same "
              "samples again",
          .help = "give it the rank in the job, or leave it out",
          .spelled = rank->spelled};
    if (size && size->counts_devices && (!rank || rank->is_own_rank))
      return Share{.what = "counts the GPUs of one machine where the rank counts those of the job",
                   .help = "give it the number of ranks in the job, or leave it out",
                   .spelled = size->spelled};
    const bool is_own = seed && (seed->along == SeenValue::Ranks::World || seed->along == SeenValue::Ranks::Node);
    if (is_own && !keeps_order(call, path))
      return Share{
          .what = "draws its order from a seed of each rank's own (" + seed->axes + "), and takes a share of that",
          .help = "give all ranks the same seed: each takes another share anyway",
          .spelled = seed->spelled};
    return std::nullopt;
  }

  bool keeps_order(const Call& call, const std::string& path) const {
    const std::optional<SeenValue> shuffle = given(call, in_.roles().find(path, Role::ShufflesByEpoch));
    return shuffle && shuffle->kind == SeenValue::Kind::Bool && shuffle->integer == 0;
  }

  const Query& in_;
  std::vector<Share> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Share& share : Shares(in).run()) {
    if (!is_reported(shared, share.function) || is_without_job(shared, share.function)) continue;
    Finding finding =
        finding_at(kInfo, shared, share.function, share.range, certainty_of_several_ranks(shared, share.function));
    finding.message = "this `" + share.name + "` " + share.what;
    finding.help = share.help;
    finding.fingerprint_key = share.name + share.spelled;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::wrong_share
