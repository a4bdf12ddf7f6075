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

// The same in a function of its own.
static void make(MPI_Group some, MPI_Comm* part) { MPI_Comm_create_group(MPI_COMM_WORLD, some, 7, part); }

void members_have_a_group_made(int rank, MPI_Group low) {
  MPI_Comm part;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank % 2 == 0) {
    make(low, &part);
    MPI_Barrier(part);
    MPI_Comm_free(&part);
  }
}

void all_have_a_group_made_bad(int rank, MPI_Group some) {
  MPI_Comm part;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  make(some, &part);
  if (rank % 2 == 0) MPI_Barrier(part);  // expect: [rank-guarded-collective] "barrier"
  MPI_Comm_free(&part);
}

// Each begins alone, and they merge.
static void merge(int size, int partner, MPI_Comm* merged) {
  MPI_Comm now = MPI_COMM_SELF, pair, next;
  for (int have = 1; have < size; have *= 2) {
    MPI_Intercomm_create(now, 0, MPI_COMM_WORLD, partner, 5, &pair);
    MPI_Intercomm_merge(pair, 0, &next);
    MPI_Comm_free(&pair);
    now = next;
  }
  *merged = now;
}

void some_merge_ok(int size, int partner) {
  MPI_Comm part;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank % 2 == 0) {
    merge(size, partner, &part);
    MPI_Barrier(part);
    MPI_Comm_free(&part);
  }
}

void all_merge_bad(int size, int partner) {
  MPI_Comm part;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  merge(size, partner, &part);
  if (rank % 2 == 0) MPI_Barrier(part);  // expect: [rank-guarded-collective] "barrier"
  MPI_Comm_free(&part);
}

void others_than_rank_zero_ok(int rank, int* data) {
  MPI_Group all, others;
  MPI_Comm part;
  int zero[] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_excl(all, 1, zero, &others);
  MPI_Comm_create(MPI_COMM_WORLD, others, &part);
  if (rank != 0) MPI_Bcast(data, 1, MPI_INT, 0, part);
}

void all_but_rank_zero_of_all_bad(int rank, int* data) {
  MPI_Group all;
  MPI_Comm copy;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Comm_create(MPI_COMM_WORLD, all, &copy);
  if (rank != 0) MPI_Bcast(data, 1, MPI_INT, 0, copy);  // expect: [rank-guarded-collective]
}
