// Files that a rank opens by itself.
#include <mpi.h>

struct File {
  int rank;
  MPI_Comm comm;
  MPI_File own, shared, chosen;
};

int open_both(struct File *f, const char *path) {
  MPI_File_open(MPI_COMM_SELF, path, 0, MPI_INFO_NULL, &f->own);
  return MPI_File_open(f->comm, path, 0, MPI_INFO_NULL, &f->shared);
}

int view_own_ok(struct File *f) {
  if (f->rank == 0)
    return MPI_File_set_view(f->own, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);  // silent: [hands-over-part]
  return 0;
}

int view_shared_bad(struct File *f) {
  if (f->rank == 0)
    return MPI_File_set_view(f->shared, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);  // expect: [rank-guarded-collective]
  return 0;
}
