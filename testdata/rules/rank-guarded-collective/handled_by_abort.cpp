// Handlers that end the process, in a macro as well.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#define FAIL(text)                 \
  do {                             \
    if (std::printf(text) < 0) {   \
      std::abort();                \
    }                              \
    std::abort();                  \
  } while (0)
#define CHECK(condition)                                    \
  do {                                                      \
    if (!(condition)) throw std::logic_error("no success"); \
  } while (0)

struct Comm {
  int world_rank;
  MPI_Comm comm;
};

int remove_segment(int id);

void drop_ok(const Comm& c, int id) noexcept {
  try {
    if (c.world_rank == 0) {
      CHECK(remove_segment(id) == 0);
    }
    MPI_Barrier(c.comm);
  } catch (const std::logic_error& e) {
    FAIL("failed");
  } catch (const std::bad_alloc& e) {
    FAIL("no memory");
  }
}

void drop_and_go_on_bad(const Comm& c, int id) noexcept {
  try {
    if (c.world_rank == 0) {
      CHECK(remove_segment(id) == 0);
    }
    MPI_Barrier(c.comm);  // expect: [rank-guarded-collective] "`barrier`"
  } catch (const std::logic_error& e) {
    std::printf("failed");
  }
}
