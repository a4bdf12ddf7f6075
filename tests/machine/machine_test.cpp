// Small programs, step by step: control flow, calls, and branches whose condition is unknown.
#include <catch2/catch.hpp>

#include "analyzer/machine/machine.h"

namespace ranklint::machine {

namespace {

constexpr uint64_t kLimit = 10'000;

Step step(StepKind kind, int64_t number = 0, Scalar scalar = Scalar::I32, uint8_t detail = 0) {
  return {.kind = kind, .scalar = scalar, .detail = detail, .place = 0, .number = number};
}

// A program of one function with two variables of type int, beside the empty one that sets globals.
struct Run {
  Program program = {};
  Host host = {};
  Machine machine = {};
  std::vector<std::string> called = {};
  Value answer = integer(0);  // of every call of the outside
  uint32_t asked = 0;

  explicit Run(std::vector<Step> steps) {
    program.functions.resize(2);
    program.functions[0].steps = {step(StepKind::ReturnNothing)};
    program.functions[1].variables = {{.name = "a", .size_bytes = 4, .element = Scalar::I32},
                                      {.name = "b", .size_bytes = 4, .element = Scalar::I32}};
    program.functions[1].steps = std::move(steps);
    program.main = 1;
    program.externals = {"outside", "MPI_Abort", "MPI_Barrier"};
    program.is_library = {true, false, false};
    host.call = [this](Machine&, const std::string& name, std::span<const Value>) {
      called.push_back(name);
      if (name == "MPI_Abort") return CallResult{.kind = CallResult::Kind::Ended};
      return CallResult{.value = answer};
    };
    host.symbol = [](uint64_t, uint64_t, uint64_t) { return 7u; };
    host.decide = [this](Machine&, uint32_t, bool) { return ++asked, true; };
  }

  Machine::State go() {
    start(machine, program, host, 0);
    run(machine, kLimit);
    return machine.state;
  }

  // Variables follow null, in the order of their declaration.
  Value variable(uint32_t i) { return load(machine.objects[1 + i], 0, 4); }
};

std::vector<Step> set(int64_t variable, int64_t value) {
  return {step(StepKind::Local, variable), step(StepKind::Int, value), step(StepKind::Store), step(StepKind::Pop)};
}

std::vector<Step> call(int64_t external) { return {step(StepKind::CallExternal, external), step(StepKind::Pop)}; }

template <typename... Parts>
std::vector<Step> join(const Parts&... parts) {
  std::vector<Step> all;
  (all.insert(all.end(), parts.begin(), parts.end()), ...);
  return all;
}

const std::vector<Step> kReturn = {step(StepKind::Int, 0), step(StepKind::Return)};

// `if (outside()) THEN`, and what follows.
std::vector<Step> if_outside(const std::vector<Step>& then, const std::vector<Step>& behind) {
  const auto end = static_cast<uint32_t>(2 + then.size());
  return join(std::vector<Step>{step(StepKind::CallExternal, 0), step(StepKind::Branch, branch_number(end, end))}, then,
              behind);
}

}  // namespace

TEST_CASE("steps are taken until main returns") {
  Run run(join(set(0, 5), kReturn));
  CHECK(run.go() == Machine::State::Ended);
  CHECK(run.variable(0) == integer(5));
  CHECK_FALSE(run.machine.exited);
}

TEST_CASE("a loop without an end is given up at the limit") {
  Run run({step(StepKind::Jump, 0)});
  CHECK(run.go() == Machine::State::Lost);
  CHECK(run.machine.steps == kLimit);
}

TEST_CASE("calls that nest without end are given up") {
  Run run({step(StepKind::Call, 1)});
  CHECK(run.go() == Machine::State::Lost);
  CHECK(run.machine.lost_because == "calls nest too deep");
}

TEST_CASE("a function without an end, and a value that was never computed, are no crash") {
  CHECK(Run({step(StepKind::Int, 1)}).go() == Machine::State::Lost);
  CHECK(Run({step(StepKind::Pop)}).go() == Machine::State::Lost);
}

TEST_CASE("a branch on what is known is taken") {
  Run run(if_outside(set(0, 1), kReturn));
  run.answer = integer(0);
  CHECK(run.go() == Machine::State::Ended);
  CHECK(run.variable(0).kind == Value::Kind::Undefined);
}

TEST_CASE("a branch on what all ranks share is decided by the host") {
  Run run(if_outside(set(0, 1), kReturn));
  run.answer = shared_unknown(3);
  run.answer.number = 2;  // a truth
  CHECK(run.go() == Machine::State::Ended);
  CHECK(run.asked == 1);
  CHECK(run.variable(0) == integer(1));
}

TEST_CASE("of the opposite of what all ranks share the same is asked") {
  Run run(if_outside(set(0, 1), kReturn));
  run.answer = shared_unknown(3);
  run.answer.number = 3;
  CHECK(run.go() == Machine::State::Ended);
  CHECK(run.asked == 1);
  CHECK(run.variable(0).kind == Value::Kind::Undefined);
}

TEST_CASE("what is written where ranks may differ is not known behind it") {
  Run run(join(set(1, 2), kReturn));
  run.program.functions[1].steps =
      join(set(0, 4), std::vector<Step>{step(StepKind::CallExternal, 0), step(StepKind::Branch, branch_number(10, 10))},
           set(0, 1), set(1, 2), kReturn);
  run.answer = unknown();
  CHECK(run.go() == Machine::State::Ended);
  CHECK_FALSE(run.variable(0).known());
  CHECK(run.variable(1) == integer(2));
}

TEST_CASE("communication where ranks may differ is given up") {
  Run run(if_outside(call(2), kReturn));
  run.answer = unknown();
  CHECK(run.go() == Machine::State::Lost);
  CHECK(run.machine.lost_because == "`MPI_Barrier` where ranks may differ");
}

TEST_CASE("a side that ends the job is no reason to give up") {
  Run run(if_outside(call(1), join(set(0, 3), kReturn)));
  run.answer = unknown();
  CHECK(run.go() == Machine::State::Ended);
  CHECK(run.variable(0) == integer(3));
}

TEST_CASE("what is not supported is told by its name") {
  Run run({step(StepKind::Unsupported, 0)});
  run.program.texts = {"a coroutine"};
  CHECK(run.go() == Machine::State::Lost);
  CHECK(run.machine.lost_because == "a coroutine");
}

}  // namespace ranklint::machine
