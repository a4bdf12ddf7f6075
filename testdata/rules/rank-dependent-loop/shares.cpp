// What a rank holds of a whole, in a container that it fills or by numbers that leave a rest: loops over it end at different times.
#include <mpi.h>
#include <vector>

static void step(double* value, MPI_Comm comm) { MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE, MPI_SUM, comm); }

void filled_bad(const std::vector<double>& all, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  std::vector<double> mine;
  for (size_t i = rank; i < all.size(); i += size) mine.push_back(all[i]);
  for (size_t i = 0; i < mine.size(); ++i) step(&mine[i], comm);  // expect: [rank-dependent-loop] "`all_reduce`"
}

void filled_and_walked_bad(const std::vector<double>& all, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  std::vector<double> mine;
  for (size_t i = rank; i < all.size(); i += size) mine.push_back(all[i]);
  for (double& value : mine) step(&value, comm);  // expect: [rank-dependent-loop] "`all_reduce`"
}

void one_more_bad(double* x, int total, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int mine = total / size + (rank < total % size ? 1 : 0);
  for (int i = 0; i < mine; i++) step(x + i, comm);  // expect: [rank-dependent-loop] "`all_reduce`"
}

void one_more_by_truth_bad(double* x, int total, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int mine = total / size + (rank < total % size);
  for (int i = 0; i < mine; i++) step(x + i, comm);  // expect: [rank-dependent-loop] "`all_reduce`"
}

void all_ok(const std::vector<double>& all, MPI_Comm comm) {
  std::vector<double> copy;
  for (size_t i = 0; i < all.size(); ++i) copy.push_back(all[i]);
  for (double& value : copy) step(&value, comm);
}

void read(std::vector<double>& into);

void filled_elsewhere_ok(MPI_Comm comm) {
  std::vector<double> values;
  read(values);
  if (!values.empty()) step(values.data(), comm);
  for (double& value : values) step(&value, comm);
}

void agreed_ok(const std::vector<double>& all, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  std::vector<double> mine;
  for (size_t i = rank; i < all.size(); i += size) mine.push_back(all[i]);
  int rounds = static_cast<int>(mine.size());
  MPI_Allreduce(MPI_IN_PLACE, &rounds, 1, MPI_INT, MPI_MAX, comm);
  double none = 0;
  for (int i = 0; i < rounds; ++i) step(i < static_cast<int>(mine.size()) ? &mine[i] : &none, comm);
}
