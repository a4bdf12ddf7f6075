// The lookups that the analysis makes, on the built-in models.
#include <algorithm>
#include <map>
#include <string>

#include <catch2/catch.hpp>

#include "analyzer/resolve/models.h"

using namespace ranklint;

namespace {

const Models& builtin() {
  static const Models models = Models::builtin();
  return models;
}

const Model& found(std::string_view name) {
  const Model* model = builtin().find(name);
  INFO(name);
  REQUIRE(model != nullptr);
  return *model;
}

}  // namespace

TEST_CASE("a qualified name is found, also under the module that defines it") {
  const Model& model = found("torch.distributed.all_reduce");
  CHECK(model.kind == ModelKind::Collective);
  CHECK(model.op == "all_reduce");
  CHECK(model.group.argument.position == 2);
  CHECK(model.group.argument.keyword == "group");
  CHECK(model.group.otherwise == GroupSpec::Otherwise::World);
  CHECK(&found("torch.distributed.distributed_c10d.all_reduce") == &model);
}
