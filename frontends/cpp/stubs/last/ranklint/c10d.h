// c10d's process groups (PyTorch 2), as code calls them.
#pragma once

#include <ranklint/torch.h>

namespace c10d {

enum class OpType : uint8_t { BROADCAST, ALLREDUCE, REDUCE, ALLGATHER, GATHER, SCATTER, REDUCE_SCATTER, ALLTOALL, SEND, RECV, BARRIER, UNKNOWN };
struct ReduceOp : c10::intrusive_ptr_target {
  enum RedOpType : uint8_t { SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR, PREMUL_SUM, UNUSED };
  ReduceOp() = default;
  ReduceOp(RedOpType op);
  RedOpType op_ = SUM;
};
constexpr auto kUnsetTimeout = std::chrono::milliseconds(-1);
constexpr auto kNoTimeout = std::chrono::milliseconds(0);

struct BroadcastOptions { int64_t rootRank = 0, rootTensor = 0; std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; };
struct AllreduceOptions { ReduceOp reduceOp = ReduceOp::SUM; std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; };
struct AllreduceCoalescedOptions : AllreduceOptions {};
struct ReduceOptions { ReduceOp reduceOp = ReduceOp::SUM; int64_t rootRank = 0, rootTensor = 0; std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; };
struct AllgatherOptions { std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; };
struct GatherOptions { int64_t rootRank = 0; std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; };
struct ScatterOptions { int64_t rootRank = 0; std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; };
struct ReduceScatterOptions { ReduceOp reduceOp = ReduceOp::SUM; std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; };
struct AllToAllOptions { std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; };
struct BarrierOptions { std::vector<int64_t> device_ids; std::chrono::milliseconds timeout = kUnsetTimeout; bool asyncOp = true; };

class Work : public c10::intrusive_ptr_target {
 public:
  virtual bool isCompleted();
  virtual bool isSuccess() const;
  virtual std::exception_ptr exception() const;
  virtual int sourceRank() const;
  virtual std::vector<at::Tensor> result();
  virtual void synchronize();
  virtual bool wait(std::chrono::milliseconds timeout = kNoTimeout);
  virtual void abort();
  virtual c10::intrusive_ptr<c10::ivalue::Future> getFuture();
};

class Store : public c10::intrusive_ptr_target {
 public:
  void set(const std::string& key, const std::string& value);
  virtual void set(const std::string& key, const std::vector<uint8_t>& value);
  std::string get_to_str(const std::string& key);
  virtual std::vector<uint8_t> get(const std::string& key);
  virtual int64_t add(const std::string& key, int64_t value);
  virtual bool deleteKey(const std::string& key);
  virtual bool check(const std::vector<std::string>& keys);
  virtual void wait(const std::vector<std::string>& keys);
  virtual void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout);
  virtual void setTimeout(const std::chrono::milliseconds& timeout);
};
struct TCPStoreOptions {
  uint16_t port = 29500;
  bool isServer = false;
  std::optional<std::size_t> numWorkers = std::nullopt;
  bool waitWorkers = true;
  std::chrono::milliseconds timeout = std::chrono::seconds(300);
  bool multiTenant = false;
};
class TCPStore : public Store {
 public:
  explicit TCPStore(std::string host, const TCPStoreOptions& options = {});
  TCPStore(const std::string& host, uint16_t port, std::optional<int> workers, bool server, const std::chrono::milliseconds& timeout = std::chrono::seconds(300), bool wait = true);
};
class FileStore : public Store {
 public:
  FileStore(std::string path, int workers);
};
class HashStore : public Store {};
class PrefixStore : public Store {
 public:
  PrefixStore(std::string prefix, c10::intrusive_ptr<Store> store);
};

#define RANKLINT_C10D_COLLECTIVES \
  virtual c10::intrusive_ptr<Work> broadcast(std::vector<at::Tensor>& tensors, const BroadcastOptions& opts = BroadcastOptions()); \
  virtual c10::intrusive_ptr<Work> allreduce(std::vector<at::Tensor>& tensors, const AllreduceOptions& opts = AllreduceOptions()); \
  virtual c10::intrusive_ptr<Work> allreduce_coalesced(std::vector<at::Tensor>& tensors, const AllreduceCoalescedOptions& opts = AllreduceCoalescedOptions()); \
  virtual c10::intrusive_ptr<Work> reduce(std::vector<at::Tensor>& tensors, const ReduceOptions& opts = ReduceOptions()); \
  virtual c10::intrusive_ptr<Work> allgather(std::vector<std::vector<at::Tensor>>& outputs, std::vector<at::Tensor>& inputs, const AllgatherOptions& opts = AllgatherOptions()); \
  virtual c10::intrusive_ptr<Work> _allgather_base(at::Tensor& output, at::Tensor& input, const AllgatherOptions& opts = AllgatherOptions()); \
  virtual c10::intrusive_ptr<Work> allgather_into_tensor_coalesced(std::vector<at::Tensor>& outputs, std::vector<at::Tensor>& inputs, const AllgatherOptions& opts = AllgatherOptions()); \
  virtual c10::intrusive_ptr<Work> gather(std::vector<std::vector<at::Tensor>>& outputs, std::vector<at::Tensor>& inputs, const GatherOptions& opts = GatherOptions()); \
  virtual c10::intrusive_ptr<Work> scatter(std::vector<at::Tensor>& outputs, std::vector<std::vector<at::Tensor>>& inputs, const ScatterOptions& opts = ScatterOptions()); \
  virtual c10::intrusive_ptr<Work> reduce_scatter(std::vector<at::Tensor>& outputs, std::vector<std::vector<at::Tensor>>& inputs, const ReduceScatterOptions& opts = ReduceScatterOptions()); \
  virtual c10::intrusive_ptr<Work> _reduce_scatter_base(at::Tensor& output, at::Tensor& input, const ReduceScatterOptions& opts = ReduceScatterOptions()); \
  virtual c10::intrusive_ptr<Work> alltoall_base(at::Tensor& output, at::Tensor& input, std::vector<int64_t>& output_sizes, std::vector<int64_t>& input_sizes, const AllToAllOptions& opts = AllToAllOptions()); \
  virtual c10::intrusive_ptr<Work> alltoall(std::vector<at::Tensor>& outputs, std::vector<at::Tensor>& inputs, const AllToAllOptions& opts = AllToAllOptions()); \
  virtual c10::intrusive_ptr<Work> send(std::vector<at::Tensor>& tensors, int peer, int tag); \
  virtual c10::intrusive_ptr<Work> recv(std::vector<at::Tensor>& tensors, int peer, int tag); \
  virtual c10::intrusive_ptr<Work> recvAnysource(std::vector<at::Tensor>& tensors, int tag); \
  virtual c10::intrusive_ptr<Work> barrier(const BarrierOptions& opts = BarrierOptions()); \
  virtual void monitoredBarrier(const BarrierOptions& opts, bool wait_all_ranks = false); \
  virtual void startCoalescing(); \
  virtual c10::intrusive_ptr<Work> endCoalescing(); \
  virtual void abort(); \
  virtual void shutdown(); \
  virtual int getRank() const; \
  virtual int getSize() const; \
  virtual const std::string getBackendName() const;

class Backend : public c10::intrusive_ptr_target {
 public:
  struct Options : c10::intrusive_ptr_target {
    std::chrono::milliseconds timeout = std::chrono::minutes(30);
    std::string group_name;
    static c10::intrusive_ptr<Options> create(bool high_priority = false);
  };
  Backend(int rank, int size);
  RANKLINT_C10D_COLLECTIVES

 protected:
  int rank_ = 0, size_ = 0;
};
class ProcessGroup : public c10::intrusive_ptr_target {
 public:
  ProcessGroup(int rank, int size);
  ProcessGroup(const c10::intrusive_ptr<Store>& store, int rank, int size);
  RANKLINT_C10D_COLLECTIVES

 protected:
  int rank_ = 0, size_ = 0;
};
class ProcessGroupNCCL : public Backend {
 public:
  struct Options : Backend::Options {
    bool is_high_priority_stream = false;
    static c10::intrusive_ptr<Options> create(bool high_priority = false);
  };
  ProcessGroupNCCL(c10::intrusive_ptr<Store> store, int rank, int size, c10::intrusive_ptr<Options> options = Options::create());
  void groupStart();
  void groupEnd();
};
class ProcessGroupGloo : public Backend {
 public:
  struct Options : Backend::Options {
    int threads = 2;
    static c10::intrusive_ptr<Options> create(std::chrono::milliseconds timeout = std::chrono::minutes(30));
  };
  ProcessGroupGloo(const c10::intrusive_ptr<Store>& store, int rank, int size, c10::intrusive_ptr<Options> options = Options::create());
};
class ProcessGroupMPI : public Backend {
 public:
  static c10::intrusive_ptr<ProcessGroupMPI> createProcessGroupMPI(std::vector<int> ranks = {});
};

void broadcast_coalesced(const c10::intrusive_ptr<ProcessGroup>& group, at::TensorList tensors, size_t buffer_size, int rank = 0);
c10::intrusive_ptr<ProcessGroup> resolve_process_group(const std::string& name);

}  // namespace c10d
