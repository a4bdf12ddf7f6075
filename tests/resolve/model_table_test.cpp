// The built-in models as the binary holds them.
#include "analyzer/resolve/model_table.h"

#include <catch2/catch.hpp>

#include "tests/support/support.h"

namespace ranklint {
namespace {

constexpr const char* kFile = R"({
  "library": "made up", "modules": {"made.up": ["made"]},
  "models": [
    {"name": "made.up.gather", "aliases": ["*.gather_it"], "kind": "collective", "op": "gather", "root": [1, "dst"], "root_is_group_rank": true,
     "group": {"argument": [2, "group"], "or": "mesh", "axes": ["dp", "cp"]}, "tensor": 0, "result_uniform": true, "confidence": "likely",
     "when": [{"argument": "async_op", "equals": "true", "default": "false"}], "note": "with a \"note\" and \u00e9"},
    {"name": "?.is_first", "kind": "rank-predicate", "axes": ["pp"], "predicate": "last", "receivers": ["stage", "self.stage"]},
    {"name": "plain", "kind": "pure"},
    {"name": "put", "kind": "point-to-point", "op": "put", "direction": "sends"}],
  "roles": {"writes-file": [{"name": "made.up.save", "argument": [1, "path"], "note": "a writer"}, "*.dump"]},
  "names": {"loader": ["*loader", "dl"]}})";

ModelFile read_back(const std::string& table) {
  ModelFile file;
  read_model_table(
      table, [&](NamedModel model) { file.models.push_back(std::move(model)); },
      [&](RoleEntry role) { file.roles.push_back(std::move(role)); },
      [&](NamePrior prior) { file.names.push_back(std::move(prior)); });
  return file;
}

TEST_CASE("models, roles and names come out of a table as they went in") {
  const Result<ModelFile> read = read_models(kFile, "made_up.json");
  REQUIRE(read);
  const std::string table = model_table(read.value());
  const ModelFile file = read_back(table);
  const std::vector<NamedModel>& back = file.models;
  REQUIRE(back.size() == 4);
  CHECK(model_table(file) == table);
  CHECK(back[0].aliases == std::vector<std::string>{"*.gather_it", "made.gather"});
  CHECK(back[0].model.group.or_argument.keyword == "mesh");
  CHECK(back[0].model.group.axes == std::vector<std::string>{"dp", "cp"});
  CHECK(back[0].model.root.position == 1);
  CHECK(back[0].model.root.keyword == "dst");
  CHECK(back[0].model.when.at(0).default_value == "false");
  CHECK(back[0].model.note == "with a \"note\" and é");
  CHECK(back[0].model.confidence == Confidence::Likely);
  CHECK(back[1].model.predicate == RankPredicateKind::Last);
  CHECK(back[2].model.confidence == Confidence::Certain);
  CHECK(back[2].model.library == "made up");
  CHECK(back[2].model.direction == TransferDirection::Both);
  CHECK(back[3].model.direction == TransferDirection::Sends);
  REQUIRE(file.roles.size() == 3);  // by the module's other name, too
  CHECK(file.roles[0].role == Role::WritesFile);
  CHECK(file.roles[0].name == "made.up.save");
  CHECK(file.roles[0].argument.position == 1);
  CHECK(file.roles[0].note == "a writer");
  CHECK(file.roles[1].name == "made.save");
  CHECK(file.roles[2].name == "*.dump");
  REQUIRE(file.names.size() == 2);
  CHECK(file.names[1].meaning == NameMeaning::Loader);
  CHECK(file.names[1].pattern == "dl");
}

TEST_CASE("the binary's models are those of the files, in the order of their names") {
  Models read;
  for (const std::filesystem::path& path : test::files_below(test::source_path("rules/models"), ".json"))
    if (path.filename() != "schema.json") REQUIRE(read.add(test::read_file(path), path.string()));
  const Models builtin = Models::builtin();
  REQUIRE(builtin.size() == read.size());
  ModelFile ours, theirs;
  for (const Model& model : builtin.all()) ours.models.push_back({model, {}});
  for (const Model& model : read.all()) theirs.models.push_back({model, {}});
  CHECK(model_table(ours) == model_table(theirs));
  CHECK(builtin.interesting_names() == read.interesting_names());
}

}  // namespace
}  // namespace ranklint
