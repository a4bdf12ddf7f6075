// Which values are uniform, and along which axes the others diverge. A variable whose name begins with `uni_` must be
// the one, with `div_` the other.
#include <catch2/catch.hpp>

#include "tests/analysis/produced.h"

namespace ranklint::test {

namespace {

class Uniformity {
 public:
  Uniformity(const Subject& subject, std::vector<Fact>& facts)
      : subject_(subject), values_(subject.in.values()), facts_(facts) {}

  void add(FunctionKey f) {
    const Summary* summary = subject_.in.summary(f);
    REQUIRE(summary);
    const FunctionLines& lines = subject_.lines(f);
    const NamedValues none;
    for (const auto& [at, assigned] : (summary->named ? *summary->named : none).assigned) {
      const uint32_t line = lines.blocks[at.first].code[at.second];
      for (const AssignedValue& value : assigned) add_assigned(line, value, assigned.size() > 1);
    }
    for (uint32_t b = 0; b < summary->blocks.size(); ++b) {
      const BlockSteps& block = summary->blocks[b];
      const ir::Block& code = subject_.in.index().function(f).blocks[ir::BlockId{b}];
      const bool iterates = code.terminator.kind == ir::TerminatorKind::Iterate;
      const uint32_t line = lines.blocks[b].code.back();
      if (block.condition.valid()) add_value(line, block.condition, iterates ? "rounds " : "");
      if (block.result.valid()) add_value(line, block.result, "");
    }
  }

 private:
  void add_assigned(uint32_t line, const AssignedValue& assigned, bool one_of_several) {
    const std::string name(subject_.in.index().names().text(assigned.name));
    INFO(subject_.file.path << ":" << line << ": " << name);
    if (name.starts_with("uni_")) CHECK_FALSE(values_.diverges(assigned.value));
    if (name.starts_with("div_")) CHECK(values_.diverges(assigned.value));
    add_value(line, assigned.value, one_of_several ? name + " " : "");
  }

  void add_value(uint32_t line, ValueId v, const std::string& of) {
    const SymbolTable& names = subject_.in.index().names();
    const AxisSet& axes = values_.variance(v);
    if (!values_.diverges(v)) facts_.push_back({line, of + "uniform", true});
    if (!axes.empty()) facts_.push_back({line, of + "varies[" + describe(axes, names) + "]"});
    if (!values_[v].local) return;
    const ValueId source = values_.find_part(v, [&](ValueId part) { return values_[part].kind == ValueKind::Local; });
    const std::string_view name = source.valid() ? names.text(Symbol{values_[source].c}) : std::string_view();
    facts_.push_back({line, of + "local[" + std::string(name) + "]"});
  }

  const Subject& subject_;
  const ValueStore& values_;
  std::vector<Fact>& facts_;
};

}  // namespace

void add_uniformity(const Subject& subject, std::vector<Fact>& facts) {
  Uniformity uniformity(subject, facts);
  for (const FunctionKey f : subject.in.functions_to_check()) uniformity.add(f);
}

}  // namespace ranklint::test
