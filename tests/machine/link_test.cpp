// Which unit is meant by a name, and what becomes of a unit's own numbers.
#include <catch2/catch.hpp>

#include "analyzer/machine/link.h"

namespace ranklint::machine {

namespace {

Step int_step(StepKind kind, int64_t number = 0) { return {.kind = kind, .scalar = Scalar::I32, .number = number}; }

Function function(std::string exported, std::vector<Step> steps) {
  return {.name = "f", .exported = std::move(exported), .steps = std::move(steps)};
}

// A unit whose function calls these by name.
std::shared_ptr<Program> unit(std::string file, std::string exported, std::vector<std::string> calls,
                              bool is_main = false) {
  auto program = std::make_shared<Program>();
  program->unit = file;
  program->files = {file};
  program->externals = calls;
  program->is_library.assign(calls.size(), false);
  std::vector<Step> steps;
  for (size_t i = 0; i < calls.size(); ++i) steps.push_back(int_step(StepKind::CallExternal, static_cast<int64_t>(i)));
  steps.push_back(int_step(StepKind::ReturnNothing));
  program->functions = {function("", {int_step(StepKind::ReturnNothing)}), function(is_main ? "" : exported, steps)};
  program->main = is_main ? 1 : Program::kNoMain;
  return program;
}

std::vector<Program> programs_of(const Units& units) {
  std::vector<Program> programs;
  link(units, [&](const Program& program) { programs.push_back(program); });
  return programs;
}

}  // namespace

TEST_CASE("a call by name becomes a call of the function that another unit defines") {
  const std::vector<Program> programs =
      programs_of({unit("main.c", "", {"meet"}, true), unit("meet.c", "meet", {"MPI_Barrier"})});
  REQUIRE(programs.size() == 1);
  const Program& p = programs[0];
  REQUIRE(p.functions.size() == 4);
  CHECK(p.functions[1].steps[0].kind == StepKind::Call);
  CHECK(p.functions[1].steps[0].number == 3);
  CHECK(p.externals[static_cast<size_t>(p.functions[3].steps[0].number)] == "MPI_Barrier");
}

TEST_CASE("the globals of a unit that is taken in are set before main begins") {
  const std::vector<Program> programs =
      programs_of({unit("main.c", "", {"meet"}, true), unit("meet.c", "meet", {"MPI_Barrier"})});
  const std::vector<Step>& steps = programs[0].functions[0].steps;
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].kind == StepKind::Call);
  CHECK(steps[0].number == 2);
}

TEST_CASE("of two units that define a function the nearer one is meant") {
  const std::vector<Program> programs = programs_of(
      {unit("a/main.c", "", {"meet", "MPI_Init"}, true), unit("b/meet.c", "meet", {}), unit("a/meet.c", "meet", {})});
  REQUIRE(programs.size() == 1);
  CHECK(programs[0].files.back() == "a/meet.c");
}

TEST_CASE("where two units as near define a function, it stays without a body") {
  const std::vector<Program> programs = programs_of(
      {unit("a/main.c", "", {"meet", "MPI_Init"}, true), unit("a/x.c", "meet", {}), unit("a/y.c", "meet", {})});
  REQUIRE(programs.size() == 1);
  CHECK(programs[0].functions[1].steps[0].kind == StepKind::CallExternal);
}

TEST_CASE("a unit with a main of its own is no part of another program") {
  CHECK(programs_of({unit("main.c", "", {"meet", "MPI_Init"}, true), unit("other.c", "meet", {"MPI_Barrier"}, true)})
            .size() == 2);
}

TEST_CASE("a program that never comes to call MPI is none") {
  CHECK(programs_of({unit("main.c", "", {"helper"}, true), unit("helper.c", "helper", {"puts"})}).empty());
}

TEST_CASE("what no unit defines is missing, and what libraries of the system define is not") {
  auto main = unit("main.c", "", {"meet", "rest", "printf", "MPI_Init"}, true);
  main->is_library[2] = true;
  CHECK(missing_functions({main, unit("meet.c", "meet", {})}) == std::set<std::string>{"rest"});
}

}  // namespace ranklint::machine
