// Which functions an edit touches.
#include "analyzer/project/edit.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>

#include "frontends/python/frontend.h"

namespace ranklint {
namespace {

using Names = std::set<std::string>;

Names named(const ir::Module& module, const std::vector<bool>& touched) {
  Names names;
  for (uint32_t f = 0; f < module.functions.size(); ++f)
    if (touched[f]) names.emplace(module.text(module.functions[ir::FunctionId{f}].qualified_name));
  return names;
}

// Of the later state.
Names touched(const std::string& before, const std::string& now) {
  const ir::Module old = lower_python("a.py", before), edited = lower_python("a.py", now);
  return named(edited, touched_by_edit(old, edited).now);
}

constexpr const char* kFile =
    "import torch\nLIMIT = 3\n\n"
    "def leaf(x):\n  return x\n\n"
    "def middle(x):\n  return leaf(x)\n\n"
    "def top():\n  return middle(LIMIT)\n\n"
    "def other(x):\n  def inner():\n    return x\n  return inner\n\n"
    "class Trainer:\n  def setup(self):\n    self.group = torch.new_group()\n\n"
    "  def step(self):\n    return self.group\n\n"
    "  def idle(self):\n    return 0\n";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

TEST_CASE("an edit of comments and empty lines touches no function") {
  CHECK(touched(kFile, "# one\n\n" + std::string(kFile)).empty());
}

TEST_CASE("an edit touches the function and who calls it, and nobody else") {
  CHECK(touched(kFile, replaced(kFile, "return middle(LIMIT)", "return middle(4)")) == Names{"top"});
  CHECK(touched(kFile, replaced(kFile, "return leaf(x)", "return x")) == Names{"middle", "top"});
  CHECK(touched(kFile, replaced(kFile, "  return x\n\ndef middle", "  return 1\n\ndef middle")) ==
        Names{"leaf", "middle", "top"});
}

TEST_CASE("a function within a function is touched with it") {
  CHECK(touched(kFile, replaced(kFile, "    return x\n  return inner", "    return 2\n  return inner")) ==
        Names{"other", "other.inner"});
}

TEST_CASE("an attribute or a variable that is given something else touches who reads it") {
  CHECK(touched(kFile, replaced(kFile, "torch.new_group()", "None")) == Names{"Trainer.setup", "Trainer.step"});
  CHECK(touched(kFile, replaced(kFile, "LIMIT = 3", "LIMIT = 4")) == Names{"<module>", "top"});
}

TEST_CASE("a new base touches all methods of the class") {
  const Names names = touched(kFile, replaced(kFile, "class Trainer:", "class Trainer(torch.Module):"));
  for (const char* method : {"Trainer.setup", "Trainer.step", "Trainer.idle"}) CHECK(names.contains(method));
}

TEST_CASE("what is gone touches who called it, and what came touches the module") {
  CHECK(touched(kFile, replaced(kFile, "def leaf(x):\n  return x\n\n", "")).contains("middle"));
  const Names names = touched(kFile, std::string(kFile) + "\ndef fresh():\n  return top()\n");
  CHECK(names.contains("fresh"));
  CHECK(!names.contains("top"));
}

TEST_CASE("who calls what was edited is left to the check of all where that is too much to judge at once") {
  std::string file = "def leaf(x):\n  return x\n\ndef small():\n  return leaf(1)\n\ndef large():\n  leaf(2)\n";
  for (int i = 0; i < 400; ++i) file += "  x = y + z\n";
  file += "\ndef also_small():\n  return leaf(3)\n";
  CHECK(touched(file, replaced(file, "return x", "return 1")) == Names{"also_small", "leaf", "small"});
  CHECK(touched(file, replaced(file, "leaf(2)", "leaf(4)")).contains("large"));
}

TEST_CASE("what is touched has its like in the other state, and so has what is not") {
  const ir::Module before = lower_python("a.py", kFile),
                   now = lower_python("a.py", replaced(kFile, "return leaf(x)", "return x"));
  const Touched both = touched_by_edit(before, now);
  CHECK(named(before, both.before) == named(now, both.now));
}

}  // namespace
}  // namespace ranklint
