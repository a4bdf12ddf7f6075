// Horovod's core, as C++ code that brings tensors of its own calls it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace horovod {
namespace common {

class Status;
class Tensor;
class OpContext;
class ReadyEvent;
struct ReadyEventList {};
using StatusCallback = std::function<void(const Status&)>;
enum class ReduceOp { AVERAGE = 0, SUM = 1, ADASUM = 2, MIN = 3, MAX = 4, PRODUCT = 5 };

class Status {
 public:
  static Status OK();
  bool ok() const;
};

using OneTensor = std::shared_ptr<Tensor>;
using OneContext = std::shared_ptr<OpContext>;
using ManyTensors = std::vector<OneTensor>&;
using ManyContexts = std::vector<OneContext>&;
using ManyEvents = std::vector<ReadyEventList>&;
using ManyNames = std::vector<std::string>&;
using ManyCallbacks = std::vector<StatusCallback>&;

extern "C" {
bool horovod_init(const int* ranks, int nranks, const int* process_set_ranks, const int* process_set_sizes, int num_process_sets);
void horovod_shutdown();
int horovod_rank();
int horovod_local_rank();
int horovod_size();
int horovod_local_size();
int horovod_add_process_set(const int* ranks, int nranks);
int horovod_remove_process_set(int process_set_id);
int horovod_process_set_rank(int process_set_id);
int horovod_process_set_size(int process_set_id);
}

Status EnqueueTensorAllreduce(OneContext context, OneTensor tensor, OneTensor output, ReadyEventList ready_event_list, std::string name, int device,
                              StatusCallback callback, ReduceOp reduce_op = ReduceOp::SUM, double prescale_factor = 1.0, double postscale_factor = 1.0,
                              int32_t process_set_id = 0);
Status EnqueueTensorAllreduces(ManyContexts contexts, ManyTensors tensors, ManyTensors outputs, ManyEvents ready_event_lists, ManyNames names, int device,
                               ManyCallbacks callbacks, ReduceOp reduce_op = ReduceOp::SUM, double prescale_factor = 1.0, double postscale_factor = 1.0,
                               int32_t process_set_id = 0);
Status EnqueueTensorAllgather(OneContext context, OneTensor tensor, ReadyEventList ready_event_list, const std::string& name, int device, StatusCallback callback,
                              int32_t process_set_id = 0);
Status EnqueueTensorAllgathers(ManyContexts contexts, ManyTensors tensors, ManyEvents ready_event_lists, ManyNames names, int device, ManyCallbacks callbacks,
                               int32_t process_set_id = 0);
Status EnqueueTensorBroadcast(OneContext context, OneTensor tensor, OneTensor output, int root_rank, ReadyEventList ready_event_list, const std::string& name,
                              int device, StatusCallback callback, int32_t process_set_id = 0);
Status EnqueueTensorAlltoall(OneContext context, OneTensor tensor, OneTensor splits, ReadyEventList ready_event_list, const std::string& name, int device,
                             StatusCallback callback, int32_t process_set_id = 0);
Status EnqueueTensorReducescatter(OneContext context, OneTensor tensor, OneTensor output, ReadyEventList ready_event_list, const std::string& name, int device,
                                  StatusCallback callback, ReduceOp reduce_op = ReduceOp::SUM, int32_t process_set_id = 0, double prescale_factor = 1.0,
                                  double postscale_factor = 1.0);
Status EnqueueJoin(OneContext context, OneTensor output_last_joined_rank, ReadyEventList ready_event_list, const std::string& name, int device,
                   StatusCallback callback, int32_t process_set_id = 0);
Status EnqueueBarrier(StatusCallback callback, int32_t process_set_id = 0);

}  // namespace common
}  // namespace horovod
