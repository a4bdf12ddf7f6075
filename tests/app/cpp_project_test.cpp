// C++ projects from disk, through the command line: compile commands, headers, files that are read because of another.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "app/engine/compile_commands.h"
#include "app/engine/engine.h"
#include "tests/app/world.h"

using Catch::Contains;
using ranklint::test::TempFolder;

namespace ranklint::app {

namespace {

struct Checked {
  int status;
  std::string out, err;
};

Checked check(const std::string& cwd, std::vector<std::string> args) {
  std::ostringstream out, err;
  Io io{.read_stdin = [] { return std::string(); },
        .out = out,
        .err = err,
        .out_is_terminal = false,
        .err_is_terminal = false,
        .columns = 0,
        .environment = [](const std::string&) { return std::nullopt; },
        .cwd = cwd};
  args.insert(args.begin(), {"check", "--isolated", "--output-format", "concise"});
  const int status = run(args, io, real_engine());
  return {status, out.str(), err.str()};
}

size_t count(const std::string& text, const std::string& word) {
  size_t n = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

// A project with a header that two files include, and a function that communicates if a macro is defined.
void write_project(const TempFolder& folder) {
  folder.write("include/comm.h",
               "#pragma once\n#include <mpi.h>\n"
               "inline int my_rank() { int r; MPI_Comm_rank(MPI_COMM_WORLD, &r); return r; }\n"
               "inline void guarded() { if (my_rank() == 0) MPI_Barrier(MPI_COMM_WORLD); }\n"
               "void meet();\n");
  folder.write("src/comm.cpp",
               "#include \"comm.h\"\n#ifdef WITH_MEETING\nvoid meet() { MPI_Barrier(MPI_COMM_WORLD); }\n#endif\n");
  folder.write("src/user.cpp", "#include \"comm.h\"\nvoid use() { if (my_rank() == 0) meet(); }\n");
}

std::string commands(const TempFolder& folder) {
  return "[{\"directory\": \"" + folder.path() +
         "/out\", \"file\": \"../src/comm.cpp\","
         "  \"command\": \"g++ -I../include '-DWITH_MEETING=1' -std=c++17 -O2 -o x.o -c ../src/comm.cpp\"},"
         " {\"directory\": \"" +
         folder.path() +
         "/out\", \"file\": \"../src/user.cpp\","
         "  \"arguments\": [\"g++\", \"-I../include\", \"-c\", \"../src/user.cpp\"]}]";
}

}  // namespace

TEST_CASE("compile commands are found upwards from a file, and in the build folder on the way") {
  for (const char* place : {"compile_commands.json", "build/compile_commands.json"}) {
    const TempFolder folder;
    write_project(folder);
    folder.write(place, commands(folder));
    const Checked checked = check(folder.path() + "/src", {"."});
    CHECK_THAT(checked.out, Contains("user.cpp:2"));
  }
}

TEST_CASE("the folder of compile commands can be named") {
  const TempFolder folder;
  write_project(folder);
  folder.write("elsewhere/compile_commands.json", commands(folder));
  CHECK_THAT(check(folder.path(), {"src", "-p", "elsewhere"}).out, Contains("src/user.cpp:2"));
  CHECK(count(check(folder.path(), {"src"}).out, "src/user.cpp:2") == 0);  // WITH_MEETING is not defined
}

TEST_CASE("a named folder without compile commands is an error that says how to write them") {
  const TempFolder folder;
  write_project(folder);
  const Checked checked = check(folder.path(), {"src", "-p", "include"});
  CHECK(checked.status == 2);
  CHECK_THAT(checked.err, Contains("include/compile_commands.json") && Contains("CMAKE_EXPORT_COMPILE_COMMANDS"));
}

TEST_CASE("compile commands that are none leave the flags to be inferred, and say so") {
  const TempFolder folder;
  write_project(folder);
  folder.write("compile_commands.json", "{");
  const Checked checked = check(folder.path(), {"src", "--min-severity", "info"});
  CHECK_THAT(checked.out, Contains("is not a list of compile commands"));
}

TEST_CASE("a function of a header is reported once, whoever includes it and wherever the run starts") {
  const TempFolder folder;
  write_project(folder);
  folder.write("compile_commands.json", commands(folder));
  CHECK(count(check(folder.path(), {"."}).out, "include/comm.h:4") == 1);
  CHECK(count(check(folder.path() + "/src", {"."}).out, folder.path() + "/include/comm.h:4") == 1);
}

TEST_CASE("a program is run as its compile command has it, and its files are shown as all others") {
  const TempFolder folder;
  folder.write(
      "include/rank.h",
      "#include <mpi.h>\n"
      "static void wait_for_one(void) { int n; MPI_Recv(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }\n");
  folder.write("src/main.c",
               "#include \"rank.h\"\nint main(int argc, char** argv) {\n  MPI_Init(&argc, &argv);\n"
               "#ifdef WITH_WAITING\n  wait_for_one();\n#endif\n  MPI_Finalize();\n  return 0;\n}\n");
  CHECK(check(folder.path(), {"src"}).out.find("RL8") == std::string::npos);
  folder.write("compile_commands.json", "[{\"directory\": \"" + folder.path() +
                                            "/out\", \"file\": \"../src/main.c\","
                                            " \"command\": \"cc -I../include -DWITH_WAITING -c ../src/main.c\"}]");
  CHECK_THAT(check(folder.path(), {"src", "include"}).out, Contains("include/rank.h:2:41: error RL803"));
  CHECK_THAT(check(folder.path() + "/src", {"main.c"}).out,
             Contains(folder.path() + "/include/rank.h:2:41: error RL803"));
}

TEST_CASE("what a check kept of C++ holds until a header, a place where one was looked for or a command changes") {
  const TempFolder folder;
  folder.write("src/main.cpp", "#include <mpi.h>\n#include \"comm.h\"\nvoid use() { if (my_rank() == 0) meet(); }\n");
  folder.write("include/comm.h",
               "#pragma once\n#include \"meet.h\"\n"
               "inline int my_rank() { int r; MPI_Comm_rank(MPI_COMM_WORLD, &r); return r; }\n");
  folder.write("include/meet.h", "inline void meet() { MPI_Barrier(MPI_COMM_WORLD); }\n");
  const auto finds = [&](bool found) {
    for (int again = 0; again < 2; ++again)
      CHECK(count(check(folder.path(), {"src"}).out, "main.cpp:3") == (found ? 1 : 0));
  };
  finds(true);
  folder.write("include/meet.h", "inline void meet() {}\n");
  finds(false);
  folder.write("include/meet.h", "inline void meet() { MPI_Barrier(MPI_COMM_WORLD); }\n");
  finds(true);
  folder.write("src/meet.h", "#error\n");  // is not found first: comm.h lies elsewhere
  folder.write("src/comm.h", "inline int my_rank() { return 0; }\ninline void meet() {}\n");
  finds(false);
  std::filesystem::remove(folder.path() + "/src/comm.h");
  finds(true);
  folder.write("compile_commands.json", "[{\"directory\": \"" + folder.path() +
                                            "\", \"file\": \"src/main.cpp\", \"command\": \"g++ -Iinclude "
                                            "-Dmeet=int -c src/main.cpp\"}]");
  finds(false);
}

TEST_CASE("where no standard is told, C++17 is tried first, and the latest where that has errors") {
  const std::string meeting =
      "#include <mpi.h>\n"
      "void use(int rank) { MPI_Comm_rank(MPI_COMM_WORLD, &rank); if (rank == 0) MPI_Barrier(MPI_COMM_WORLD); }\n";
  const TempFolder folder;
  folder.write("old.cpp", meeting + "static_assert(__cplusplus < 202000);\n");
  folder.write("late.cpp", meeting + "#include \"late.h\"\nint n() { return twice(1); }\n");
  folder.write("late.h", "template <typename T> concept Any = true;\nint twice(Any auto n) { return 2 * n; }\n");
  for (const char* file : {"old.cpp", "late.cpp"}) {
    const Checked checked = check(folder.path(), {file, "--min-severity", "info"});
    CHECK_THAT(checked.out, Contains(std::string(file) + ":2"));
    CHECK(count(checked.out, "partial-parse") == 0);
  }
}

TEST_CASE("a header that is missing is noted where it is included, and the rest is read") {
  const TempFolder folder;
  folder.write(
      "a.cpp",
      "#include <mpi.h>\n#include \"nowhere.h\"\nMissing thing;\n"
      "void use(int rank) { MPI_Comm_rank(MPI_COMM_WORLD, &rank); if (rank == 0) MPI_Barrier(MPI_COMM_WORLD); }\n");
  CHECK_THAT(check(folder.path(), {"a.cpp", "--min-severity", "info"}).out,
             Contains("a.cpp:2:10: info RL904 partial-parse: `nowhere.h` is not found"));
  CHECK_THAT(check(folder.path(), {"a.cpp"}).out, Contains("a.cpp:4"));
  CHECK(count(check(folder.path(), {"a.cpp", "--min-confidence", "high"}).out, "a.cpp:4") == 0);  // likely at best
}

TEST_CASE("a file that calls a function which communicates is read, though it names no library") {
  const TempFolder folder;
  folder.write("comm.cpp",
               "#include <mpi.h>\nint my_rank() { int r; MPI_Comm_rank(MPI_COMM_WORLD, &r); return r; }\n"
               "void meet_all() { MPI_Barrier(MPI_COMM_WORLD); }\n");
  folder.write("middle.cpp", "void meet_all();\nvoid save_all() { meet_all(); }\n");
  folder.write("user.cpp", "int my_rank();\nvoid save_all();\nvoid use() {\n  if (my_rank() == 0) save_all();\n}\n");
  CHECK_THAT(check(folder.path(), {"."}).out, Contains("user.cpp:4"));
}

TEST_CASE("a command is split as a shell does it") {
  CHECK(split_command(R"(g++ -DA='"x y"' "-I/a b" c\ d.cpp)") ==
        std::vector<std::string>{"g++", "-DA=\"x y\"", "-I/a b", "c d.cpp"});
  CHECK(split_command("  ").empty());
}

TEST_CASE("a file that is not listed is compiled like the one most like it") {
  const auto database = CompileDatabase::parse(
      R"([{"directory": "/p", "file": "a/x.cpp", "command": "c++ -DX a/x.cpp"},
          {"directory": "/p", "file": "b/y.cpp", "command": "c++ -DY b/y.cpp"}])",
      "/p/compile_commands.json");
  REQUIRE(database);
  CHECK(database.value().command_of("/p/b/z.cpp").arguments == std::vector<std::string>{"-xc++", "-DY"});
  CHECK(database.value().command_of("/q/x.h").arguments == std::vector<std::string>{"-xc++", "-DX"});
  CHECK(database.value().command_of("/p/a/x.cpp").directory == "/p");
}

TEST_CASE("a revision is compiled with the commands of today and the headers of its own") {
  const TempFolder folder;
  write_project(folder);
  folder.write("out/compile_commands.json", commands(folder));
  folder.write(".gitignore", "out/\n");
  const auto git = [&](const std::string& what) {
    return std::system(
        ("cd " + folder.path() + " && git -c user.name=a -c user.email=a@b.example " + what + " >/dev/null 2>&1")
            .c_str());
  };
  REQUIRE(git("init -q . && git add . && git -c user.name=a -c user.email=a@b.example commit -qm x") == 0);
  const std::vector<std::string> since{"--new-from-rev", "HEAD", "-p", "out", "."};
  REQUIRE(count(check(folder.path(), {"-p", "out", "."}).out, "error RL101") > 0);
  CHECK(check(folder.path(), since).out.find("error") == std::string::npos);

  folder.write("include/comm.h",
               "#pragma once\n#include <mpi.h>\n"
               "inline int my_rank() { int r; MPI_Comm_rank(MPI_COMM_WORLD, &r); return r; }\n"
               "inline void added() { if (my_rank() == 0) MPI_Barrier(MPI_COMM_WORLD); }\n"
               "inline void guarded() { if (my_rank() == 0) MPI_Barrier(MPI_COMM_WORLD); }\n"
               "void meet();\n");
  const Checked now = check(folder.path(), since);
  CHECK(count(now.out, "error RL101") == 1);
  CHECK_THAT(now.out, Contains("include/comm.h:4"));
}

TEST_CASE("a header is found wherever it lies in the project, and what it includes") {
  TempFolder folder;
  folder.write("comm/rank.h", "#include \"parts/base.h\"\nstruct Job : Base {};\n");
  folder.write("common/parts/base.h", "#include <mpi.h>\nstruct Base { MPI_Comm comm; int rank; };\n");
  folder.write("solve/main.cpp",
               "#include \"rank.h\"\nvoid f(Job& job) { MPI_Comm_rank(job.comm, &job.rank);\nif (job.rank == 0) "
               "MPI_Barrier(job.comm); }\n");
  const Checked checked = check(folder.path(), {"."});
  CHECK_THAT(checked.out, Contains("solve/main.cpp:3:"));
  CHECK_THAT(checked.out, Contains("RL101"));
  CHECK_THAT(checked.out, !Contains("partial-parse"));
}

TEST_CASE("of two headers of one name the one nearest to the file is meant") {
  TempFolder folder;
  for (const std::string part : {"a", "b"}) {
    folder.write(part + "/include/deep/comm.h",
                 "#include <mpi.h>\ninline void meet_" + part + "() { MPI_Barrier(MPI_COMM_WORLD); }\n");
    folder.write(part + "/src/use.cpp", "#include \"comm.h\"\nvoid use_" + part +
                                            "() { int r; MPI_Comm_rank(MPI_COMM_WORLD, &r); if (r == 0) meet_" + part +
                                            "(); }\n");
  }
  const Checked checked = check(folder.path(), {"."});
  CHECK_THAT(checked.out, Contains("a/src/use.cpp:2:"));
  CHECK_THAT(checked.out, Contains("b/src/use.cpp:2:"));
}

TEST_CASE("a file that names no library is read for what the headers it includes do, though nothing else is") {
  TempFolder folder;
  folder.write("comm/meet.h",
               "#pragma once\n#include <mpi.h>\ninline void begin() { MPI_Init(nullptr, nullptr); }\n"
               "inline int number() { int r; MPI_Comm_rank(MPI_COMM_WORLD, &r); return r; }\n"
               "inline void meet() { MPI_Barrier(MPI_COMM_WORLD); }\n");
  folder.write("comm/all.h", "#pragma once\n#include \"meet.h\"\n");
  folder.write("solve.cpp", "#include \"all.h\"\nvoid solve() {\nbegin();\nif (number() == 0)\nmeet();\n}\n");
  folder.write("other.cpp", "#include <vector>\nint main() { return 0; }\n");
  for (const char* named : {".", "solve.cpp"}) {
    const Checked checked = check(folder.path(), {named});
    CHECK_THAT(checked.out, Contains("solve.cpp:5:"));
    CHECK_THAT(checked.out, Contains("RL101"));
  }
}

TEST_CASE("a program of two units is run as one, though the second names no library") {
  TempFolder folder;
  folder.write("main.c",
               "#include <mpi.h>\nint partner(int rank);\nint main(int argc, char **argv) {\nint rank, v = "
               "0;\nMPI_Init(&argc, &argv);\n"
               "MPI_Comm_rank(MPI_COMM_WORLD, &rank);\nif (rank == 0) MPI_Send(&v, 1, MPI_INT, partner(rank), 0, "
               "MPI_COMM_WORLD);\n"
               "if (rank == 2) MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, "
               "MPI_STATUS_IGNORE);\nMPI_Finalize();\nreturn 0; }\n");
  folder.write("partner.c", "int partner(int rank) { return rank + 1; }\n");
  const Checked checked = check(folder.path(), {"."});
  CHECK_THAT(checked.out, Contains("main.c:8:"));
  CHECK_THAT(checked.out, Contains("unmatched-message"));
}

TEST_CASE("a program that was not run to its end is told with the reason") {
  const TempFolder folder;
  const std::string end =
      "int main(int argc, char **argv) { MPI_Init(&argc, &argv); part(); MPI_Finalize(); return 0; }\n";
  folder.write("src/whole.c", "#include <mpi.h>\nstatic void part(void) { MPI_Barrier(MPI_COMM_WORLD); }\n" + end);
  folder.write("src/broken.c", "#include <mpi.h>\nstatic void part(void) { Unknown u; u.run(); }\n" + end);
  CHECK_THAT(check(folder.path(), {"src", "-v"}).err,
             Contains("programs run: 2 (1 not to their end)\n  src/broken.c: code that could not be read\n"));
}

}  // namespace ranklint::app
