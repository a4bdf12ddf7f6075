// Exceptions: the body of a `try` stands among other statements, and only what is thrown in it goes to its handlers.
#include <mpi.h>

#include <stdexcept>

static int rank_of(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

void caught_bad(MPI_Comm comm) {
  const int rank = rank_of(comm);
  int sum = rank;
  try {
    if (rank == 0) throw std::runtime_error("nothing to do");
    MPI_Barrier(comm);
  } catch (const std::exception&) {
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);  // expect: [rank-guarded-collective] "`all_reduce`"
}

void caught_and_made_up_ok(MPI_Comm comm) {
  const int rank = rank_of(comm);
  int sum = rank;
  try {
    if (rank == 0) throw std::runtime_error("nothing to do");
    MPI_Barrier(comm);
  } catch (const std::exception&) {
    MPI_Barrier(comm);
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
}

static void check(MPI_Comm comm, int count) {
  if (rank_of(comm) == 0 && count < 0) throw std::runtime_error("a negative count");
  MPI_Barrier(comm);
}

void ends_the_job_ok(int count) {
  try {
    check(MPI_COMM_WORLD, count);
  } catch (const std::exception&) {
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void parse(int rank) {
  if (rank == 0) throw std::runtime_error("not for me");
}

void thrown_in_a_callee_bad(MPI_Comm comm) {
  const int rank = rank_of(comm);
  int sum = rank;
  try {
    parse(rank);
    MPI_Barrier(comm);
  } catch (const std::exception&) {
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);  // expect: [rank-guarded-collective] "`all_reduce`"
}

void thrown_behind_the_last_ok(MPI_Comm comm) {
  const int rank = rank_of(comm);
  int sum = rank;
  try {
    MPI_Barrier(comm);
    parse(rank);
  } catch (const std::exception&) {
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
}
