// Functions chosen by the rank: out of a table, or by a condition.
#include <mpi.h>

static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void meet_too(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void pass(void) {}

typedef void (*Step)(void);
static const Step kRoles[2] = {meet, pass};
static const Step kAlike[2] = {meet, meet_too};

void table_bad(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  kRoles[rank != 0]();  // expect: [rank-guarded-collective] "`barrier`"
}

void table_ok(int mode) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  kAlike[rank != 0]();
  kRoles[mode]();
}

void choice_bad(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Step step = rank == 0 ? meet : pass;
  step();  // expect: [rank-guarded-collective] "`barrier`"
}

void assigned_bad(void) {
  int rank;
  Step step;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    step = meet;
  else
    step = pass;
  step();  // expect: [rank-guarded-collective] "`barrier`"
}

void choice_ok(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Step step = rank == 0 ? meet : meet_too;
  step();
}
