// Handles of work where a header is missing, so that nothing says what they are.
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include <not/there.h>  // expect: [partial-parse] "is not found"

void waited_ok(c10d::ProcessGroup& world, bool on_device) {
  auto tensor = not_there::make(4);
  tensor = on_device ? tensor.cuda() : tensor;
  std::vector<at::Tensor> tensors = {tensor};
  auto work = world.broadcast(tensors);
  work->wait();
}

void forgotten_bad(c10d::ProcessGroup& world, bool on_device) {
  auto tensor = not_there::make(4);
  tensor = on_device ? tensor.cuda() : tensor;
  std::vector<at::Tensor> tensors = {tensor};
  auto work = world.broadcast(tensors);  // expect: [unwaited-work] "`broadcast`"
}
