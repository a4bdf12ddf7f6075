// Variables of the whole program that one file writes, in a function that calls those which read them.
#include <mpi.h>
#include <stddef.h>

extern int rank_of_another;

void write_out_bad(void);
void ask_by_number_bad(void);
void ask_what_is_defined_elsewhere_bad(void);
void ask_for_size_ok(void);
void ask_own_ok(void);

int my_rank;
int is_first;
int job_size;

void begin(void) {
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_of_another);
  MPI_Comm_size(MPI_COMM_WORLD, &job_size);
  is_first = my_rank == 0 ? 1 : 0;
  write_out_bad();
  ask_by_number_bad();
  ask_what_is_defined_elsewhere_bad();
  ask_for_size_ok();
  ask_own_ok();
}
