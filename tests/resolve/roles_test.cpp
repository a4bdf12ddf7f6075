// What functions and names are besides their models: where a role is found, and what a name suggests.
#include <algorithm>

#include <catch2/catch.hpp>

#include "analyzer/resolve/model_reader.h"
#include "tests/support/support.h"

namespace ranklint {
namespace {

Models with(const std::string& text) {
  Models models;
  const Result<size_t> added = models.add(text, "mine.json");
  INFO((added ? std::string() : added.error().message));
  REQUIRE(added);
  return models;
}

TEST_CASE("a function has the roles of its qualified name and of a pattern that is its end") {
  const Models models = with(R"({"roles": {
      "reads-file": ["open", {"name": "lib.read", "argument": [1, "path"]}],
      "makes-module": ["lib.nn.*"], "tests-path": ["*.exists"]}})");
  const Roles& roles = models.roles();
  CHECK(roles.play("open", Role::ReadsFile));
  CHECK_FALSE(roles.play("image.open", Role::ReadsFile));
  CHECK(roles.play("os.path.exists", Role::TestsPath));
  CHECK(roles.play("exists", Role::TestsPath));
  CHECK(roles.play("?.exists", Role::TestsPath));
  CHECK_FALSE(roles.play("path_exists", Role::TestsPath));
  CHECK_FALSE(roles.play("os.path.exists", Role::ReadsFile));
  CHECK_FALSE(roles.play("", Role::TestsPath));
  CHECK(roles.play("lib.nn.Linear", Role::MakesModule));
  CHECK_FALSE(roles.play("lib.nn", Role::MakesModule));
  CHECK_FALSE(roles.play("lib.nn.functional.relu", Role::MakesModule));
  REQUIRE(roles.find("lib.read", Role::ReadsFile));
  CHECK(roles.find("lib.read", Role::ReadsFile)->argument.position == 1);
  CHECK(roles.find("lib.read", Role::ReadsFile)->argument.keyword == "path");
  CHECK(roles.names_in(Role::ReadsFile) == std::vector<std::string>{"open", "lib.read"});
}

TEST_CASE("a longer end with an exclamation mark is not meant by the shorter one") {
  const Models models = with(R"({"roles": {"takes-long": ["*.extractall", "!*.str.extractall"]}})");
  CHECK(models.roles().play("archive.extractall", Role::TakesLong));
  CHECK_FALSE(models.roles().play("table.str.extractall", Role::TakesLong));
  CHECK(models.roles().names_in(Role::TakesLong) == std::vector<std::string>{"*.extractall"});
}

TEST_CASE("a function's roles are known under its module's other names") {
  const Models models = with(R"({"modules": {"lib": ["lib.api"]}, "roles": {"reads-file": ["lib.read"]}})");
  CHECK(models.roles().play("lib.api.read", Role::ReadsFile));
}

TEST_CASE("files of models add to the roles that others give") {
  Models models = Models::builtin();
  REQUIRE(models.add(R"({"roles": {"reads-file": [{"name": "ourlib.fetch", "argument": 0}]}})", "mine.json"));
  CHECK(models.roles().play("ourlib.fetch", Role::ReadsFile));
  CHECK(models.roles().play("torch.load", Role::ReadsFile));
}

TEST_CASE("a name suggests what one of the meaning's patterns matches, in capitals too") {
  const Models models = with(R"({"names": {"loader": ["*loader", "dl", "load_*", "*batches*"]}})");
  const NamePriors& names = models.names();
  for (const char* name : {"train_loader", "DataLoader", "dl", "DL", "load_all", "my_batches_2", "batches"}) {
    INFO(name);
    CHECK(names.suggest(name, NameMeaning::Loader));
  }
  for (const char* name : {"loaders", "dll", "preload_all", "batch", "", "loade"}) {
    INFO(name);
    CHECK_FALSE(names.suggest(name, NameMeaning::Loader));
  }
  CHECK_FALSE(names.suggest("train_loader", NameMeaning::Rank));
}

TEST_CASE("a part of a name stands between underscores or at its ends, and the longest one comes first") {
  const Models models = with(R"({"names": {"axis": [{"axes": ["tp"], "words": ["<tensor_parallel>", "tensor"]},
                                                    {"axes": ["tp", "pp"], "words": ["<parallel>"]}]}})");
  const auto axes_in = [&](std::string_view name) {
    std::vector<std::vector<std::string>> axes;
    for (const NamePrior* prior : models.names().find_parts(name, NameMeaning::Axis)) axes.push_back(prior->axes);
    return axes;
  };
  using Axes = std::vector<std::vector<std::string>>;
  CHECK(axes_in("tensor_parallel") == Axes{{"tp"}, {"tp", "pp"}});
  CHECK(axes_in("_my_tensor_parallel_group") == Axes{{"tp"}, {"tp", "pp"}});
  CHECK(axes_in("parallel_group") == Axes{{"tp", "pp"}});
  CHECK(axes_in("group_parallel_") == Axes{{"tp", "pp"}});
  for (const char* name : {"", "_", "parallels", "unparallel", "tensor", "PARALLEL_group"}) {
    INFO(name);
    CHECK(axes_in(name).empty());
  }
  CHECK(models.names().suggest("PARALLEL_group", NameMeaning::Axis));
}

TEST_CASE("a whole name has the axes that stand beside it, and a name in capitals has none") {
  const Models models = with(R"({"names": {"axis": [{"axes": ["tp"], "words": ["<tensor_parallel>", "tensor"]}]}})");
  const auto has_axes = [&](std::string_view name) {
    const NamePrior* prior = models.names().find(name, NameMeaning::Axis);
    return prior && prior->axes == std::vector<std::string>{"tp"};
  };
  CHECK(has_axes("tensor"));
  CHECK(has_axes("tensor_parallel"));
  for (const char* name : {"TENSOR", "tensors", "my_tensor", "my_tensor_parallel", "model", ""}) {
    INFO(name);
    CHECK_FALSE(has_axes(name));
  }
  CHECK_FALSE(models.names().find("tensor", NameMeaning::OwnRank));
}

TEST_CASE("an argument is known by the keyword of whichever function in a role takes it") {
  const Models models = with(R"({"roles": {"reads-file": [{"name": "own.read", "argument": [0, "path"]},
                                                         {"name": "own.read", "argument": "cache"}, "own.look"]}})");
  CHECK(models.roles().takes_by_keyword("path", Role::ReadsFile));
  CHECK(models.roles().takes_by_keyword("cache", Role::ReadsFile));
  CHECK_FALSE(models.roles().takes_by_keyword("path", Role::WritesFile));
  CHECK_FALSE(models.roles().takes_by_keyword("", Role::ReadsFile));
}

TEST_CASE("malformed roles and names are refused") {
  const auto message = [](const char* text) {
    Models models;
    const Result<size_t> added = models.add(text, "mine.json");
    INFO(text);
    REQUIRE_FALSE(added);
    return added.error().message;
  };
  using Catch::Contains;
  CHECK_THAT(message(R"({"roles": []})"), Contains("/roles: expected an object of roles"));
  CHECK_THAT(message(R"({"roles": {"reads": ["f"]}})"),
             Contains("/roles/reads: unknown key; expected one of `reads-file`"));
  CHECK_THAT(message(R"({"roles": {"reads-file": []}})"), Contains("/roles/reads-file: expected a list of functions"));
  CHECK_THAT(message(R"({"roles": {"reads-file": [{"argument": 0}]}})"), Contains("expected the key `name`"));
  CHECK_THAT(message(R"({"roles": {"reads-file": ["?.f"]}})"), Contains("expected a qualified name, or a pattern"));
  CHECK_THAT(message(R"({"names": {"loader": ["*"]}})"), Contains("/names/loader/0: expected one of words"));
  CHECK_THAT(message(R"({"names": {"lader": ["x"]}})"), Contains("/names/lader: unknown key"));
  CHECK_THAT(message(R"({"names": {"axis": [{"words": ["x"]}]}})"), Contains("/names/axis/0: expected the key `axes`"));
  CHECK_THAT(message(R"({"names": {"axis": [{"axes": ["tp"]}]}})"),
             Contains("/names/axis/0: expected the key `words`"));
  CHECK_THAT(message(R"({"names": {"axis": [{"axes": ["tp"], "words": ["<x"]}]}})"),
             Contains("/names/axis/0/words/0: expected one of words"));
  CHECK_THAT(message(R"({"names": {"loader": ["<>"]}})"), Contains("/names/loader/0: expected one of words"));
  CHECK_THAT(message(R"({"names": {"own-rank": ["rank"]}})"), Contains("/names/own-rank/0: expected an object"));
  CHECK_THAT(message(R"({"names": {"axis": [{"axes": ["tp"], "words": ["*tp"]}]}})"),
             Contains("/names/axis/0/words/0: expected one of words"));
  CHECK_THAT(message(R"({"names": {"loader": [{"axes": ["tp"], "words": ["tp"]}]}})"),
             Contains("/names/loader/0: expected one of words"));
}

TEST_CASE("docs/models.md has every role and every meaning of a name") {
  const std::string page = test::read_file(test::source_path("docs/models.md"));
  for (size_t role = 0; role < kRoles; ++role) {
    const std::string word(word_of(static_cast<Role>(role)));
    INFO(word);
    CHECK(page.find("| `" + word + "` | ") != std::string::npos);
  }
  for (size_t meaning = 0; meaning < kNameMeanings; ++meaning) {
    const std::string word(word_of(static_cast<NameMeaning>(meaning)));
    INFO(word);
    CHECK(page.find("| `" + word + "` | ") != std::string::npos);
  }
}

TEST_CASE("every role has functions, each of them once for an argument") {
  const Models models = Models::builtin();
  for (size_t role = 0; role < kRoles; ++role) {
    const std::vector<std::string>& names = models.roles().names_in(static_cast<Role>(role));
    INFO(role);
    CHECK_FALSE(names.empty());
    for (const std::string& name : names) {
      INFO(name);
      std::vector<std::string> arguments;
      for (const RoleEntry* entry : models.roles().all(name, static_cast<Role>(role)))
        arguments.push_back(entry->argument.keyword);
      std::ranges::sort(arguments);
      CHECK(arguments.size() == static_cast<size_t>(std::ranges::count(names, name)));
      CHECK(std::ranges::adjacent_find(arguments) == arguments.end());
    }
  }
}

}  // namespace
}  // namespace ranklint
