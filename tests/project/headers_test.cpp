// What a project holds of headers, and which C++ files it reads for functions of its own.
#include <catch2/catch.hpp>

#include "analyzer/ir/parse.h"
#include "analyzer/project/relevance.h"
#include "analyzer/project/repeated.h"

namespace ranklint {
namespace {

// A module with functions of these names, each of which calls `callee`.
ir::Module module(const std::string& path, const std::string& language, const std::vector<std::string>& functions,
                  const std::string& callee = "work") {
  std::string text = "module \"" + path + "\"\nlanguage \"" + language + "\"";
  if (language == "cpp") text += " one_namespace";
  text += "\n\nfunc <module>() {\n^entry:\n  return\n}\n";
  for (const std::string& f : functions)
    text += "\nfunc " + f + "() {\n^entry:\n  %0 = call " + callee + "()\n  return\n}\n";
  Result<ir::Module> parsed = ir::parse(text);
  INFO((parsed ? std::string() : parsed.error().message));
  REQUIRE(parsed.has_value());
  return std::move(parsed).value();
}

// What one file gave: its own module first.
template <typename... Modules>
std::vector<ir::Module> brought(Modules&&... modules) {
  std::vector<ir::Module> all;
  (all.push_back(std::move(modules)), ...);
  return all;
}

bool has_body(const ir::Module& m, uint32_t function) { return !m.functions[ir::FunctionId{function}].blocks.empty(); }

TEST_CASE("a function of a header stays with the file that brings it first") {
  MetFunctions met;
  std::vector<ir::Module> first = brought(module("a.cpp", "cpp", {"a"}), module("both.h", "cpp", {"shared"}));
  std::vector<ir::Module> second =
      brought(module("b.cpp", "cpp", {"b"}), module("both.h", "cpp", {"shared", "made_for_b"}));
  std::vector<ir::Module> third = brought(module("c.cpp", "cpp", {"c"}), module("both.h", "cpp", {"shared"}));
  met.drop_repeated(first);
  met.drop_repeated(second);
  met.drop_repeated(third);
  REQUIRE(first.size() == 2);
  CHECK(has_body(first[1], 1));
  REQUIRE(second.size() == 2);
  CHECK_FALSE(has_body(second[1], 1));
  CHECK(has_body(second[1], 2));
  REQUIRE(third.size() == 1);
  CHECK(third[0].path == "c.cpp");
}

TEST_CASE("what has been dropped once takes nothing from others later") {
  MetFunctions while_reading, while_judging;
  std::vector<ir::Module> late = brought(module("b.cpp", "cpp", {"b"}), module("both.h", "cpp", {"shared"}));
  std::vector<ir::Module> early =
      brought(module("a.cpp", "cpp", {"a"}), module("both.h", "cpp", {"shared", "made_for_a"}));
  while_reading.drop_repeated(late);
  while_reading.drop_repeated(early);
  while_judging.drop_repeated(early);
  while_judging.drop_repeated(late);
  REQUIRE(late.size() == 2);
  CHECK(has_body(late[1], 1));
}

TEST_CASE("files of other languages are kept as they are") {
  MetFunctions met;
  auto first = brought(module("a.py", "python", {"f"})), again = brought(module("a.py", "python", {"f"}));
  met.drop_repeated(first);
  met.drop_repeated(again);
  CHECK(has_body(again[0], 1));
}

TEST_CASE("a C++ file is read for the name of a C++ function that communicates, not of a Python function") {
  const Models models = Models::builtin();
  const std::string kernel = "void launch() { forward(); }";
  CommunicatingNames of_python(models), of_cpp(models);
  CHECK_FALSE(of_python.add(brought(module("a.py", "python", {"forward"}, "torch.distributed.barrier"))));
  CHECK_FALSE(of_python.mentioned_in(kernel));
  CHECK(of_cpp.add(brought(module("a.cpp", "cpp", {"forward"}, "MPI_Barrier"))));
  CHECK(of_cpp.mentioned_in(kernel));
}

TEST_CASE("who calls a method does not communicate because a method of another class with that name does") {
  const Models models = Models::builtin();
  CommunicatingNames names(models);
  CHECK(names.add(brought(module("group.cpp", "cpp", {"`Group.get()`"}, "MPI_Barrier"),
                          module("table.cpp", "cpp", {"`scale(Table &)`"}, "`Table.get()`"))));
  CHECK(names.mentioned_in("group.get()"));
  CHECK_FALSE(names.mentioned_in("scale(table)"));
  CHECK(names.add(brought(module("user.cpp", "cpp", {"`meet(Group &)`"}, "`Group.get()`"))));
  CHECK(names.mentioned_in("meet(group)"));
}

}  // namespace
}  // namespace ranklint
