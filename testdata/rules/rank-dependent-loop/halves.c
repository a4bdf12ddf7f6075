// A broadcast among the ranks of one colour tells them what their own root knows, not what another colour's root does.
#include <mpi.h>

void told_in_halves_bad(int known) {
  int rank, steps = 0;
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (rank == 0) steps = known;
  MPI_Bcast(&steps, 1, MPI_INT, 0, half);
  for (int i = 0; i < steps; ++i) // expect: [rank-dependent-loop] "`barrier` on `world`"
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&half);
}

void told_to_all_ok(int known) {
  int rank, steps = 0;
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (rank == 0) steps = known;
  MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < steps; ++i) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&half);
}

void each_root_knows_ok(int known) {
  int rank, place, steps = 0;
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_rank(half, &place);
  if (place == 0) steps = known;
  MPI_Bcast(&steps, 1, MPI_INT, 0, half);
  for (int i = 0; i < steps; ++i) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&half);
}

void used_among_themselves_ok(int known) {
  int rank, steps = 0;
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (rank == 0) steps = known;
  MPI_Bcast(&steps, 1, MPI_INT, 0, half);
  for (int i = 0; i < steps; ++i) MPI_Barrier(half);
  MPI_Comm_free(&half);
}

static MPI_Comm half_of(int rank) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  return half;
}

void told_in_a_helpers_halves_bad(int known) {
  int rank, steps = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half = half_of(rank);
  if (rank == 0) steps = known;
  MPI_Bcast(&steps, 1, MPI_INT, 0, half);
  for (int i = 0; i < steps; ++i) // expect: [rank-dependent-loop] "`barrier` on `world`"
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&half);
}

static void tell_all(int *value) { MPI_Bcast(value, 1, MPI_INT, 0, MPI_COMM_WORLD); }

// A number that a helper broadcasts is no longer this rank's.
void told_by_a_helper_ok(void) {
  int first;
  MPI_Comm_rank(MPI_COMM_WORLD, &first);
  tell_all(&first);
  for (int i = 0; i < first; ++i) MPI_Barrier(MPI_COMM_WORLD);
}
