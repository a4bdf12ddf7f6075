#include <mpi.h>
template <typename T> struct Box {
  T value; MPI_Comm comm = MPI_COMM_WORLD;
  explicit Box(T v) : value(v) { MPI_Barrier(comm); }
  ~Box() { MPI_Comm_free(&comm); }
  virtual int run(int n) { return n ? run(n - 1) : 0; }
};
struct Other : Box<int> { using Box::Box; int run(int n) override { return -n; } };
int table[3] = {1, 2, 3};
int (*steps[])(int) = {[](int x) { return x; }, nullptr};
int work(int n, int* out, const char* name) {
  int rank, i = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Other other(rank);
  auto f = [&, n](auto x) mutable { return x + n + other.run(rank); };
  for (int j = n; j >= 0; j -= 2) if (j % 2 && rank) continue; else *out += table[j & 1];
  while (i < 4) { if (!name) break; i++; }
  do { ++i; } while (i < 8 || (rank && f(i) > 3));
  switch (rank) { case 0: MPI_Barrier(MPI_COMM_WORLD); [[fallthrough]]; case 1 ... 3: return 2; default: goto end; }
  try { if (n) throw n; } catch (int e) { *out = e; } catch (...) { throw; }
  for (int v : table) *out += v ? v : -v;
end:
  return steps[0](rank) + (other.value = 3, sizeof(Other) > 4 ? 1 : 0);
}
