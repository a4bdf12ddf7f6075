// Guards around collectives that are far down: in a method, a constructor, a destructor, a lambda, an override.
#include <functional>
#include <memory>
#include <mpi.h>
#include <string>
#include <vector>

namespace train {

class Communicator {
 public:
  explicit Communicator(MPI_Comm comm) : comm_(comm) { MPI_Comm_rank(comm_, &rank_); }
  bool is_root() const { return rank_ == 0; }
  void sync() { MPI_Barrier(comm_); }

 private:
  MPI_Comm comm_;
  int rank_ = 0;
};

struct Synchronized {
  explicit Synchronized(MPI_Comm comm) : comm(comm) {}
  ~Synchronized() { MPI_Barrier(comm); }
  MPI_Comm comm;
};

struct Step {
  virtual ~Step() = default;
  virtual void run() {}
};

struct Reduce : Step {
  void run() override { MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); }
  int value = 0;
};

void method_bad(Communicator& comm) {
  if (comm.is_root()) comm.sync();  // expect: [rank-guarded-collective] "`barrier`"
}

void destructor_bad() {
  Communicator comm(MPI_COMM_WORLD);
  if (comm.is_root()) {
    Synchronized scope(MPI_COMM_WORLD);  // expect: [rank-guarded-collective] "`barrier`"
  }
}

void lambda_bad() {
  Communicator comm(MPI_COMM_WORLD);
  const auto meet = [&] { comm.sync(); };
  if (comm.is_root()) meet();  // expect: [rank-guarded-collective] "`barrier`"
}

void override_bad(Step& step) {
  Communicator comm(MPI_COMM_WORLD);
  if (comm.is_root()) step.run();  // expect: [rank-guarded-collective] "`all_reduce`"
}

void made_bad() {
  Communicator comm(MPI_COMM_WORLD);
  auto step = std::make_unique<Reduce>();
  if (comm.is_root()) step->run();  // expect: [rank-guarded-collective] "`all_reduce`"
}

void stop(const std::string& message, int code) {
  MPI_Barrier(MPI_COMM_WORLD);
}

void refuse(const std::string& what) {
  stop(what, 1);  // expect-note: "calls `stop`"
}

void named_without_its_parameters_bad() {
  Communicator comm(MPI_COMM_WORLD);
  if (comm.is_root()) refuse("no input");  // expect: [rank-guarded-collective] "`barrier`"
}

void all_ok() {
  Communicator comm(MPI_COMM_WORLD);
  Synchronized scope(MPI_COMM_WORLD);
  std::vector<std::unique_ptr<Step>> steps;
  for (auto& step : steps) step->run();
  if (comm.is_root()) comm.is_root();
  comm.sync();
}

}  // namespace train
