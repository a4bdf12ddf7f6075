// What operations and functions make of what is known, as Python computes: of whole numbers, of numbers with a point,
// of texts and of lists of these.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/ir.h"

namespace ranklint {

// An operation on two numbers, or a comparison of them, as 0 or 1. Nothing: it makes no whole number, or one that does
// not fit.
std::optional<int64_t> computed(ir::Operator op, int64_t a, int64_t b);

// The same of numbers with a point: what adds, subtracts, multiplies and divides.
std::optional<double> computed_real(ir::Operator op, double x, double y);

// A number, a text or a list. What is true or false is 1 or 0, and a tuple is a list.
struct KnownValue {
  enum class Kind : uint8_t { Whole, Real, Text, List };
  Kind kind = Kind::Whole;
  int64_t whole = 0;
  double real = 0;
  std::string text = {};
  std::vector<KnownValue> parts = {};

  bool is_number() const { return kind == Kind::Whole || kind == Kind::Real; }
  bool is_true() const;
  // As Python compares: 1 and 1.0 are equal.
  friend bool operator==(const KnownValue& x, const KnownValue& y);
};

// Puts the parts of a list in ascending order. False: they are not compared, and the list is as it was.
bool sort_parts(KnownValue& list);

// A function of which nothing counts but what it is given.
struct Computation {
  enum class Kind : uint8_t {
    None,
    Operation,     // `op`, of one or two
    Floor,         // the next whole number below
    Ceiling,       // or above
    Nearest,       // of two that are equally near the even one
    Truncated,     // the whole part, without the digits after the point
    Magnitude,     // without its sign
    Truth,         // whether it is true
    Smallest,      // of all that are given, or in the list
    Largest,       // likewise
    Sum,           // of the list
    Length,        // of a text or a list
    BinaryDigits,  // as a text
    BitLength,     // how many binary digits
    Count,         // how often there is the second in the first, a text or a list
    FirstPlace,    // where the second stands in the first, which has it
    PlaceOrNone,   // the same of a text, and -1 where it has none
    Begins,        // whether a text begins with the second
    Ends,          // or ends
  };
  Kind kind = Kind::None;
  ir::Operator op = ir::Operator::None;

  // Whether it is computed of as many.
  bool takes(size_t arguments) const;
  // Whether it gives what is true or false.
  bool gives_truth() const { return kind == Kind::Truth || kind == Kind::Begins || kind == Kind::Ends; }
};

// The operation of this sign where it has one operand: what subtracts negates.
ir::Operator of_one_operand(ir::Operator op);

// By the word that a model has for it: "==", "floor". Of no word it is none.
Computation computation_named(std::string_view word);

// Nothing: it is not computed, or makes nothing that is known.
std::optional<KnownValue> computed(Computation what, std::span<const KnownValue> given);

}  // namespace ranklint
