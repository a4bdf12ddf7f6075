// Every operation of a process group, over MPI, with the bytes that threads get: each process first runs the body as
// threads, keeps what its rank got, and compares.
#include <algorithm>

#include "runtime/group/world.h"

using namespace ranklint::runtime;

namespace {

constexpr int kRanks = 3;

using Results = std::vector<std::byte>;

// Values whose sum depends on the order of the additions.
Tensor values(int rank, int64_t count, DType dtype = DType::F32) {
  std::vector<double> all(static_cast<size_t>(count));
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = 1.0 / (1.0 + static_cast<double>((i * 7 + static_cast<size_t>(rank) * 13) % 101));
  return Tensor::from(std::move(all), {count}).to(dtype);
}

bool is_integer(DType dtype) { return dtype == DType::I32 || dtype == DType::I64 || dtype == DType::U8; }

class Run {
 public:
  Run(RankContext& context, ProcessGroup group, Results& results)
      : group_(std::move(group)), rank_(context.rank()), results_(results) {}

  void operations_of(int64_t count, DType dtype) {
    const int members = group_.size();
    const Tensor mine = values(rank_, count, dtype);
    const Tensor wide = values(rank_, count * members, dtype);
    for (const int root : group_.ranks()) {
      keep(mine, [&](const Tensor& t) { group_.broadcast(t, root); });
      keep(mine, [&](const Tensor& t) { group_.reduce(t, root); });
      gather_and_scatter(mine, root);
    }
    for (const ReduceOp op : {ReduceOp::Sum, ReduceOp::Avg, ReduceOp::Min, ReduceOp::Max, ReduceOp::Prod})
      if (op != ReduceOp::Avg || !is_integer(dtype)) keep(mine, [&](const Tensor& t) { group_.all_reduce(t, op); });
    keep(wide, [&](const Tensor& t) { group_.all_gather_into_tensor(t, mine); });
    keep(mine, [&](const Tensor& t) { group_.reduce_scatter_tensor(t, wide); });
    keep(wide, [&](const Tensor& t) { group_.all_to_all_single(t, wide.clone()); });
  }

  // Counts that differ between members and pairs.
  void uneven(int64_t count) {
    std::vector<Tensor> gathered, pieces, received, sent;
    for (int i = 0; i < group_.size(); ++i) {
      gathered.push_back(Tensor::zeros({count * i}));
      pieces.push_back(values(rank_, count * i));
      sent.push_back(values(rank_, count * (i + group_.rank())));
      received.push_back(Tensor::zeros({count * (i + group_.rank())}));
    }
    const auto me = static_cast<size_t>(group_.rank());
    group_.all_gather(gathered, pieces[me]);
    group_.all_to_all(received, sent);
    keep_all(gathered);
    keep_all(received);
    keep(Tensor::zeros({pieces[me].numel()}), [&](const Tensor& t) { group_.reduce_scatter(t, pieces); });
  }

  // Waited for in the opposite order on every second rank.
  void asynchronous(int64_t count) {
    std::vector<Tensor> tensors = {values(rank_, count), values(rank_ + 1, count), values(rank_ + 2, count)};
    std::vector<Work> works;
    for (const Tensor& tensor : tensors) works.push_back(group_.all_reduce(tensor, ReduceOp::Sum, {.async = true}));
    if (rank_ % 2 == 1) std::reverse(works.begin(), works.end());
    for (size_t i = 0; i < works.size(); ++i) {
      if (i == 1)
        while (!works[i].test()) {
        }
      works[i].wait();
    }
    keep_all(tensors);
  }

  void messages(int64_t count) {
    const int members = group_.size();
    const int next = group_.global_rank((group_.rank() + 1) % members);
    const int previous = group_.global_rank((group_.rank() + members - 1) % members);
    const Tensor mine = values(rank_, count);
    const Tensor theirs = Tensor::zeros({count});
    group_.batch({{.kind = P2POp::Kind::Send, .tensor = mine, .peer = next, .tag = 3},
                  {.kind = P2POp::Kind::Recv, .tensor = theirs, .peer = previous, .tag = 3}});
    // Two tags, taken in the opposite order.
    const Tensor second = Tensor::zeros({count});
    std::vector<Work> sends = {group_.isend(mine, next, 1), group_.isend(theirs, next, 2)};
    group_.recv(second, previous, 2);
    keep_all({theirs, second});
    group_.recv(second, previous, 1);
    for (Work& send : sends) send.wait();
    keep_all({second});
  }

 private:
  template <typename Operation>
  void keep(const Tensor& tensor, const Operation& operation) {
    const Tensor copy = tensor.clone();
    operation(copy);
    keep_all({copy});
  }

  void keep_all(const std::vector<Tensor>& tensors) {
    for (const Tensor& tensor : tensors)
      results_.insert(results_.end(), tensor.data(), tensor.data() + tensor.size_bytes());
  }

  void gather_and_scatter(const Tensor& mine, int root) {
    std::vector<Tensor> pieces;
    for (int i = 0; i < group_.size() && root == rank_; ++i)
      pieces.push_back(Tensor::zeros(mine.shape(), mine.dtype()));
    group_.gather(pieces, mine, root);
    keep_all(pieces);
    keep(mine, [&](const Tensor& t) { group_.scatter(t, pieces, root); });
  }

  ProcessGroup group_;
  int rank_;
  Results& results_;
};

void all_operations(RankContext& context, Results& results) {
  ProcessGroup pair = context.new_group({2, 0}, "pair");
  ProcessGroup odd = context.split(context.rank() % 2, -context.rank(), "parity");
  for (const ProcessGroup& group : {context.world(), pair, odd}) {
    if (!group.is_member()) continue;
    Run run(context, group, results);
    // Beside and beyond what goes with a letter (4 KiB) and what a send may run ahead with (64 KiB).
    for (const int64_t count : {0, 1, 7, 1024, 1025, 40000}) {
      run.operations_of(count, DType::F32);
      run.operations_of(count, DType::BF16);
      if (count == 7)
        for (const DType dtype : {DType::F64, DType::F16, DType::I32, DType::I64, DType::U8})
          run.operations_of(count, dtype);
      run.uneven(count);
      run.asynchronous(count);
      if (group.size() > 1) run.messages(count);
    }
  }
  context.world().monitored_barrier(std::chrono::seconds(60));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Results> wanted(kRanks);
  run_world(kRanks,
            [&](RankContext& context) { all_operations(context, wanted[static_cast<size_t>(context.rank())]); });
  const auto body = [&](RankContext& context) {
    Results found;
    all_operations(context, found);
    if (found.empty() || found != wanted[static_cast<size_t>(context.rank())])
      fail(ErrorKind::InvalidArgument, "other bytes than over threads");
  };
  return run_program(argc, argv, kRanks, body);
}
