// Horovod's core under C++: what is brought by some ranks only is waited for by the others.
#include <horovod/common/operations.h>

using namespace horovod::common;

void gradients_of_one_bad(std::shared_ptr<OpContext> context, std::shared_ptr<Tensor> tensor) {
  if (horovod_rank() == 0)
    EnqueueTensorAllreduce(context, tensor, tensor, {}, "gradient", 0, [](const Status&) {});  // expect: [rank-guarded-collective] "`all_reduce` on `world`"
}

void barrier_of_some_bad(int rank) {
  rank = horovod_rank();
  if (rank != 0) EnqueueBarrier([](const Status&) {});  // expect: [rank-guarded-collective] "`barrier` on `world`"
}

void weights_of_the_first_ok(std::shared_ptr<OpContext> context, std::shared_ptr<Tensor> tensor) {
  EnqueueTensorBroadcast(context, tensor, tensor, 0, {}, "weights", 0, [](const Status&) {});
  if (horovod_rank() == 0) horovod_size();
}
