#include "tests/runtime_group/random_program.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace ranklint::runtime::test {

namespace {

using Random = std::mt19937_64;

int below(Random& random, int end) { return static_cast<int>(random() % static_cast<uint64_t>(end)); }

std::vector<int> some_ranks(Random& random, int world_size) {
  std::vector<int> ranks(static_cast<size_t>(world_size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::shuffle(ranks.begin(), ranks.end(), random);
  ranks.resize(static_cast<size_t>(1 + below(random, world_size)));
  return ranks;
}

Step random_step(Random& random, const Program& program) {
  constexpr OpType kOps[] = {OpType::Broadcast,     OpType::AllReduce, OpType::Reduce,  OpType::AllGather,
                             OpType::ReduceScatter, OpType::AllToAll,  OpType::Barrier, OpType::Send};
  constexpr int64_t kCounts[] = {1, 3, 16, 17, 100, 1000};
  Step step{.op = kOps[below(random, 8)],
            .group = static_cast<size_t>(below(random, static_cast<int>(program.groups.size()))),
            .count = kCounts[below(random, 6)],
            .flat = below(random, 2) == 0,
            .async = below(random, 2) == 0};
  step.left = step.async && below(random, 4) == 0;
  const int size = static_cast<int>(program.groups[step.group].size());
  step.root = below(random, size);
  if (step.op == OpType::Send && size == 1) step.op = OpType::Barrier;
  if (step.op == OpType::Send) step.peer = (step.root + 1 + below(random, size - 1)) % size;
  return step;
}

class WrongValue : public std::logic_error {
 public:
  explicit WrongValue(size_t step) : std::logic_error("wrong value in step " + std::to_string(step)) {}
};

// One rank's way through the program.
class Runner {
 public:
  Runner(const Program& program, RankContext& context) : program_(program), context_(context), random_(program.seed) {
    random_.discard(static_cast<unsigned long long>(context.rank()));
    for (size_t i = 0; i < program.groups.size(); ++i)
      groups_.push_back(i == 0 ? context.world() : context.new_group(program.groups[i], "g" + std::to_string(i)));
  }

  void run() {
    for (size_t i = 0; i < program_.steps.size(); ++i) {
      const bool faulty = program_.fault.step == i && program_.fault.rank == context_.rank();
      if (!take(i, faulty ? program_.fault.kind : Fault::Kind::None)) return;
      if (below(random_, 3) == 0) finish_some();
    }
    while (!pending_.empty()) finish_some();
  }

 private:
  struct Pending {
    Work work;
    Tensor result;
    double expected;
    size_t step;
  };

  bool take(size_t index, Fault::Kind fault) {
    Step step = program_.steps[index];
    DType dtype = DType::F32;
    switch (fault) {
      case Fault::Kind::None: break;
      case Fault::Kind::Skip: return true;
      case Fault::Kind::Twice: issue(step, index, dtype); break;
      case Fault::Kind::Return: return false;
      case Fault::Kind::Throw: throw std::runtime_error("planted");
      case Fault::Kind::OtherCount: ++step.count; break;
      case Fault::Kind::OtherShape: step.flat = !step.flat; break;
      case Fault::Kind::OtherType: dtype = DType::I32; break;
      case Fault::Kind::OtherOperation:
        step.op = step.op == OpType::AllReduce ? OpType::Broadcast : OpType::AllReduce;
        break;
    }
    issue(step, index, dtype);
    return true;
  }

  void issue(const Step& step, size_t index, DType dtype) {
    ProcessGroup& group = groups_[step.group];
    if (!group.is_member()) return;
    if (step.op == OpType::Send && group.rank() != step.root && group.rank() != step.peer) return;
    Pending pending = start(group, step, index, dtype);
    if (!step.async) return check(pending);
    if (!step.left) pending_.push_back(std::move(pending));
  }

  // What is sent names the step; what is expected follows.
  Pending start(ProcessGroup& group, const Step& step, size_t index, DType dtype) {
    const OpOptions options{.async = step.async};
    const double value = static_cast<double>(index % 50);
    const int size = group.size();
    const int root = group.global_rank(step.root);
    const Shape shape = step.flat ? Shape{step.count} : Shape{1, step.count};
    const Tensor one = Tensor::full(shape, value, dtype);
    const Tensor blank = Tensor::zeros(shape, dtype);
    const Tensor all = Tensor::full({step.count * size}, value, dtype);
    const Tensor blank_all = Tensor::zeros({step.count * size}, dtype);
    switch (step.op) {
      case OpType::Broadcast: {
        const Tensor& mine = group.rank() == step.root ? one : blank;
        return {group.broadcast(mine, root, options), mine, value, index};
      }
      case OpType::AllReduce: return {group.all_reduce(one, ReduceOp::Sum, options), one, value * size, index};
      case OpType::Reduce:
        return {group.reduce(one, root, ReduceOp::Sum, options), one, group.rank() == step.root ? value * size : value,
                index};
      case OpType::AllGather: return {group.all_gather_into_tensor(blank_all, one, options), blank_all, value, index};
      case OpType::ReduceScatter:
        return {group.reduce_scatter_tensor(blank, all, ReduceOp::Sum, options), blank, value * size, index};
      case OpType::AllToAll: return {group.all_to_all_single(blank_all, all, options), blank_all, value, index};
      case OpType::Send:
        if (group.rank() == step.root)
          return {group.send(one, group.global_rank(step.peer), 0, options), one, value, index};
        return {group.recv(blank, root, 0, options), blank, value, index};
      default: return {group.barrier(options), one, value, index};
    }
  }

  static void check(const Pending& pending) {
    for (const int64_t i : {int64_t{0}, pending.result.numel() - 1})
      if (pending.result.item(i) != pending.expected) throw WrongValue(pending.step);
  }

  void finish_some() {
    if (pending_.empty()) return;
    const auto chosen = pending_.begin() + below(random_, static_cast<int>(pending_.size()));
    chosen->work.wait();
    check(*chosen);
    pending_.erase(chosen);
  }

  const Program& program_;
  RankContext& context_;
  Random random_;
  std::vector<ProcessGroup> groups_;
  std::vector<Pending> pending_;
};

// Whether the fault is one in every schedule.
bool is_certain(const Program& program, const Step& step, const Fault& fault) {
  const std::vector<int>& ranks = program.groups[step.group];
  const auto place = std::find(ranks.begin(), ranks.end(), fault.rank) - ranks.begin();
  if (ranks.size() < 2 || place == static_cast<std::ptrdiff_t>(ranks.size())) return false;
  if (step.op == OpType::Send)
    return fault.kind != Fault::Kind::OtherShape && (place == step.root || place == step.peer);
  const bool of_tensor = fault.kind == Fault::Kind::OtherCount || fault.kind == Fault::Kind::OtherType;
  if (step.op == OpType::Barrier) return fault.kind != Fault::Kind::OtherShape && !of_tensor;
  return step.op != OpType::AllToAll || fault.kind != Fault::Kind::OtherShape;
}

}  // namespace

std::string Program::text() const {
  std::string text = "seed " + std::to_string(seed) + ", " + std::to_string(world_size) + " ranks";
  if (fault.kind != Fault::Kind::None)
    text += ", fault " + std::to_string(static_cast<int>(fault.kind)) + " on rank " + std::to_string(fault.rank) +
            " in step " + std::to_string(fault.step) + " (" + std::string(name_of(steps[fault.step].op)) + ")";
  return text;
}

Program random_program(uint64_t seed) {
  Random random(seed);
  Program program{.world_size = 2 + below(random, 4), .groups = {}, .steps = {}, .fault = {}, .seed = seed};
  std::vector<int> world(static_cast<size_t>(program.world_size));
  std::iota(world.begin(), world.end(), 0);
  program.groups.push_back(world);
  for (int i = below(random, 3); i > 0; --i) program.groups.push_back(some_ranks(random, program.world_size));
  for (int i = 5 + below(random, 40); i > 0; --i) program.steps.push_back(random_step(random, program));
  return program;
}

void plant_fault(Program& program) {
  Random random(program.seed ^ 0xfa017);
  program.steps.push_back({.op = OpType::AllReduce});  // so that there is always a place for one
  for (;;) {
    const Fault fault{.kind = static_cast<Fault::Kind>(1 + below(random, 8)),
                      .step = static_cast<size_t>(below(random, static_cast<int>(program.steps.size()))),
                      .rank = below(random, program.world_size)};
    if (!is_certain(program, program.steps[fault.step], fault)) continue;
    program.fault = fault;
    return;
  }
}

WorldReport run(const Program& program, Mode mode) {
  return run_world(program.world_size, [&](RankContext& context) { Runner(program, context).run(); },
                   {.mode = mode, .schedule_seed = program.seed, .recorder_entries = 16});
}

}  // namespace ranklint::runtime::test
