// Which worlds are run, and what is concluded of them.
#include <catch2/catch.hpp>

#include "analyzer/mpi_check/call.h"
#include "analyzer/mpi_check/problem.h"
#include "analyzer/mpi_check/types.h"
#include "app/engine/frontends.h"

namespace ranklint::mpi_check {

namespace {

// A program around these statements.
Verdict verdict_of(const std::string& body) {
  const std::string text =
      "#include <mpi.h>\n#include <stdlib.h>\n#include <time.h>\nint main(int argc, char **argv) {\n"
      "int rank, size, v = 0, w = 0; MPI_Status st; MPI_Request r;\n"
      "MPI_Init(&argc, &argv);\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\nMPI_Comm_size(MPI_COMM_WORLD, &size);\n" +
      body + "\nMPI_Finalize();\nreturn 0;\n}\n";
  const LoweredSource source = app::lower_source("program.c", text);
  REQUIRE(source.program);
  return explore(*source.program);
}

const std::string kSend = "MPI_Send(&v, 1, MPI_INT, ", kReceive = "MPI_Recv(&w, 1, MPI_INT, ";
const std::string kTo = ", 0, MPI_COMM_WORLD);", kFrom = ", 0, MPI_COMM_WORLD, &st);";

bool has(const Verdict& verdict, ProblemKind kind) {
  for (const Problem& p : verdict.problems)
    if (p.kind == kind) return true;
  return false;
}

}  // namespace

TEST_CASE("every form of a collective moves what its plain form does") {
  const auto moves = [](std::string_view name) { return find_signature(name)->moves; };
  for (const Signature& call : collective_calls()) {
    INFO(call.name);
    CHECK(call.moves.kind != MovementKind::None);
  }
  CHECK(moves("Ineighbor_alltoallw").kind == moves("Alltoall").kind);
  CHECK(moves("Ineighbor_alltoallw").of_neighbours);
  CHECK(moves("Ineighbor_alltoallw").lists == Movement::Lists::Types);
  CHECK(moves("Igatherv_c").has_list(false));
  CHECK_FALSE(moves("Igatherv").has_list(true));
  CHECK(moves("Scatterv_init").is_split(true));
  CHECK_FALSE(moves("Scatterv_init").moves_now());
  CHECK(moves("Iscatterv").moves_now());
  CHECK_FALSE(moves("Neighbor_allgather").is_of_all());
  CHECK(moves("Comm_split").kind == MovementKind::None);
}

TEST_CASE("a program without an error is run to its end, and that is exact") {
  const Verdict verdict = verdict_of("MPI_Barrier(MPI_COMM_WORLD);");
  CHECK(verdict.is_exact);
  CHECK(verdict.problems.empty());
}

TEST_CASE("the functions that were run are told by their names' places") {
  const Verdict verdict = verdict_of("MPI_Barrier(MPI_COMM_WORLD);");
  REQUIRE(verdict.reached.size() == 1);
  CHECK(verdict.reached[0].range.line == 4);
}

TEST_CASE("each sender that a wildcard may take is a world of its own") {
  const Verdict verdict = verdict_of("if (rank == 0) { " + kReceive + "MPI_ANY_SOURCE" + kFrom +
                                     " if (st.MPI_SOURCE == 2) " + kReceive + "3" + kFrom + " else " + kReceive + "2" +
                                     kFrom + " }\nelse if (rank == 1 || rank == 2) " + kSend + "0" + kTo);
  CHECK(has(verdict, ProblemKind::UnmatchedMessage));
}

TEST_CASE("both sides of what all ranks share are tried") {
  CHECK(has(verdict_of("if (argc > 1 && rank == 0) MPI_Barrier(MPI_COMM_WORLD);"), ProblemKind::CollectiveMismatch));
  CHECK(verdict_of("if (argc > 1) MPI_Barrier(MPI_COMM_WORLD);").is_exact);
}

TEST_CASE("an argument of the command line is the same on all ranks") {
  const Verdict verdict =
      verdict_of("int n = atoi(argv[2]);\nfor (int i = 0; i < n; ++i) MPI_Barrier(MPI_COMM_WORLD);");
  CHECK(verdict.is_exact);
  CHECK(verdict.problems.empty());
}

TEST_CASE("memory of which nobody knows where it lies is written nowhere") {
  const std::string somewhere = "char *p = argv[1];\nfor (int i = 0; i < 5000; ++i) p = argv[argc + i];\n";
  for (const std::string call : {"MPI_Get_processor_name(p, &v);", "MPI_Error_string(0, p, &v);", "MPI_Free_mem(p);",
                                 "MPI_Recv(&w, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, (MPI_Status *)p);"}) {
    INFO(call);
    CHECK(verdict_of(somewhere + call).problems.empty());
  }
}

TEST_CASE("a pointer that another rank has sent points nowhere that is known") {
  const std::string sent =
      "int *p = &v, **all = &p;\nif (rank == 0) for (int i = 0; i < 5000; ++i) p = (int *)malloc(4);\n"
      "MPI_Bcast(&p, 8, MPI_BYTE, 0, MPI_COMM_WORLD);\n";
  CHECK(verdict_of(sent + "*p = 1; free(p); MPI_Barrier(MPI_COMM_WORLD);").problems.empty());
  CHECK(has(verdict_of(sent + "if (rank == 0) { *p = 1; if (*p == 1) MPI_Barrier(MPI_COMM_WORLD); }"),
            ProblemKind::CollectiveMismatch));
}

TEST_CASE("where ranks may differ and that decides about communication, nothing is said") {
  const Verdict verdict = verdict_of("if (time(0) % 2) MPI_Barrier(MPI_COMM_WORLD);");
  CHECK_FALSE(verdict.is_exact);
  CHECK(verdict.problems.empty());
  CHECK(verdict.lost_because == "`MPI_Barrier` where ranks may differ");
}

TEST_CASE("a ring of sends that ends only with buffers is told as such") {
  CHECK(has(verdict_of(kSend + "(rank + 1) % size" + kTo + kReceive + "(rank + size - 1) % size" + kFrom),
            ProblemKind::SendCycle));
}

TEST_CASE("a program that refuses four ranks is run with as many as it wants") {
  for (const std::string size : {"2", "3", "5"}) {
    const std::string refusal = "if (size != " + size + ") { MPI_Finalize(); return 0; }\n";
    const Verdict wrong = verdict_of(refusal + "if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);");
    REQUIRE(has(wrong, ProblemKind::CollectiveMismatch));
    CHECK(std::to_string(wrong.problems[0].world_size) == size);
    CHECK(verdict_of(refusal + "MPI_Barrier(MPI_COMM_WORLD);").problems.empty());
    CHECK(
        has(verdict_of("if (size != " + size + ") MPI_Abort(MPI_COMM_WORLD, 1);\nif (rank) " + kReceive + "0" + kFrom),
            ProblemKind::UnmatchedMessage));
  }
}

TEST_CASE("a program that refuses four ranks and meets at its end all the same is run with as many as it wants") {
  const auto verdict = [](const std::string& last) {
    const LoweredSource source =
        app::lower_source("program.c",
                          "#include <mpi.h>\nstatic void end(void) { MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize(); }\n"
                          "int main(int argc, char **argv) {\nint rank, size;\nMPI_Init(&argc, "
                          "&argv);\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                          "MPI_Comm_size(MPI_COMM_WORLD, &size);\nif (size == 3) " +
                              last + " MPI_Barrier(MPI_COMM_WORLD);\nend();\nreturn 0;\n}\n");
    REQUIRE(source.program);
    return explore(*source.program);
  };
  REQUIRE(has(verdict("if (rank == 0)"), ProblemKind::CollectiveMismatch));
  CHECK(verdict("if (rank == 0)").problems[0].world_size == 3);
  CHECK(verdict("").is_exact);
}

TEST_CASE("ranks beyond those a program was written for are no error") {
  CHECK(verdict_of("if (rank % 2 == 0) " + kSend + "rank + 1" + kTo + " else " + kReceive + "rank - 1" + kFrom)
            .problems.empty());
  CHECK(
      verdict_of("if (rank == 0) " + kSend + "5" + kTo + " if (rank == 5) " + kReceive + "0" + kFrom).problems.empty());
}

TEST_CASE("a rank that grows with the world is an error in each") {
  const Verdict verdict = verdict_of("if (rank == 0) " + kSend + "size" + kTo);
  REQUIRE(has(verdict, ProblemKind::InvalidArgument));
  CHECK(verdict.problems[0].world_size == 4);
}

TEST_CASE("a test may find nothing the first time") {
  CHECK(has(verdict_of("if (rank == 0) { MPI_Irecv(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r); MPI_Test(&r, &w, &st); "
                       "}\nif (rank == 1) " +
                       kSend + "0" + kTo),
            ProblemKind::RequestNotCompleted));
}

TEST_CASE("loops that never end are given up, and quickly") {
  CHECK_FALSE(verdict_of("for (;;) ++v;").is_exact);
  CHECK_FALSE(verdict_of("for (;;) MPI_Iprobe(0, 0, MPI_COMM_SELF, &v, &st);").problems.empty());
}

TEST_CASE("more communication than can be followed is cut off, and that is told") {
  const Verdict verdict = verdict_of(
      "static int big[1 << 20];\nfor (int i = 0; i < 100000000; ++i) MPI_Allgather(&v, 1, MPI_INT, big, 1, MPI_INT, "
      "MPI_COMM_WORLD);");
  CHECK_FALSE(verdict.is_exact);
  CHECK(verdict.problems.empty());
  const Verdict crowd = verdict_of(
      "static MPI_Request r2[50000];\nfor (int i = 0; i < 50000; ++i) MPI_Irecv(&v, 1, MPI_INT, 0, i, MPI_COMM_SELF, "
      "&r2[i]);\n"
      "for (int i = 0; i < 50000; ++i) MPI_Send(&w, 1, MPI_INT, 0, 49999 - i, MPI_COMM_SELF);");
  CHECK_FALSE(crowd.is_exact);
}

TEST_CASE("a program that fails before it finalizes refuses the size of the world") {
  CHECK(verdict_of("if (size != 2) return 1;\nif (rank == 0) " + kSend + "1" + kTo + " else " + kReceive + "0" + kFrom)
            .is_exact);
  CHECK(has(verdict_of("if (size == 2) return 0;"), ProblemKind::UnmatchedMessage) == false);
  CHECK(has(verdict_of("if (rank == 0) return 0;"), ProblemKind::OutsideMpi));
}

TEST_CASE("a program for two ranks is asked with two") {
  const std::string partner = "(rank + 1) % size";
  const std::string exchange =
      "MPI_Sendrecv(&v, 1, MPI_INT, " + partner + ", 0, &w, 1, MPI_INT, " + partner + ", 0, MPI_COMM_WORLD, &st);";
  CHECK(verdict_of("if (rank < 2) { " + exchange + " }\nMPI_Barrier(MPI_COMM_WORLD);").problems.empty());
  CHECK(has(verdict_of(exchange), ProblemKind::UnmatchedMessage));  // here all take part
}

TEST_CASE("a program that talks to itself as rank 0 is asked with one rank") {
  CHECK(verdict_of("MPI_Sendrecv(&v, 1, MPI_INT, 0, 0, &w, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &st);").problems.empty());
  CHECK(has(verdict_of("if (rank == 1) " + kReceive + "0" + kFrom), ProblemKind::UnmatchedMessage));
  CHECK(has(verdict_of("MPI_Irecv(&w, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r); " + kSend + "0" + kTo +
                       " MPI_Wait(&r, &st);"),
            ProblemKind::UnmatchedMessage));
}

TEST_CASE("two questions about one thing that all ranks share are answered alike") {
  const std::string ifs[][2] = {{"argc == 2", "argc != 2"}, {"argc < 3", "argc >= 3"}, {"argc > 3", "!(3 < argc)"},
                                {"mode", "!mode"},          {"mode == 0", "mode"},     {"mode == 1", "mode == 2"},
                                {"mode > 4", "mode < 2"},   {"mode > 4", "mode == 3"}};
  for (const auto& [one, other] : ifs) {
    const Verdict verdict = verdict_of(
        "int mode = atoi(argv[1]);\nif (" + one + ") MPI_Irecv(&v, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r);\nif (" +
        other + ") return 0;\nif (" + one + ") { " + kSend + "0, 0, MPI_COMM_SELF); MPI_Wait(&r, &st); }");
    CHECK_FALSE(has(verdict, ProblemKind::RequestNotCompleted));
    CHECK(verdict.is_exact);
  }
}

TEST_CASE("loops over a number that nobody knows have as many turns as each other") {
  const Verdict verdict = verdict_of(
      "int n = atoi(argv[1]); MPI_Request q[100];\nfor (int i = 0; i < n; ++i) MPI_Ibarrier(MPI_COMM_WORLD, &q[i]);\n"
      "int more = 1; while (more) { more = v < n; if (more) MPI_Wait(&q[v++], &st); }");
  CHECK(verdict.problems.empty());
  CHECK(verdict.is_exact);
}

TEST_CASE("what a loop was told to go on for is not forgotten at its end") {
  const Verdict verdict = verdict_of(
      "int done = 0, x = atoi(argv[1]);\nwhile (!done) { MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); x = x * 3; done "
      "= x > 7;\n"
      "if (rank == 1 && !done) " +
      kSend + "0" + kTo + " if (rank == 0 && !done) " + kReceive + "1" + kFrom +
      " if (!done) v++; }\n"
      "if (rank == 2 && v > 99) " +
      kSend + "3" + kTo);
  CHECK(verdict.problems.empty());
}

TEST_CASE("a program whose header of MPI is not there is not run") {
  const LoweredSource source =
      app::lower_source("program.c",
                        "#include \"not_there.h\"\nint main(int argc, char **argv) { int r; MPI_Init(&argc, &argv);\n"
                        "MPI_Comm_rank(MPI_COMM_WORLD, &r);\nif (r == 0) MPI_Finalize();\nreturn 0; }\n");
  CHECK_FALSE(source.program);
}

TEST_CASE("a program with a branch for each of two ranks is asked with two") {
  const std::string barrier = "MPI_Barrier(MPI_COMM_WORLD);";
  CHECK(verdict_of("if (rank == 0) { " + barrier + " }\nelse if (rank == 1) { v = 1;\n" + barrier + " }")
            .problems.empty());
  CHECK(has(verdict_of("if (rank < 2) " + barrier), ProblemKind::CollectiveMismatch));
  CHECK(has(verdict_of("MPI_Comm half; MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);\nif (rank == 0) "
                       "MPI_Barrier(half);\nMPI_Comm_free(&half);"),
            ProblemKind::CollectiveMismatch));
  CHECK(has(verdict_of("if (rank == 0) { " + barrier + " }\nelse if (rank == 2) { v = 1;\n" + barrier + " }"),
            ProblemKind::CollectiveMismatch));
}

TEST_CASE("a collective that only one rank issues is told of the number of ranks that the program asks for") {
  for (const std::string size : {"3", "4", "5"}) {
    const std::string only = "if (size == " + size + ") {\n",
                      reduce = "MPI_Reduce(&v, &w, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);\n}";
    CHECK(has(verdict_of(only + "if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);\n" + reduce),
              ProblemKind::CollectiveMismatch));
    CHECK(verdict_of(only + "MPI_Barrier(MPI_COMM_WORLD);\n" + reduce).problems.empty());
  }
}

TEST_CASE("what a program does among more ranks than four is looked at where it says from which number on") {
  const std::string reduce = "MPI_Reduce(&v, &w, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);";
  const Verdict large = verdict_of("if (rank % 2 && size > 64) " + reduce);
  REQUIRE(has(large, ProblemKind::CollectiveMismatch));
  CHECK(large.problems[0].world_size == 66);
  CHECK(has(verdict_of("v = rank * 2;\nif (v > 20) MPI_Barrier(MPI_COMM_WORLD);"), ProblemKind::CollectiveMismatch));
  CHECK(verdict_of("if (size > 64) " + reduce).problems.empty());
  CHECK(verdict_of("int of[20]; of[rank] = 0;\nif (size > 64) " + reduce).problems.empty());
}

TEST_CASE("a branch of which the first ranks have one each is theirs alone only if no other rank comes to it") {
  const std::string barrier = "MPI_Barrier(MPI_COMM_WORLD);";
  CHECK(has(verdict_of("if (rank == 0) " + barrier + "\nelse if (rank % 2 == 1) { v = 1;\n" + barrier +
                       " }\nMPI_Bcast(&v, 1, MPI_INT, 0, MPI_COMM_WORLD);"),
            ProblemKind::CollectiveMismatch));
}

TEST_CASE("a program with a branch for each of two ranks and one for the others is for more than two") {
  const std::string barrier = "MPI_Barrier(MPI_COMM_WORLD);",
                    two = "if (rank == 0) { " + barrier + " }\nelse if (rank == 1) { v = 1;\n" + barrier + " }\n";
  CHECK(has(verdict_of(two + "else if (size < 3) { v = 2;\n" + barrier + " }"), ProblemKind::CollectiveMismatch));
  CHECK(verdict_of(two + "else if (size < 3) v = 2;").problems.empty());
}

TEST_CASE("what is wrong beside a size that is too small is told of one that is not") {
  const Verdict verdict = verdict_of("MPI_Datatype t; MPI_Type_contiguous(2, MPI_INT, &t);\nif (rank == 0) " + kSend +
                                     "4" + kTo + " if (rank == 4) " + kReceive + "0" + kFrom);
  CHECK(has(verdict, ProblemKind::ResourceLeak));
  CHECK_FALSE(has(verdict, ProblemKind::InvalidArgument));
}

TEST_CASE("a rank that follows from the world's size lies outside of every such world") {
  CHECK(has(verdict_of("int p = 1; while (p * 2 <= size) p *= 2;\nMPI_Bcast(&v, 1, MPI_INT, p, MPI_COMM_WORLD);"),
            ProblemKind::InvalidArgument));
  CHECK(verdict_of("MPI_Bcast(&v, 1, MPI_INT, 5, MPI_COMM_WORLD);").problems.empty());
  CHECK(verdict_of("if (rank == 0) for (v = 1; v < 6; ++v) " + kSend + "v" + kTo + " else if (rank < 6) " + kReceive +
                   "0" + kFrom)
            .problems.empty());
}

TEST_CASE("a test finds nothing as often as a program is content to ask") {
  const std::string asks = "if (rank == 1) " + kSend + "0" + kTo +
                           "\nif (rank == 0) { MPI_Irecv(&w, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);\n"
                           "for (int done = 0, i = 0; !done && i < 10; ++i) MPI_Test(&r, &done, &st);\n";
  CHECK(has(verdict_of(asks + "}"), ProblemKind::RequestNotCompleted));
  CHECK(verdict_of(asks + "MPI_Wait(&r, &st); }").problems.empty());
}

TEST_CASE("a message that comes early because sends are buffered is taken for another one") {
  const auto relay = [](const std::string& mode) {
    return "if (rank == 0) { " + kReceive + "MPI_ANY_SOURCE" + kFrom + "\n" + kReceive + "2" + kFrom +
           " }\nif (rank == 1) { MPI_" + mode + "(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);\n" + kSend + "2" + kTo +
           " }\nif (rank == 2) { " + kReceive + "1" + kFrom + "\n" + kSend + "0" + kTo + " }";
  };
  CHECK(has(verdict_of(relay("Send")), ProblemKind::UnmatchedMessage));
  CHECK(verdict_of(relay("Ssend")).problems.empty());
}

TEST_CASE("an assertion that fails because of what is wrong does not hide it") {
  const std::string wrong =
      "v = rank + 1;\nif (rank != 1) MPI_Bcast(&v, 1, MPI_INT, 0, MPI_COMM_WORLD);\nassert(v == 1);\n";
  const std::string text =
      "#include <mpi.h>\n#include <assert.h>\nint main(int argc, char **argv) { int rank, v; MPI_Init(&argc, &argv); "
      "MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n" +
      wrong + "MPI_Finalize(); return 0; }\n";
  const LoweredSource source = app::lower_source("program.c", text);
  REQUIRE(source.program);
  CHECK(has(explore(*source.program), ProblemKind::CollectiveMismatch));
}

TEST_CASE("a function that copies attributes is not called from within itself") {
  const std::string text =
      "#include <mpi.h>\nstatic MPI_Comm twin; static MPI_Request r;\nstatic int copy(MPI_Comm c, int key, void "
      "*extra, void *in, void *out, int *flag) {\n"
      "MPI_Comm_idup(MPI_COMM_SELF, &twin, &r); *flag = 0; return MPI_SUCCESS; }\n"
      "int main(int argc, char **argv) { int key; MPI_Comm c; MPI_Init(&argc, &argv);\nMPI_Comm_create_keyval(copy, "
      "MPI_COMM_NULL_DELETE_FN, &key, 0);\n"
      "MPI_Comm_set_attr(MPI_COMM_SELF, key, argv); MPI_Comm_dup(MPI_COMM_SELF, &c); MPI_Finalize(); return 0; }\n";
  const LoweredSource source = app::lower_source("program.c", text);
  REQUIRE(source.program);
  CHECK(explore(*source.program).lost_because == "a function that copies attributes duplicates what has them");
}

TEST_CASE("what is left of a shared number is decided as the number is") {
  const auto units = [](const std::string& begin) {
    return "int units = atoi(argv[1]);\nif (rank == 0) {\nfor (int at = 0; at < units; at += size - 1) {\n"
           "int workers = units - at < size - 1 ? units - at : size - 1;\n"
           "for (int i = 0; i < workers; ++i) MPI_Send(&v, 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD);\n}\n} else {\n"
           "for (int id = " +
           begin + "; id < units; id += size - 1) MPI_Recv(&w, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &st);\n}";
  };
  CHECK(verdict_of(units("rank - 1")).problems.empty());
  CHECK(has(verdict_of(units("rank")), ProblemKind::UnmatchedMessage));
}

TEST_CASE("what a rank did last is told with a rank that waits") {
  const Verdict verdict = verdict_of("MPI_Barrier(MPI_COMM_WORLD);\nif (rank == 0) " + kReceive + "1" + kFrom);
  REQUIRE(verdict.problems.size() == 1);
  REQUIRE(verdict.problems[0].lanes.size() == 4);
  CHECK(verdict.problems[0].lanes[0].steps.front().statement ==
        state<Fact::CallOn>("MPI_Barrier", std::string("MPI_COMM_WORLD")));
  CHECK(verdict.problems[0].lanes[1].end == state<Fact::WaitsIn>("MPI_Finalize"));
}

TEST_CASE("two runs of one program say the same") {
  const std::string body =
      "int all[64]; MPI_Comm c;\nMPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &c);\nMPI_Allgather(&rank, 1, "
      "MPI_INT, all, 1, MPI_INT, c);\n"
      "if (all[0] < all[1]) MPI_Barrier(c);\nif (rank == 0) all[0] = all[65];";
  const Verdict a = verdict_of(body), b = verdict_of(body);
  REQUIRE(a.problems.size() == b.problems.size());
  for (size_t i = 0; i < a.problems.size(); ++i) CHECK(a.problems[i].statement == b.problems[i].statement);
}

TEST_CASE("of a type of too many elements none is kept") {
  const Type one = predefined_type(*find_basic("MPI_INT"));
  const Type few = combine({1000}, {{}}, {&one}), many = combine({1000}, {{}}, {&few});
  CHECK(few.segments.size() == 1000);
  CHECK_FALSE(many.is_known);
  CHECK(many.segments.empty());
}

}  // namespace ranklint::mpi_check
