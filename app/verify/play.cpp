// From a step's word to an operation of the runtime. The runtime compares operation, counts, root and reduction of all
// members; what a step says beyond these goes into the operation's name, which it compares too. An operation of the
// analysed code that stands for several (`state_dict`, `full_tensor`) is run as one all_reduce of that name,
// or as one broadcast when it has a root.
#include "app/verify/play.h"

#include <algorithm>
#include <array>
#include <map>

namespace ranklint::app {

namespace {

using runtime::OpOptions;
using runtime::ProcessGroup;
using runtime::RankContext;
using runtime::Site;
using runtime::Tensor;

constexpr int64_t kElements = 4;

// The process groups of one rank, by number in the replay.
std::vector<ProcessGroup> make_groups(RankContext& context, const Replay& replay) {
  std::vector<ProcessGroup> own;
  for (const ReplayGroup& group : replay.groups) {
    const size_t rank = static_cast<size_t>(context.rank());
    ProcessGroup mine = context.world();
    std::vector<std::vector<uint32_t>> made;
    for (const std::vector<uint32_t>& members : group.ranks_of) {
      const bool is_world =
          members.size() == replay.world_size && group.name == "world";  // a copy of it is a group of its own
      if (is_world || std::find(made.begin(), made.end(), members) != made.end()) continue;
      made.push_back(members);
      ProcessGroup part = context.new_group(std::vector<int>(members.begin(), members.end()), group.name);
      if (members == group.ranks_of[rank]) mine = part;
    }
    own.push_back(mine);
  }
  return own;
}

runtime::ReduceOp reduction(const std::string& word) {
  if (word == "MAX") return runtime::ReduceOp::Max;
  if (word == "MIN") return runtime::ReduceOp::Min;
  if (word == "PRODUCT") return runtime::ReduceOp::Prod;
  if (word == "AVG") return runtime::ReduceOp::Avg;
  return runtime::ReduceOp::Sum;
}

class Operation {
 public:
  Operation(const ReplayStep& step, ProcessGroup& group)
      : step_(step),
        group_(group),
        name_(step.op + (step.tag.empty() ? "" : " " + step.tag) + (known_reduction() ? "" : " " + step.reduce)),
        count_(kElements + step.size),
        root_(root_in(step, group)),
        site_{step.path.c_str(), step.range.line, ""} {}

  // What goes on by itself; an empty one where nothing does.
  runtime::Work run() {
    if (step_.message.kind != Message::Kind::None) return transfer();
    collective();
    return {};
  }

 private:
  runtime::Work transfer() {
    const bool sends = step_.message.kind == Message::Kind::Send;
    const int peer = static_cast<int>(step_.message.peer);
    OpOptions with = options();
    with.async = step_.message.starts_only;
    with.name = {};  // both ends compare it
    if (step_.op != (sends ? "send" : "recv")) with.implicit_in = step_.op;
    return sends ? group_.send(tensor(), peer, step_.message.tag, with, site_)
                 : group_.recv(tensor(), peer, step_.message.tag, with, site_);
  }

  void collective() {
    static constexpr std::array<std::pair<std::string_view, void (Operation::*)()>, 10> kNative{
        {{"all_reduce", &Operation::all_reduce},
         {"broadcast", &Operation::broadcast},
         {"reduce", &Operation::reduce},
         {"all_gather", &Operation::all_gather},
         {"gather", &Operation::gather},
         {"scatter", &Operation::scatter},
         {"reduce_scatter", &Operation::reduce_scatter},
         {"all_to_all", &Operation::all_to_all},
         {"barrier", &Operation::barrier},
         {"allreduce", &Operation::all_reduce}}};
    const auto found =
        std::find_if(kNative.begin(), kNative.end(), [&](const auto& row) { return row.first == step_.op; });
    if (found == kNative.end()) return composite();
    (this->*found->second)();
  }

  bool known_reduction() const {
    return step_.reduce.empty() || reduction(step_.reduce) != runtime::ReduceOp::Sum || step_.reduce == "SUM";
  }

  static int root_in(const ReplayStep& step, const ProcessGroup& group) {
    return group.group_rank(static_cast<int>(step.root)) >= 0 ? static_cast<int>(step.root) : group.global_rank(0);
  }

  OpOptions options() const { return {.async = false, .timeout = {}, .name = name_, .implicit_in = {}}; }
  Tensor tensor() const { return Tensor::zeros({count_}); }
  std::vector<Tensor> pieces() const { return std::vector<Tensor>(static_cast<size_t>(group_.size()), tensor()); }
  bool at_root() const { return group_.global_rank(group_.rank()) == root_; }

  void all_reduce() { group_.all_reduce(tensor(), reduction(step_.reduce), options(), site_); }
  void broadcast() { group_.broadcast(tensor(), root_, options(), site_); }
  void reduce() { group_.reduce(tensor(), root_, reduction(step_.reduce), options(), site_); }
  void all_gather() { group_.all_gather(pieces(), tensor(), options(), site_); }
  void gather() { group_.gather(at_root() ? pieces() : std::vector<Tensor>{}, tensor(), root_, options(), site_); }
  void scatter() { group_.scatter(tensor(), at_root() ? pieces() : std::vector<Tensor>{}, root_, options(), site_); }
  void reduce_scatter() { group_.reduce_scatter(tensor(), pieces(), reduction(step_.reduce), options(), site_); }
  void all_to_all() { group_.all_to_all(pieces(), pieces(), options(), site_); }
  void barrier() { group_.barrier(options(), site_); }
  void composite() {
    OpOptions with = options();
    with.implicit_in = step_.op;
    if (step_.root >= 0)
      group_.broadcast(tensor(), root_, with, site_);
    else
      group_.all_reduce(tensor(), runtime::ReduceOp::Sum, with, site_);
  }

  const ReplayStep& step_;
  ProcessGroup& group_;
  const std::string name_;
  const int64_t count_;
  const int root_;
  const Site site_;
};

void create_group(RankContext& context, const ReplayStep& step) {
  std::vector<int> members = step.members;
  if (members.empty())
    for (int rank = 0; rank < context.world_size(); ++rank) members.push_back(rank);
  // Lists that differ in a way that is not known differ by their first rank here.
  if (step.size != 0)
    members.erase(members.begin(), members.begin() + std::min<ptrdiff_t>(step.size, context.world_size() - 1));
  context.new_group(std::move(members), step.op, Site{step.path.c_str(), step.range.line, ""});
}

}  // namespace

Play play(const Replay& replay, const std::vector<size_t>& from) {
  runtime::WorldOptions options;
  options.mode = runtime::Mode::Synchronous;
  options.default_timeout = std::chrono::seconds(20);
  options.recorder_entries = 1;
  Play result{{}, from};
  result.report = runtime::run_world(
      static_cast<int>(replay.world_size),
      [&](RankContext& context) {
        std::vector<ProcessGroup> groups = make_groups(context, replay);
        const size_t rank = static_cast<size_t>(context.rank());
        const std::vector<ReplayStep>& steps = replay.ranks[rank];
        std::vector<std::pair<size_t, runtime::Work>> started;
        for (size_t& i = result.at[rank]; i < steps.size(); ++i) {
          const ReplayStep& step = steps[i];
          ProcessGroup& group = groups[step.group];
          if (step.message.kind == Message::Kind::Wait) {
            const auto work = std::find_if(started.begin(), started.end(),
                                           [&](const auto& s) { return s.first == step.message.started; });
            if (work != started.end()) work->second.wait();
            continue;
          }
          if (step.creates_group && group.size() == context.world_size())
            create_group(context, step);
          else if (runtime::Work work = Operation(step, group).run(); step.message.starts_only)
            started.emplace_back(i, std::move(work));
        }
        for (auto& [step, work] : started) {
          result.at[rank] = step;
          work.wait();
        }
        result.at[rank] = steps.size();
        if (replay.fails[rank]) throw runtime::RankError({runtime::ErrorKind::InvalidArgument, "it raises"});
      },
      options);
  return result;
}

}  // namespace ranklint::app
