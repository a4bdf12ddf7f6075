// Guards around c10d's process groups.
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <torch/torch.h>

#include <cstdlib>

void average_bad(const c10::intrusive_ptr<c10d::ProcessGroup>& group, at::Tensor loss) {
  std::vector<at::Tensor> tensors{loss};
  if (group->getRank() == 0) {
    group->allreduce(tensors)->wait();  // expect: [rank-guarded-collective] "`all_reduce`"
  }
}

void environment_bad(at::Tensor loss) {
  const int rank = std::atoi(std::getenv("RANK")), size = std::atoi(std::getenv("WORLD_SIZE"));
  auto store = c10::make_intrusive<c10d::TCPStore>("localhost");
  auto group = c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank, size);
  std::vector<at::Tensor> tensors{loss};
  if (rank == 0) {
    group->broadcast(tensors)->wait();  // expect: [rank-guarded-collective] "`broadcast` on `world`"
  }
}

void average_ok(const c10::intrusive_ptr<c10d::ProcessGroup>& group, at::Tensor loss) {
  std::vector<at::Tensor> tensors{loss};
  auto work = group->allreduce(tensors);
  work->wait();
  loss.div_(group->getSize());
  if (group->getRank() == 0) loss.item<float>();
  group->barrier()->wait();
}
