// Guards around MPI collectives, in C.
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

#define CHECK(call) do { int code_ = (call); if (code_ != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, code_); } while (0)

int guarded_bad(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);  // expect: [rank-guarded-collective] "`barrier` on `world` is issued by rank 0"
  return rank;
}

int guarded_macro_bad(int value) {
  int rank;
  CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  if (rank == 0) {
    CHECK(MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD));  // expect: [rank-guarded-collective] "`broadcast`"
  }
  return value;
}

static void write_rank(MPI_Comm comm, int *out) { MPI_Comm_rank(comm, out); }

int rank_through_pointer_bad(void) {
  int rank;
  write_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);  // expect: [rank-guarded-collective] "`barrier`"
  return rank;
}

int other_group_rank_bad(int value) {
  int rank, place;
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_rank(half, &place);
  if (place == 0) MPI_Bcast(&value, 1, MPI_INT, 0, half);  // expect: [rank-guarded-collective] "`broadcast`"
  MPI_Comm_free(&half);
  return value;
}

void own_colour_ok(void) {
  int rank;
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (rank % 2 == 0) MPI_Barrier(half);
}

void every_rank_ok(int value) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) assert(size > 1);
  if (rank < size) MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0 && value < 0) MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank == 0 && value < 0) abort();
  MPI_Barrier(MPI_COMM_WORLD);
}

void both_sides_ok(int value) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Reduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  else MPI_Reduce(&value, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  if (rank != 0) MPI_Barrier(MPI_COMM_WORLD);
}

int agreed_flag_ok(int value) {
  int rank, stop = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) stop = value > 3;
  MPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (stop) MPI_Barrier(MPI_COMM_WORLD);
  return stop;
}

void allowed_ok(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);  // ranklint: ignore[rank-guarded-collective] this program is the example
}
