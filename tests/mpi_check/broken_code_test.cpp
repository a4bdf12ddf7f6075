// What is run of programs that Clang could not read whole, and of C++ that the machine does not know.
#include <catch2/catch.hpp>

#include "analyzer/mpi_check/problem.h"
#include "app/engine/frontends.h"

namespace ranklint::mpi_check {

namespace {

// A program whose rank 0, after these statements, sends a message that no rank receives.
Verdict verdict_of(const std::string& name, const std::string& declarations, const std::string& statements) {
  const LoweredSource source = app::lower_source(
      name, "#include <mpi.h>\n" + declarations +
                "\nint main(int argc, char **argv) {\nint rank;\nMPI_Init(&argc, "
                "&argv);\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n" +
                statements +
                "\nif (rank == 0) MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);\nMPI_Finalize();\nreturn 0;\n}\n");
  REQUIRE(source.program);
  return explore(*source.program);
}

}  // namespace

TEST_CASE("a program is run where it was read, whatever was not") {
  for (const std::string name : {"program.c", "program.cpp"}) {
    INFO(name);
    CHECK(verdict_of(name, "", "").problems.size() == 1);
    CHECK(verdict_of(name, "#include \"not_here.h\"\nvoid others(Unknown *u) { u->run(); }", "").problems.size() == 1);
  }
}

TEST_CASE("a function that was not read whole ends the run, and that is told") {
  for (const std::string name : {"program.c", "program.cpp"}) {
    INFO(name);
    for (const std::string body : {"Unknown u; u.run();", "return (;",
                                   "MPI_Recv(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"}) {
      const Verdict verdict = verdict_of(name, "static void follow(int rank) {\n" + body + "\n}", "follow(rank);");
      CHECK(verdict.problems.empty());
      CHECK(verdict.lost_because == "code that could not be read");
    }
    CHECK(verdict_of(name, "", "Unknown u;").lost_because == "code that could not be read");
  }
}

TEST_CASE("records whose members could not be read have no layout, and who touches them is not run") {
  const std::string record = "struct Part { Unknown u; int n; };\nstruct Whole { struct Part parts[4]; int n; };\n";
  for (const std::string name : {"program.c", "program.cpp"}) {
    INFO(name);
    const Verdict verdict =
        verdict_of(name, record + "static struct Whole all;\nstatic int count(struct Whole *w) { return w->n; }",
                   "rank += count(&all);");
    CHECK(verdict.problems.empty());
    CHECK(verdict.lost_because == "code that could not be read");
    CHECK(verdict_of(name, record, "").problems.size() == 1);
  }
}

TEST_CASE("all constants of the standard are known") {
  CHECK(verdict_of("program.c", "",
                   "int *model, flag, kind[] = {MPI_COMBINER_INDEXED, MPI_ERR_BASE, MPI_DISPLACEMENT_CURRENT};\n"
                   "MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, kind, 0); if (kind[1] == "
                   "MPI_WIN_UNIFIED) return 0;")
            .problems.size() == 1);
}

TEST_CASE("an object with a destructor is not run past") {
  const std::string guard = "struct Guard { ~Guard() { MPI_Barrier(MPI_COMM_WORLD); } };";
  CHECK(verdict_of("program.cpp", guard, "Guard guard;").lost_because == "an object with a destructor");
  CHECK(verdict_of("program.cpp", guard + "\nGuard guard;", "").lost_because == "an object with a destructor");
  CHECK(verdict_of("program.cpp",
                   "struct Begin { Begin() { MPI_Barrier(MPI_COMM_WORLD); } };\nnamespace { Begin begin; }", "")
            .lost_because == "a constructor");
  CHECK(verdict_of("program.cpp", guard, "").problems.size() == 1);
}

TEST_CASE("a unit with more functions than a program may have is not lowered to its end") {
  std::string functions;
  for (int i = 0; i < 3000; ++i) functions += "int f" + std::to_string(i) + "(int n) { return n + 1; }\n";
  CHECK_FALSE(app::lower_source("unit.c", "#include <mpi.h>\n" + functions).program);
}

}  // namespace ranklint::mpi_check
