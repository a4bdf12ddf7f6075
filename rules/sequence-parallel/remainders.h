// Sequence parallelism cuts: a sequence into as many pieces as a group has ranks, heads into as many portions, the
// world into as many groups as a degree says. Where the number does not divide what is cut, ranks hold pieces of
// different sizes, and the next exchange, which takes them for equal, fails or hangs; nothing fails where the cut is
// made.
//
// The numbers are not known here, but whether the program checks them is: by a remainder that it tests
// (`heads % sp_size`), or by padding to a multiple. So these hazards are places that cut, followed by code that takes
// the pieces for equal, and without a remainder or a padding on the path: in the function, in its callees, in the
// functions around it, in its class and in its file. That is less than a proof, and `likely` at most.
//
// A call that passes two numbers to a function that tests the remainder of one by the other tests it there:
// `ensure_divisibility(heads, sp_size)`.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/program/call_places.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint {

template <typename Visit>
void for_each_call(const FunctionCode& code, const Visit& visit) {
  for (ir::BlockId b : code.graph().order()) {
    const auto& instructions = code.ir.blocks[b].instructions;
    for (uint32_t i = 0; i < instructions.size(); ++i)
      if (instructions[i].kind == ir::InstructionKind::Call) visit(instructions[i], ProgramPoint{b, i});
  }
}

// Every expression with the place where it is evaluated, its parts included.
template <typename Visit>
void for_each_expression(const FunctionCode& code, const Visit& visit) {
  auto walk = [&](auto&& self, ir::ExprId e, ProgramPoint at) -> void {
    if (!e.valid()) return;
    visit(e, at);
    for (ir::ExprId child : ir::children(code.ir, e)) self(self, child, at);
  };
  for (ir::BlockId b : code.graph().order()) {
    const ir::Block& block = code.ir.blocks[b];
    for (uint32_t i = 0; i < block.instructions.size(); ++i) {
      walk(walk, block.instructions[i].value, {b, i});
      for (const ir::Argument& a : ir::arguments(code.ir, block.instructions[i])) walk(walk, a.value, {b, i});
    }
    walk(walk, block.terminator.value, {b, static_cast<uint32_t>(block.instructions.size())});
  }
}

// All remainders of a project that it tests.
class Remainders {
 public:
  // What the remainders of a function are about.
  struct OfFunction {
    // The world % a degree, or a product compared with it.
    struct WorldCheck {
      ProgramPoint place;
      std::string factors;  // the words of the product; empty: a remainder
    };
    bool by_sequence = false;  // something % the size of a sequence-parallel group
    bool of_heads = false;     // heads % such a size
    std::vector<WorldCheck> of_world;
  };

  // Of the functions that are judged.
  explicit Remainders(const Query& in);

  // Whether a remainder of this kind is looked at where it speaks for the function.
  bool is_checked(const FunctionCode& code, bool OfFunction::* kind) const;
  // Whether other code checks the number of ranks against the degrees: in the file, in the callee, on a path
  // through this place, or in all callers on a path to it.
  bool is_world_checked(const FunctionCode& code, ProgramPoint at, const std::string& divisor) const;

 private:
  // Two parameters of a function that looks at the remainder of the one by the other, itself or in what it calls.
  struct Division {
    int number = -1, by = -1;
    friend bool operator==(const Division&, const Division&) = default;
  };

  void note(const FunctionCode& code, ir::ExprId e, ProgramPoint at);
  void note_remainder(OfFunction& known, ProgramPoint at, const std::string& number, const std::string& by);
  void note_divisions(const FunctionCode& code);
  // Of what functions that divide are handed. False: it made no further function one that divides.
  bool note_handed_on(const FunctionCode& code);
  std::set<std::string_view> names_of_divisions() const;
  bool add_division(FunctionKey f, Division division);
  bool has(FunctionKey f, bool OfFunction::* kind) const;
  static std::span<const OfFunction::WorldCheck> checks_in(const std::map<FunctionKey, OfFunction>& all, FunctionKey f);
  static bool is_looked_at(std::span<const OfFunction::WorldCheck> checks, const FunctionCode& code, ProgramPoint at,
                           const std::string& divisor);
  bool is_checked_by_callers(FunctionKey f, const std::string& divisor, int depth) const;
  bool calls_one_with(FunctionKey f, bool OfFunction::* kind) const;
  bool is_setting_up(FunctionKey f) const;

  const Query& in_;
  const ProjectIndex& index_;
  std::map<FunctionKey, OfFunction> remainders_;
  std::map<FunctionKey, OfFunction> handed_on_;  // those that functions look at which it hands the numbers to
  std::map<FunctionKey, std::vector<Division>> divisions_;
  mutable std::optional<CallPlaces> calls_;  // made when it is asked for first
};

}  // namespace ranklint
