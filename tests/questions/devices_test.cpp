// Which device is meant, and where a module was brought.
#include <catch2/catch.hpp>

#include "analyzer/questions/module_device.h"
#include "analyzer/questions/module_moves.h"
#include "tests/questions/asked.h"

namespace ranklint::test {
namespace {

std::string word(Where where) {
  switch (where) {
    case Where::Host: return "host";
    case Where::Meta: return "meta";
    case Where::Device: return "device";
    default: return "unknown";
  }
}

// Of what `use` is given.
std::string device(const std::string& lines, const std::string& given) {
  const Asked asked("func f(x, n) {\n^entry:\n" + lines + "  call use(" + given + ")\n  return\n}\n");
  const FunctionCode code = asked.code("f");
  return word(device_of(asked.in(), code, argument_of(code, "use"), call_of(code, "use")));
}

// The moves of `x` that may be the last before `use`.
std::string moves(const std::string& lines) {
  const Asked asked("func f(x, c, n) {\n^entry:\n" + lines + "  call use(x)\n  return\n}\n");
  const FunctionCode code = asked.code("f");
  std::string found;
  for (const Move& move : last_moves(asked.in(), code, {code.text.symbols.find("x")}, call_of(code, "use")))
    found += (found.empty() ? "" : " ") + word(move.to);
  return found;
}

std::string origin(const std::string& lines, const std::string& more = "") {
  const Asked asked("func f(n) {\n^entry:\n" + lines + "  call use(x)\n  return\n}\n" + more,
                    "  import torch.nn as nn\n");
  const FunctionCode code = asked.code("f");
  return word(module_origin(asked.in(), {{asked.function("f"), call_of(code, "use")}}, argument_of(code, "use")).where);
}

}  // namespace

TEST_CASE("a device is meant by a text, by a name that holds one, or by what makes one of it") {
  CHECK(device("", "\"cpu\"") == "host");
  CHECK(device("", "\"meta\"") == "meta");
  CHECK(device("", "\"cuda:1\"") == "device");
  CHECK(device("  d = \"cpu\"\n", "d") == "host");
  CHECK(device("  d = call torch.device(\"cpu\")\n", "d") == "host");
  CHECK(device("  d = call torch.device(n)\n", "d") == "device");
  CHECK(device("", "n") == "unknown");
  CHECK(device("  d = call choose(n)\n", "d") == "unknown");
}

TEST_CASE("a method moves by its name") {
  const Models models = Models::builtin();
  CHECK(move_of(models.roles(), "cpu")->role == Role::MovesToHost);
  CHECK(move_of(models.roles(), "cuda")->role == Role::MovesToDevice);
  CHECK(move_of(models.roles(), "train") == nullptr);
}

TEST_CASE("a move to the host that all pass makes earlier ones forgotten, one on a way of its own does not") {
  CHECK(moves("  x = call x.cuda()\n") == "device");
  CHECK(moves("  x = call x.cuda()\n  x = call x.cpu()\n") == "host");
  CHECK(moves("  x = call x.cuda()\n  branch c ? ^then : ^join\n^then:\n  x = call x.cpu()\n  jump ^join\n^join:\n") ==
        "device host");
  CHECK(moves("  x = call x.to(\"cpu\")\n") == "host");
  CHECK(moves("  x = call x.to(n)\n") == "device");
  CHECK(moves("  x = call x.to(torch.bfloat16)\n").empty());
  CHECK(moves("  x = call x.train()\n").empty());
}

TEST_CASE("a module is on the host where it is made and seen to be moved nowhere") {
  CHECK(origin("  x = call nn.Linear(3, 3)\n") == "host");
  CHECK(origin("  %0 = call nn.Linear(3, 3)\n  x = call %0.cuda()\n") == "device");
  CHECK(origin("  x = call nn.Linear(3, 3, device=\"meta\")\n") == "meta");
  CHECK(origin("  x = call load(n)\n") == "unknown");
  const std::string made = "func made(n) {\n^entry:\n  x = call nn.Linear(3, 3)\n  return x\n}\n";
  CHECK(origin("  x = call made(n)\n", made) == "host");
}

}  // namespace ranklint::test
