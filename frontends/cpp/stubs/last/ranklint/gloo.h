// gloo's collectives, as code calls them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gloo {

class Context {
 public:
  Context(int rank, int size, int base = 2);
  virtual ~Context();
  const int rank;
  const int size;
  void setTimeout(std::chrono::milliseconds timeout);
};
namespace transport {
class Device;
namespace tcp {
struct attr {
  attr() = default;
  attr(const char* host);
  std::string hostname, iface;
};
std::shared_ptr<Device> CreateDevice(const attr& attributes);
}  // namespace tcp
}  // namespace transport
namespace rendezvous {
class Store {
 public:
  virtual ~Store();
};
class FileStore : public Store {
 public:
  explicit FileStore(const std::string& path);
};
class HashStore : public Store {};
class PrefixStore : public Store {
 public:
  PrefixStore(const std::string& prefix, Store& store);
};
class RedisStore : public Store {
 public:
  explicit RedisStore(const std::string& host, int port = 6379);
};
class Context : public ::gloo::Context {
 public:
  Context(int rank, int size, int base = 2);
  void connectFullMesh(Store& store, std::shared_ptr<transport::Device>& device);
};
}  // namespace rendezvous
namespace mpi {
class Context : public ::gloo::Context {
 public:
  static std::shared_ptr<Context> createManaged();
  void connectFullMesh(std::shared_ptr<transport::Device>& device);
};
}  // namespace mpi

#define RANKLINT_GLOO_OPTIONS(Name) \
  class Name { \
   public: \
    explicit Name(const std::shared_ptr<Context>& context); \
    template <typename T> void setInput(T* data, size_t elements); \
    template <typename T> void setOutput(T* data, size_t elements); \
    template <typename T> void setInputs(std::vector<T*> data, size_t elements); \
    template <typename T> void setOutputs(std::vector<T*> data, size_t elements); \
    template <typename F> void setReduceFunction(F f); \
    void setRoot(int root); \
    void setTag(uint32_t tag); \
    void setTimeout(std::chrono::milliseconds timeout); \
  };
RANKLINT_GLOO_OPTIONS(AllreduceOptions)
RANKLINT_GLOO_OPTIONS(AllgatherOptions)
RANKLINT_GLOO_OPTIONS(AllgathervOptions)
RANKLINT_GLOO_OPTIONS(AlltoallOptions)
RANKLINT_GLOO_OPTIONS(AlltoallvOptions)
RANKLINT_GLOO_OPTIONS(BarrierOptions)
RANKLINT_GLOO_OPTIONS(BroadcastOptions)
RANKLINT_GLOO_OPTIONS(GatherOptions)
RANKLINT_GLOO_OPTIONS(GathervOptions)
RANKLINT_GLOO_OPTIONS(ReduceOptions)
RANKLINT_GLOO_OPTIONS(ScatterOptions)

// The older interface: an object for each collective, made once and run often.
class Algorithm {
 public:
  explicit Algorithm(const std::shared_ptr<Context>& context);
  virtual ~Algorithm();
  virtual void run() = 0;
};
#define RANKLINT_GLOO_ALGORITHM(Name) \
  template <typename T, typename W = void> class Name : public Algorithm { \
   public: \
    template <typename... More> Name(const std::shared_ptr<Context>& context, std::vector<T*> data, More... more); \
    void run() override; \
  };
RANKLINT_GLOO_ALGORITHM(AllreduceRing)
RANKLINT_GLOO_ALGORITHM(AllreduceRingChunked)
RANKLINT_GLOO_ALGORITHM(AllreduceHalvingDoubling)
RANKLINT_GLOO_ALGORITHM(AllreduceBcube)
RANKLINT_GLOO_ALGORITHM(BroadcastOneToAll)
RANKLINT_GLOO_ALGORITHM(ReduceScatterHalvingDoubling)
template <typename T> class AllgatherRing : public Algorithm {
 public:
  AllgatherRing(const std::shared_ptr<Context>& context, const std::vector<const T*>& inputs, T* output, int count);
  void run() override;
};
class BarrierAllToAll : public Algorithm {
 public:
  explicit BarrierAllToAll(const std::shared_ptr<Context>& context);
  void run() override;
};
class BarrierAllToOne : public Algorithm {
 public:
  explicit BarrierAllToOne(const std::shared_ptr<Context>& context, int root = 0);
  void run() override;
};

void allreduce(const AllreduceOptions& options);
void allgather(AllgatherOptions& options);
void allgatherv(AllgathervOptions& options);
void alltoall(AlltoallOptions& options);
void alltoallv(AlltoallvOptions& options);
void barrier(BarrierOptions& options);
void broadcast(BroadcastOptions& options);
void gather(GatherOptions& options);
void gatherv(GathervOptions& options);
void reduce(ReduceOptions& options);
void scatter(ScatterOptions& options);

}  // namespace gloo
