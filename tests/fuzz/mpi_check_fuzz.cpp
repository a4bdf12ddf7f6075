// Any bytes are an MPI program, as a body of `main` and as a whole file: its runs end, and what they report has a
// place.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "analyzer/mpi_check/problem.h"
#include "frontends/cpp/frontend.h"

static void run(const std::string& text) {
  const auto program = ranklint::lower_cpp("fuzz.c", text).program;
  if (!program || !program->has_main()) return;
  for (const ranklint::mpi_check::Problem& p : ranklint::mpi_check::explore(*program).problems) {
    if (!ranklint::mpi_check::info_of(p.statement.fact).is_problem || !p.mark.range.known()) std::abort();
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.find("main") != std::string::npos)
    run(bytes);
  else
    run("#include <mpi.h>\nint main(int argc, char **argv) { int rank, size, a[16] = {0}, b[16]; MPI_Request r; "
        "MPI_Status st; MPI_Comm c; MPI_Datatype t; MPI_Win w;\n"
        "MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);\n" +
        bytes + "\nMPI_Finalize(); return 0; }\n");
  return 0;
}
