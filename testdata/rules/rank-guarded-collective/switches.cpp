// Members that are switches: one that nothing turns, and one that a method does.
#include <mpi.h>

class Timer {
 public:
  Timer() : synced_(false) {}
  void start() {
    if (synced_) MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  bool synced_;
};

class Clock {
 public:
  Clock() : synced_(false) {}
  void set_synced(bool synced) { synced_ = synced; }
  void start() {
    if (synced_) MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  bool synced_;
};

void time_it_ok(Timer& timer) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) timer.start();  // silent: [unused-option]
}

void clock_it_bad(Clock& clock) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) clock.start();  // expect: [rank-guarded-collective] "`barrier`"
}
