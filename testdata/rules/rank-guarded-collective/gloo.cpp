// gloo's collectives: by functions that take options, and by objects that are made once and run often.
#include <gloo/allreduce.h>
#include <gloo/allreduce_ring.h>
#include <gloo/barrier.h>
#include <gloo/barrier_all_to_one.h>
#include <gloo/broadcast.h>
#include <gloo/context.h>

void by_a_function_bad(const std::shared_ptr<gloo::Context>& context, float* x, size_t count) {
  gloo::AllreduceOptions options(context);
  options.setOutput(x, count);
  if (context->rank == 0) gloo::allreduce(options);  // expect: [rank-guarded-collective] "`all_reduce` on `context`"
}

void by_an_object_bad(const std::shared_ptr<gloo::Context>& context, float* x, int count) {
  gloo::AllreduceRing<float> ring(context, {x}, count);
  if (context->rank == 0) ring.run();  // expect: [rank-guarded-collective] "`all_reduce` on `context`"
}

void meeting_at_one_bad(std::shared_ptr<gloo::Context> context) {
  gloo::BarrierAllToOne barrier(context);
  if (context->rank % 2) barrier.run();  // expect: [rank-guarded-collective] "`barrier` on `context`"
}

void by_all_ok(const std::shared_ptr<gloo::Context>& context, float* x, int count) {
  gloo::BroadcastOptions options(context);
  options.setOutput(x, static_cast<size_t>(count));
  options.setRoot(0);
  gloo::broadcast(options);
  if (context->rank == 0) x[0] = 1;
  gloo::AllreduceRing<float> ring(context, {x}, count);
  ring.run();
}
