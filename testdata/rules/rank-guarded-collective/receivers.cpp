// Objects through which a collective is come to: communicators that a constructor was given, overriders of what has no body, members
// and smart pointers, threads, tables of function objects.
#include <functional>
#include <memory>
#include <mpi.h>
#include <thread>
#include <vector>

static int rank_of(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

class Scope {
 public:
  explicit Scope(MPI_Comm comm) : comm_(comm) {}
  ~Scope() { MPI_Barrier(comm_); }
  void meet() { MPI_Barrier(comm_); }

 private:
  MPI_Comm comm_;
};

void destroyed_bad(MPI_Comm comm) {
  if (rank_of(comm) == 0) {
    Scope scope(comm);  // expect: [rank-guarded-collective] "`barrier` on `comm`"
  }
}

void destroyed_by_all_ok(MPI_Comm comm) {
  Scope scope(comm);
  if (rank_of(comm) == 0) return;
}

void another_communicator_ok(MPI_Comm comm, MPI_Comm rows) {
  Scope scope(rows);
  if (rank_of(comm) == 0) rank_of(comm);
}

struct Operation {
  virtual ~Operation() = default;
  virtual void run(MPI_Comm comm) = 0;
};

struct Meeting : Operation {
  void run(MPI_Comm comm) override { MPI_Barrier(comm); }
};

struct Message {
  virtual ~Message() = default;
  virtual void show() = 0;
};

struct Line : Message {
  void show() override {}
};

void without_body_bad(Operation& operation, MPI_Comm comm) {
  if (rank_of(comm) == 0) operation.run(comm);  // expect: [rank-guarded-collective] "`barrier` on `comm`"
}

void silent_overrider_ok(Message& message, MPI_Comm comm) {
  if (rank_of(comm) == 0) message.show();
}

Operation* next_operation();

void returned_bad(MPI_Comm comm) {
  Operation* operation = next_operation();
  if (rank_of(comm) == 0) operation->run(comm);  // expect: [rank-guarded-collective] "`barrier` on `comm`"
}

class Plan {
 public:
  void member_bad(MPI_Comm comm) {
    if (rank_of(comm) == 0) first_->run(comm);  // expect: [rank-guarded-collective] "`barrier` on `comm`"
  }
  void smart_member_bad(MPI_Comm comm) {
    if (rank_of(comm) == 0) second_->run(comm);  // expect: [rank-guarded-collective] "`barrier` on `comm`"
  }
  void all_ok(MPI_Comm comm) {
    for (auto& operation : rest_) operation->run(comm);
  }

 private:
  Operation* first_ = nullptr;
  std::unique_ptr<Operation> second_;
  std::vector<std::unique_ptr<Operation>> rest_;
};

void thread_bad() {
  if (rank_of(MPI_COMM_WORLD) == 0) {
    std::thread worker([] { MPI_Barrier(MPI_COMM_WORLD); });  // expect: [rank-guarded-collective] "`barrier`"
    worker.join();
  }
}

void thread_of_all_ok() {
  std::thread worker([] { MPI_Barrier(MPI_COMM_WORLD); });
  worker.join();
}

void table_bad(MPI_Comm comm) {
  std::vector<std::function<void()>> steps{[&] { MPI_Barrier(comm); }, [&] {}};
  steps[rank_of(comm) == 0 ? 0 : 1]();  // expect: [rank-guarded-collective] "`barrier`"
}

void table_by_choice_ok(MPI_Comm comm, int which) {
  std::vector<std::function<void()>> steps{[&] { MPI_Barrier(comm); }, [&] {}};
  steps[which]();
}
