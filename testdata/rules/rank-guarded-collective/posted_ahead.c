// What is only posted is waited for by whoever has its handle: one rank may post ahead of the others.
#include <mpi.h>

typedef struct {
  MPI_Comm comm;
  MPI_Request told;
  int go;
} progress;

void begin(progress *p) {
  int rank;
  MPI_Comm_rank(p->comm, &rank);
  if (rank != 0) MPI_Ibcast(&p->go, 1, MPI_INT, 0, p->comm, &p->told);  // silent: [posted-ahead]
}

void end(progress *p) {
  int rank;
  MPI_Comm_rank(p->comm, &rank);
  if (rank == 0) MPI_Ibcast(&p->go, 1, MPI_INT, 0, p->comm, &p->told);  // silent: [posted-ahead]
  MPI_Wait(&p->told, MPI_STATUS_IGNORE);
}

void tell_bad(int go, MPI_Comm comm) {
  int rank;
  MPI_Request told;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) {
    MPI_Ibcast(&go, 1, MPI_INT, 0, comm, &told);  // expect: [rank-guarded-collective]
    MPI_Wait(&told, MPI_STATUS_IGNORE);
  }
}
