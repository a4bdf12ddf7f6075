// What the keys of a model mean, and that the format of users' files is what docs/models.md shows.
#include <string>

#include <catch2/catch.hpp>

#include "analyzer/resolve/models.h"
#include "tests/support/support.h"

using namespace ranklint;

namespace {

Model only_model(const std::string& text) {
  Models models;
  const Result<size_t> added = models.add(R"({"models": [)" + text + "]}", "test.json");
  INFO((added ? std::string() : added.error().message));
  REQUIRE(added);
  REQUIRE(models.size() == 1);
  return models.all().front();
}

// The ```json blocks of a page.
std::vector<std::string> json_blocks(const std::string& page) {
  const std::string begin = "```json\n";
  std::vector<std::string> blocks;
  for (size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
    at += begin.size();
    const size_t end = page.find("```", at);
    REQUIRE(end != std::string::npos);
    blocks.push_back(page.substr(at, end - at));
    at = end + 3;
  }
  return blocks;
}

}  // namespace

TEST_CASE("an argument is a position and a keyword, or one of the two") {
  const Model model = only_model(R"({"name": "f", "kind": "collective", "op": "broadcast",
                                     "tensor": [0, "x"], "root": 1, "async": "async_op"})");
  CHECK(model.tensor.position == 0);
  CHECK(model.tensor.keyword == "x");
  CHECK(model.root.position == 1);
  CHECK(model.root.keyword.empty());
  CHECK(model.async.position == -1);
  CHECK(model.async.keyword == "async_op");
  CHECK_FALSE(model.ranks.present());
}

TEST_CASE("a group is the world where nothing is said") {
  const Model model = only_model(R"({"name": "f", "kind": "collective", "op": "barrier"})");
  CHECK(model.group.otherwise == GroupSpec::Otherwise::World);
  CHECK_FALSE(model.group.argument.present());
}

TEST_CASE("a group is an argument, and what stands in for it") {
  const Model model = only_model(R"({"name": "f", "kind": "collective", "op": "barrier",
                                     "group": {"argument": [2, "group"], "axes": ["dp", "cp"]}})");
  CHECK(model.group.argument.position == 2);
  CHECK(model.group.otherwise == GroupSpec::Otherwise::Axes);
  CHECK(model.group.axes == std::vector<std::string>{"dp", "cp"});
}

TEST_CASE("a group is one argument or another") {
  const Model model = only_model(R"({"name": "f", "kind": "collective", "op": "barrier",
                                     "group": {"argument": "group", "or": "mesh", "otherwise": "world"}})");
  CHECK(model.group.argument.keyword == "group");
  CHECK(model.group.or_argument.keyword == "mesh");
}

TEST_CASE("a group is the receiver, the receiver's or unknown") {
  CHECK(only_model(R"({"name": "f", "kind": "collective", "op": "barrier", "group": "of-receiver"})").group.otherwise ==
        GroupSpec::Otherwise::OfReceiver);
  CHECK(only_model(R"({"name": "f", "kind": "collective", "op": "barrier", "group": "receiver"})").group.otherwise ==
        GroupSpec::Otherwise::Receiver);
  CHECK(only_model(R"({"name": "f", "kind": "collective", "op": "barrier",
                       "group": {"argument": "g", "otherwise": "unknown"}})")
            .group.otherwise == GroupSpec::Otherwise::Unknown);
}

TEST_CASE("conditions tell when a call communicates") {
  const Model model = only_model(R"({"name": "f", "kind": "collective", "op": "scatter",
      "when": [{"argument": "src", "not_equals": "none", "default": "0"}, {"argument": [3, "on"], "equals": "true"},
               {"argument": "options", "maker": "Options", "made_with": {"whole": "false", "from_first": "none"}, "equals": "true"},
               {"maker": "Trainer", "made_with": {"devices": "auto"}, "not_equals": "1"}]})");
  REQUIRE(model.when.size() == 4);
  CHECK(model.when[0].argument.keyword == "src");
  CHECK(model.when[0].not_equals == "none");
  CHECK(model.when[0].default_value == "0");
  CHECK(model.when[1].argument.position == 3);
  CHECK(model.when[1].equals == "true");
  CHECK(model.when[1].made_with.empty());
  CHECK(model.when[2].maker == "Options");
  REQUIRE(model.when[2].made_with.size() == 2);
  CHECK(model.when[2].made_with[0].name == "from_first");
  CHECK(model.when[2].made_with[0].default_value == "none");
  CHECK(model.when[2].made_with[1].name == "whole");
  CHECK_FALSE(model.when[3].argument.present());
  CHECK(model.when[3].made_with[0].name == "devices");
}

TEST_CASE("flags are off, and a model is certain, unless the file says otherwise") {
  const Model model = only_model(R"({"name": "f", "kind": "pure"})");
  CHECK_FALSE((model.result_uniform || model.fills_tensor || model.same_shape || model.conditional || model.implicit ||
               model.gives_nothing || model.root_is_group_rank));
  CHECK(model.confidence == Confidence::Certain);
  CHECK(model.predicate == RankPredicateKind::First);
  CHECK(model.direction == TransferDirection::Both);
}

TEST_CASE("a transfer sends or receives where its model says so") {
  CHECK(only_model(R"({"name": "f", "kind": "point-to-point", "op": "put", "direction": "sends"})").direction ==
        TransferDirection::Sends);
  CHECK(only_model(R"({"name": "f", "kind": "point-to-point", "op": "take", "direction": "receives"})").direction ==
        TransferDirection::Receives);
}

TEST_CASE("a model knows the library of its file") {
  Models models;
  REQUIRE(models.add(R"({"library": "lib", "models": [{"name": "lib.f", "kind": "pure"}]})", "test.json"));
  CHECK(models.find("lib.f")->library == "lib");
}

TEST_CASE("every example of docs/models.md loads") {
  const std::vector<std::string> blocks = json_blocks(test::read_file(test::source_path("docs/models.md")));
  CHECK(blocks.size() >= 4);
  for (const std::string& block : blocks) {
    INFO(block);
    Models models = Models::builtin();
    const Result<size_t> added = models.add(block, "docs/models.md");
    INFO((added ? std::string() : added.error().message));
    CHECK(added);
    CHECK((added && added.value() > 0));
  }
}
