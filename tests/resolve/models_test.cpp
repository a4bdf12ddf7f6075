// How models are found: by name, by pattern, by attribute and as a variable of the environment.
#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include "analyzer/resolve/models.h"

using namespace ranklint;

namespace {

// The models of `list`, the inside of a file's "models".
Models models_of(const std::string& list) {
  Models models;
  const Result<size_t> added = models.add(R"({"models": [)" + list + "]}", "test.json");
  INFO((added ? std::string() : added.error().message));
  REQUIRE(added);
  return models;
}

std::string op_of(const Model* model) { return model == nullptr ? "none" : model->op; }

std::string barrier(const std::string& name, const std::string& op) {
  return R"({"name": ")" + name + R"(", "kind": "collective", "op": ")" + op + R"("})";
}

}  // namespace

TEST_CASE("a qualified name is found as it is written") {
  const Models models = models_of(barrier("lib.comm.meet", "exact"));
  CHECK(op_of(models.find("lib.comm.meet")) == "exact");
  CHECK(op_of(models.find("other.lib.comm.meet")) == "none");
  CHECK(op_of(models.find("meet")) == "none");
}

TEST_CASE("a pattern stands for its name in any module") {
  const Models models = models_of(barrier("*.Group.meet", "pattern"));
  CHECK(op_of(models.find("a.b.Group.meet")) == "pattern");
  CHECK(op_of(models.find("Group.meet")) == "pattern");
  CHECK(op_of(models.find("a.b.BigGroup.meet")) == "none");
  CHECK(op_of(models.find("a.b.Group.meet.now")) == "none");
}

TEST_CASE("the exact name goes before a pattern and a long pattern before a short one") {
  const Models models = models_of(barrier("*.meet", "short") + "," + barrier("*.Group.meet", "long") + "," +
                                  barrier("lib.meet", "exact"));
  CHECK(op_of(models.find("a.meet")) == "short");
  CHECK(op_of(models.find("a.Group.meet")) == "long");
  CHECK(op_of(models.find("lib.meet")) == "exact");
}

TEST_CASE("a model is found under its aliases and keeps its name") {
  const Models models = models_of(R"({"name": "lib.meet", "aliases": ["*.gather_all_here", "?.meet"],
                                      "kind": "collective", "op": "barrier"})");
  REQUIRE(models.size() == 1);
  REQUIRE(models.find("x.gather_all_here") != nullptr);
  CHECK(models.find("x.gather_all_here")->name == "lib.meet");
  CHECK(models.find_attribute("anything", "meet") == models.find("lib.meet"));
}

TEST_CASE("an attribute with receivers needs one of them, told by its last name") {
  const Models models = models_of(R"({"name": "?.gather", "receivers": ["self.accelerator"],
                                      "kind": "collective", "op": "all_gather"})");
  CHECK(models.find_attribute("accelerator", "gather") != nullptr);
  CHECK(models.find_attribute("trainer.accelerator", "gather") != nullptr);
  CHECK(models.find_attribute("tensor", "gather") == nullptr);
  CHECK(models.find_attribute("accelerator", "scatter") == nullptr);
  CHECK(models.find("gather") == nullptr);
}

TEST_CASE("the model that names the receiver goes before the one for any") {
  const Models models = models_of(
      R"({"name": "?.rank", "kind": "rank-source", "op": "any", "axes": ["world"]},
         {"name": "?.rank", "receivers": ["tp_group"], "kind": "rank-source", "op": "tp", "axes": ["tp"]},
         {"name": "?.rank", "receivers": ["dp_group"], "kind": "rank-source", "op": "dp", "axes": ["dp"]})");
  CHECK(op_of(models.find_attribute("tp_group", "rank")) == "tp");
  CHECK(op_of(models.find_attribute("dp_group", "rank")) == "dp");
  CHECK(op_of(models.find_attribute("mesh", "rank")) == "any");
}

TEST_CASE("a variable of the environment and a function of its name do not meet") {
  const Models models = models_of(
      R"({"name": "RANK", "kind": "environment", "axes": ["world"], "op": "variable"},
         {"name": "RANK", "kind": "rank-source", "axes": ["world"], "op": "function"})");
  CHECK(models.size() == 2);
  CHECK(op_of(models.find_environment("RANK")) == "variable");
  CHECK(op_of(models.find("RANK")) == "function");
  CHECK(models.find_environment("RANKS") == nullptr);
}

TEST_CASE("a later model replaces an earlier one of the same name, also under its aliases") {
  Models models =
      models_of(R"({"name": "lib.meet", "aliases": ["lib.old.meet"], "kind": "collective", "op": "first"})");
  REQUIRE(models.add(R"({"models": [{"name": "lib.meet", "kind": "pure", "op": "second"}]})", "mine.json"));
  CHECK(models.size() == 1);
  CHECK(op_of(models.find("lib.meet")) == "second");
  CHECK(op_of(models.find("lib.old.meet")) == "second");
}

TEST_CASE("a name that was another model's alias moves to the model that has it as its name") {
  Models models =
      models_of(R"({"name": "lib.meet", "aliases": ["lib.sub.meet"], "kind": "collective", "op": "first"})");
  REQUIRE(models.add(R"({"models": [{"name": "lib.sub.meet", "kind": "pure", "op": "second"}]})", "mine.json"));
  CHECK(op_of(models.find("lib.meet")) == "first");
  CHECK(op_of(models.find("lib.sub.meet")) == "second");
}

TEST_CASE("a file with an error adds nothing") {
  Models models;
  CHECK_FALSE(models.add(R"({"models": [{"name": "lib.meet", "kind": "pure"}, {"name": "lib.part"}]})", "mine.json"));
  CHECK(models.size() == 0);
  CHECK(models.find("lib.meet") == nullptr);
}

TEST_CASE("the names of a module's own are found under its other names, those of its submodules are not") {
  Models models;
  REQUIRE(models.add(R"({"modules": {"lib": ["lib.impl"]}, "models": [
      {"name": "lib.meet", "kind": "pure"}, {"name": "lib.Group.meet", "kind": "pure"},
      {"name": "lib.sub.meet", "kind": "pure"}, {"name": "library.meet", "kind": "pure"}]})",
                     "test.json"));
  CHECK(models.find("lib.impl.meet") == models.find("lib.meet"));
  CHECK(models.find("lib.impl.Group.meet") == models.find("lib.Group.meet"));
  CHECK(models.find("lib.impl.sub.meet") == nullptr);
  CHECK(models.find("lib.implrary.meet") == nullptr);
}

TEST_CASE("names are found with each beginning that the file says is as good") {
  Models models;
  REQUIRE(models.add(R"({"prefixes": {"MINE_": ["PMINE_"]}, "models": [
      {"name": "MINE_Meet", "aliases": ["MINE_Meet_all"], "kind": "pure"}, {"name": "OURS_MINE_Meet", "kind": "pure"}],
      "roles": {"takes-long": ["MINE_Wait"]}})",
                     "test.json"));
  CHECK(models.find("PMINE_Meet") == models.find("MINE_Meet"));
  CHECK(models.find("PMINE_Meet_all") == models.find("MINE_Meet"));
  CHECK(models.find("OURS_PMINE_Meet") == nullptr);
  CHECK(models.roles().play("PMINE_Wait", Role::TakesLong));
}

TEST_CASE("a file matters for the last names of what communicates or tells ranks apart, sorted") {
  const Models models = models_of(
      R"({"name": "lib.meet", "aliases": ["?.meet_all"], "kind": "collective", "op": "barrier"},
         {"name": "*.Engine.step", "kind": "collective", "op": "step", "mention": "Engine"},
         {"name": "MY_RANK", "kind": "environment", "axes": ["world"]},
         {"name": "MY_SETTING", "kind": "environment"},
         {"name": "lib.now", "kind": "local-source", "op": "clock"},
         {"name": "lib.calm", "kind": "pure"})");
  CHECK(models.interesting_names() == std::vector<std::string>{"Engine", "MY_RANK", "meet", "meet_all"});
}
