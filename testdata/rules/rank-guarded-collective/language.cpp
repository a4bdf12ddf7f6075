// Ways of C++ to come to a collective: function pointers and tables, std::function, templates, exceptions, goto, loops.
#include <mpi.h>

#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <thread>

static int rank_of(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

static void meet() { MPI_Barrier(MPI_COMM_WORLD); }
static void rest() {}

void pointer_bad() {
  void (*step)() = meet;
  if (rank_of(MPI_COMM_WORLD) == 0) step();  // expect: [rank-guarded-collective] "`barrier`"
}

void function_object_bad() {
  std::function<void()> step = [] { MPI_Barrier(MPI_COMM_WORLD); };
  if (rank_of(MPI_COMM_WORLD) == 0) step();  // expect: [rank-guarded-collective] "`barrier`"
}

void chosen_bad() {
  void (*step)() = rank_of(MPI_COMM_WORLD) == 0 ? meet : rest;
  step();  // expect: [rank-guarded-collective] "`barrier`"
}

template <typename T>
T total(T value, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, comm);
  return value;
}

int template_bad(int value) {
  return rank_of(MPI_COMM_WORLD) == 0 ? total<int>(value, MPI_COMM_WORLD) : value;  // expect: [rank-guarded-collective] "`all_reduce`"
}

bool short_circuit_bad(int value) {
  return rank_of(MPI_COMM_WORLD) == 0 && total<int>(value, MPI_COMM_WORLD) > 3;  // expect: [rank-guarded-collective] "`all_reduce`"
}

void thread_bad() {
  std::thread worker(meet);
  if (rank_of(MPI_COMM_WORLD) == 0) meet();  // expect: [rank-guarded-collective] "`barrier`"
  worker.join();
}

void alone_ok() {
  if (rank_of(MPI_COMM_WORLD) == 0) MPI_Barrier(MPI_COMM_SELF);
}

void equal_arms_ok(int count) {
  if (rank_of(MPI_COMM_WORLD) == 0) {
    for (int i = 0; i < count; ++i) meet();
  } else {
    int i = 0;
    do {
      rest();
    } while (++i < count);
    for (int j = 0; j < count; ++j) meet();
  }
}

void nested_loops_ok(const int* table, int rows, int columns) {
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns && table[j] > 0; ++j)
      if (table[i] == j) break;
    meet();
  }
  int k = 0;
  while (k < rows) {
    if (table[k++] == 0) continue;
    rest();
  }
  meet();
}

void ends_the_job_ok(int value) {
  const int rank = rank_of(MPI_COMM_WORLD);
  if (rank == 0 && value < 0) {
    if (value == -1) std::exit(1);
    if (value == -2) std::abort();
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  meet();
}

int jumps_ok(int value) {
  if (value < 0) goto done;
  meet();
done:
  return value;
}

struct Comms {
  MPI_Comm world, rows;
};

void alias_ok(Comms& comms, int value) {
  const int rank = rank_of(MPI_COMM_WORLD);
  comms.world = MPI_COMM_WORLD;
  MPI_Comm all = comms.world;
  if (rank == 0) MPI_Bcast(&value, 1, MPI_INT, 0, all);
  else MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

void fails_alike_ok(int value) {
  try {
    if (value < 0) throw std::runtime_error("negative");
    meet();
  } catch (const std::exception&) {
    rest();
  }
  meet();
}
