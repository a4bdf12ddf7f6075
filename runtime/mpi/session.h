// MPI of this process, from its start to its end. A process that ends in between takes the job down: some launchers
// take it for a rank that is done, and the others would wait for it.
#pragma once

#include <string>

namespace ranklint::runtime {

// Has an `mpirun` started this process? Read from the environment, without a call to MPI.
bool started_by_mpirun();

class MpiSession {
 public:
  MpiSession(int* argc, char*** argv);
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  static void finalize();

  // Why a world of that size can not run here, or empty.
  std::string objection(int world_size) const;

 private:
  int provided_ = 0;
};

}  // namespace ranklint::runtime
