#include <mpi.h>

extern int my_rank, is_first, job_size, rank_of_another;

static int my_share;
static MPI_Comm part_of_it;

double sum_up(double own) {
  double all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

void write_out_bad(void) {
  if (is_first) sum_up(1);  // expect: [rank-guarded-collective] "`all_reduce`"
}

void ask_by_number_bad(void) {
  if (my_rank == 0) sum_up(2);  // expect: [rank-guarded-collective] "`all_reduce`"
}

void ask_what_is_defined_elsewhere_bad(void) {
  if (rank_of_another == 0) sum_up(3);  // expect: [rank-guarded-collective] "`all_reduce`"
}

void ask_for_size_ok(void) {
  if (job_size > 1) sum_up(4);
}

void ask_own_ok(void) {
  if (my_share) sum_up(5);
}

void use_all(void) { part_of_it = MPI_COMM_WORLD; }

void use_part(MPI_Comm part) { part_of_it = part; }

void meet_in_part_ok(void) {
  if (my_rank < 2) MPI_Barrier(part_of_it);
}
