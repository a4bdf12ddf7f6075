// An object keeps what it has computed. Asked again it most likely has the result, and no rank waits.
#include <mpi.h>
#include <cstdio>

class Solver {
 public:
  Solver(MPI_Comm comm) : comm_(comm), updated_(false), total_(0) {}
  void evolve(double) { updated_ = false; }
  double energy() {
    if (!updated_) compute();
    return total_;
  }
  double potential() {
    if (!updated_) compute();
    return total_;
  }

 private:
  void compute() {
    double mine = 1;
    MPI_Allreduce(&mine, &total_, 1, MPI_DOUBLE, MPI_SUM, comm_);
    updated_ = true;
  }
  MPI_Comm comm_;
  bool updated_;
  double total_;
};

void asked_by_all_first_ok() {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Solver* s = new Solver(MPI_COMM_WORLD);
  for (int i = 0; i < 10; i++) {
    s->evolve(1);
    s->energy();
    if (rank == 0) printf("%f", s->potential());  // silent: [made-before]
  }
}

void on_the_stack_ok() {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Solver s(MPI_COMM_WORLD);
  s.energy();
  if (rank == 0) printf("%f", s.potential());  // silent: [made-before]
}

void forgotten_since_fn() {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Solver* s = new Solver(MPI_COMM_WORLD);
  for (int i = 0; i < 10; i++) {
    s->energy();
    s->evolve(1);
    if (rank == 0) printf("%f", s->potential());  // silent: [made-before]
  }
}
