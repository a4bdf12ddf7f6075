// Windows, files and communicators that are made where ranks have parted: who made them is who uses them.
#include <mpi.h>

void two_sides_of_a_window_ok(int rank, void* mine) {
  MPI_Win win;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Win_create(0, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
  } else {
    MPI_Win_create(mine, 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
  }
  MPI_Win_free(&win);
}

void a_fence_of_some_bad(int rank, void* mine) {
  MPI_Win win;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(mine, 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (rank == 0) MPI_Win_fence(0, win);  // expect: [rank-guarded-collective] "win_fence"
}

void a_file_of_its_own_ok(int rank, const char* name) {
  MPI_File file;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_File_open(MPI_COMM_SELF, name, 0, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
  }
}

void members_make_a_group_ok(int rank, MPI_Group low) {
  MPI_Comm part;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank < 2) {
    MPI_Comm_create_group(MPI_COMM_WORLD, low, 7, &part);
    MPI_Barrier(part);
    MPI_Comm_free(&part);
  }
}

// Made behind one guard, used behind another of the same ranks.
void leaders_among_themselves(MPI_Group leaders, int n) {
  MPI_Comm part;
  int rank, sum;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int leads = rank % 4 == 0;
  if (leads) MPI_Comm_create_group(MPI_COMM_WORLD, leaders, 1, &part);
  n++;
  if (leads) {
    MPI_Reduce(&n, &sum, 1, MPI_INT, MPI_SUM, 0, part);
    MPI_Comm_free(&part);
  }
}
