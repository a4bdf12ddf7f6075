#include "analyzer/variance/computed.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "analyzer/base/word.h"
#include "analyzer/ir/words.h"

namespace ranklint {
namespace {

using ir::Operator;
using Number = std::optional<int64_t>;
using IfMade = std::optional<KnownValue>;

constexpr int64_t kLargestShift = 62;
constexpr int64_t kLargestPower = 64;
constexpr double kLargestWhole = 9007199254740992;  // up to here a number with a point has one for each whole number

constexpr std::array kComputations{
    Word<Computation::Kind>{"floor", Computation::Kind::Floor},
    Word<Computation::Kind>{"ceiling", Computation::Kind::Ceiling},
    Word<Computation::Kind>{"nearest", Computation::Kind::Nearest},
    Word<Computation::Kind>{"truncated", Computation::Kind::Truncated},
    Word<Computation::Kind>{"magnitude", Computation::Kind::Magnitude},
    Word<Computation::Kind>{"truth", Computation::Kind::Truth},
    Word<Computation::Kind>{"smallest", Computation::Kind::Smallest},
    Word<Computation::Kind>{"largest", Computation::Kind::Largest},
    Word<Computation::Kind>{"sum", Computation::Kind::Sum},
    Word<Computation::Kind>{"length", Computation::Kind::Length},
    Word<Computation::Kind>{"binary digits", Computation::Kind::BinaryDigits},
    Word<Computation::Kind>{"bit length", Computation::Kind::BitLength},
    Word<Computation::Kind>{"count", Computation::Kind::Count},
    Word<Computation::Kind>{"place", Computation::Kind::FirstPlace},
    Word<Computation::Kind>{"place or -1", Computation::Kind::PlaceOrNone},
    Word<Computation::Kind>{"begins", Computation::Kind::Begins},
    Word<Computation::Kind>{"ends", Computation::Kind::Ends},
};

Number product(int64_t a, int64_t b) {
  int64_t made = 0;
  return __builtin_mul_overflow(a, b, &made) ? std::nullopt : Number(made);
}

// Towards minus infinity; the rest has the sign of the divisor.
Number divided(Operator op, int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return std::nullopt;
  int64_t quotient = a / b, rest = a % b;
  if (rest != 0 && (rest < 0) != (b < 0)) --quotient, rest += b;
  return op == Operator::Modulo ? rest : quotient;
}

Number power(int64_t base, int64_t exponent) {
  if (exponent < 0 || exponent > kLargestPower) return std::nullopt;
  Number made = 1;
  for (; made && exponent > 0; --exponent) made = product(*made, base);
  return made;
}

KnownValue known_whole(int64_t number) { return {.kind = KnownValue::Kind::Whole, .whole = number}; }
KnownValue known_text(std::string content) { return {.kind = KnownValue::Kind::Text, .text = std::move(content)}; }
double real_of(const KnownValue& number) {
  return number.kind == KnownValue::Kind::Real ? number.real : static_cast<double>(number.whole);
}

// `str(rank)` is the number here.
KnownValue as_text(const KnownValue& v) {
  return v.kind == KnownValue::Kind::Whole ? known_text(std::to_string(v.whole)) : v;
}

// Nothing: they are not compared.
std::optional<std::partial_ordering> order_of(const KnownValue& x, const KnownValue& y) {
  if (x.is_number() && y.is_number()) {
    if (x.kind == y.kind && x.kind == KnownValue::Kind::Whole) return x.whole <=> y.whole;
    return real_of(x) <=> real_of(y);
  }
  if (x.kind != y.kind) return std::nullopt;
  if (x.kind == KnownValue::Kind::Text) return x.text <=> y.text;
  for (size_t i = 0; i < std::min(x.parts.size(), y.parts.size()); ++i)
    if (!(x.parts[i] == y.parts[i])) return order_of(x.parts[i], y.parts[i]);
  return x.parts.size() <=> y.parts.size();
}

// What is a number here may be meant as a text, so two of different kinds say nothing.
bool are_comparable(const KnownValue& x, const KnownValue& y) {
  if (x.is_number() && y.is_number()) return true;
  if (x.kind != y.kind) return false;
  for (size_t i = 0; i < std::min(x.parts.size(), y.parts.size()); ++i)
    if (!are_comparable(x.parts[i], y.parts[i])) return false;
  return true;
}

IfMade compared(Operator op, const KnownValue& x, const KnownValue& y) {
  if (!are_comparable(x, y)) return std::nullopt;
  if (op == Operator::Equal || op == Operator::NotEqual) return known_whole((x == y) == (op == Operator::Equal));
  const auto order = order_of(x, y);
  if (!order || *order == std::partial_ordering::unordered) return std::nullopt;
  switch (op) {
    case Operator::Less: return known_whole(*order < 0);
    case Operator::LessEqual: return known_whole(*order <= 0);
    case Operator::Greater: return known_whole(*order > 0);
    case Operator::GreaterEqual: return known_whole(*order >= 0);
    default: return std::nullopt;
  }
}

// Where each letter is one byte, a place in the text is what Python counts.
bool has_one_byte_letters(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

// How often, and where first; a text has parts of any length.
struct Occurrences {
  int64_t count = 0, first = -1;
};

std::optional<Occurrences> occurrences(const KnownValue& whole, const KnownValue& part) {
  Occurrences found;
  const auto note = [&](size_t at) {
    if (found.count++ == 0) found.first = static_cast<int64_t>(at);
  };
  if (whole.kind == KnownValue::Kind::List) {
    for (size_t i = 0; i < whole.parts.size(); ++i)
      if (!are_comparable(whole.parts[i], part))
        return std::nullopt;
      else if (whole.parts[i] == part)
        note(i);
    return found;
  }
  if (whole.kind != KnownValue::Kind::Text || part.kind != KnownValue::Kind::Text || part.text.empty() ||
      !has_one_byte_letters(whole.text))
    return std::nullopt;
  for (size_t at = whole.text.find(part.text); at != std::string::npos;
       at = whole.text.find(part.text, at + part.text.size()))
    note(at);
  return found;
}

IfMade of_two(Operator op, const KnownValue& x, const KnownValue& y) {
  if (ir::is_equality(op) || ir::is_order(op)) return compared(op, x, y);
  if (ir::is_membership(op)) {
    const std::optional<Occurrences> found = occurrences(y, y.kind == KnownValue::Kind::Text ? as_text(x) : x);
    return found ? IfMade(known_whole((found->count > 0) == (op == Operator::In))) : std::nullopt;
  }
  if (x.kind == KnownValue::Kind::Whole && y.kind == KnownValue::Kind::Whole && op != Operator::Divide) {
    const Number made = computed(op, x.whole, y.whole);
    return made ? IfMade(known_whole(*made)) : std::nullopt;
  }
  const std::optional<double> made =
      x.is_number() && y.is_number() ? computed_real(op, real_of(x), real_of(y)) : std::nullopt;
  return made ? IfMade(KnownValue{.kind = KnownValue::Kind::Real, .real = *made}) : std::nullopt;
}

IfMade of_one(Operator op, const KnownValue& x) {
  if (op == Operator::Not) return known_whole(!x.is_true());
  if (op == Operator::Invert && x.kind == KnownValue::Kind::Whole) return known_whole(~x.whole);
  if (op == Operator::Negate && x.kind == KnownValue::Kind::Whole) {
    const Number made = computed(Operator::Subtract, 0, x.whole);
    return made ? IfMade(known_whole(*made)) : std::nullopt;
  }
  if (op == Operator::Negate && x.kind == KnownValue::Kind::Real)
    return KnownValue{.kind = KnownValue::Kind::Real, .real = -x.real};
  return std::nullopt;
}

IfMade rounded(Computation::Kind what, const KnownValue& number) {
  if (number.kind != KnownValue::Kind::Real) return number;
  double made = 0;
  switch (what) {
    case Computation::Kind::Floor: made = std::floor(number.real); break;
    case Computation::Kind::Ceiling: made = std::ceil(number.real); break;
    case Computation::Kind::Nearest: made = std::nearbyint(number.real); break;
    default: made = std::trunc(number.real); break;
  }
  return std::abs(made) > kLargestWhole ? std::nullopt : IfMade(known_whole(static_cast<int64_t>(made)));
}

IfMade of_number(Computation::Kind what, const KnownValue& x) {
  switch (what) {
    case Computation::Kind::Floor:
    case Computation::Kind::Ceiling:
    case Computation::Kind::Nearest:
    case Computation::Kind::Truncated: return rounded(what, x);
    case Computation::Kind::Magnitude:
      if (x.kind == KnownValue::Kind::Real) return KnownValue{.kind = KnownValue::Kind::Real, .real = std::abs(x.real)};
      return x.whole < 0 ? of_one(Operator::Negate, x) : IfMade(x);
    default: break;
  }
  if (x.kind != KnownValue::Kind::Whole || x.whole == INT64_MIN) return std::nullopt;
  auto magnitude = static_cast<uint64_t>(std::abs(x.whole));
  if (what == Computation::Kind::BitLength) return known_whole(std::bit_width(magnitude));
  if (what != Computation::Kind::BinaryDigits) return std::nullopt;
  std::string digits;
  for (; magnitude > 0; magnitude /= 2) digits.insert(digits.begin(), static_cast<char>('0' + magnitude % 2));
  return known_text((x.whole < 0 ? "-0b" : "0b") + (digits.empty() ? "0" : digits));
}

IfMade outermost(Computation::Kind what, std::span<const KnownValue> all) {
  if (all.size() == 1) {
    if (all[0].kind != KnownValue::Kind::List) return std::nullopt;
    all = all[0].parts;
  }
  if (all.empty()) return std::nullopt;
  KnownValue found = all[0];
  for (const KnownValue& one : all.subspan(1)) {
    const IfMade is_further =
        compared(what == Computation::Kind::Smallest ? Operator::Less : Operator::Greater, one, found);
    if (!is_further) return std::nullopt;
    if (is_further->is_true()) found = one;
  }
  return found;
}

IfMade of_list(Computation::Kind what, const KnownValue& list) {
  if (what == Computation::Kind::Length && list.kind == KnownValue::Kind::Text)
    return has_one_byte_letters(list.text) ? IfMade(known_whole(static_cast<int64_t>(list.text.size()))) : std::nullopt;
  if (list.kind != KnownValue::Kind::List) return std::nullopt;
  if (what == Computation::Kind::Length) return known_whole(static_cast<int64_t>(list.parts.size()));
  IfMade sum = known_whole(0);
  for (const KnownValue& part : list.parts)
    if (sum) sum = part.is_number() ? of_two(Operator::Add, *sum, part) : std::nullopt;
  return sum;
}

IfMade of_whole_and_part(Computation::Kind what, const KnownValue& given, const KnownValue& asked) {
  const bool is_list = given.kind == KnownValue::Kind::List;
  const KnownValue in = is_list ? given : as_text(given), part = is_list ? asked : as_text(asked);
  if (what == Computation::Kind::Begins || what == Computation::Kind::Ends) {
    if (in.kind != KnownValue::Kind::Text || part.kind != KnownValue::Kind::Text) return std::nullopt;
    return known_whole(what == Computation::Kind::Begins ? in.text.starts_with(part.text)
                                                         : in.text.ends_with(part.text));
  }
  const std::optional<Occurrences> found = occurrences(in, part);
  if (!found || (what == Computation::Kind::FirstPlace && found->count == 0)) return std::nullopt;
  return known_whole(what == Computation::Kind::Count ? found->count : found->first);
}

}  // namespace

bool sort_parts(KnownValue& list) {
  std::vector<KnownValue> sorted;
  for (const KnownValue& part : list.parts) {
    size_t at = sorted.size();
    for (; at > 0; --at) {
      const IfMade is_less = compared(Operator::Less, part, sorted[at - 1]);
      if (!is_less) return false;
      if (!is_less->is_true()) break;
    }
    sorted.insert(sorted.begin() + static_cast<std::ptrdiff_t>(at), part);
  }
  list.parts = std::move(sorted);
  return true;
}

bool KnownValue::is_true() const {
  switch (kind) {
    case Kind::Whole: return whole != 0;
    case Kind::Real: return real != 0;
    case Kind::Text: return !text.empty();
    case Kind::List: return !parts.empty();
  }
  return false;
}

bool operator==(const KnownValue& x, const KnownValue& y) {
  if (x.is_number() && y.is_number()) {
    const auto order = order_of(x, y);
    return order && *order == 0;
  }
  return x.kind == y.kind && x.text == y.text && x.parts == y.parts;
}

bool Computation::takes(size_t arguments) const {
  switch (kind) {
    case Kind::None: return false;
    case Kind::Operation: return arguments == 1 || arguments == 2;
    case Kind::Smallest:
    case Kind::Largest: return arguments > 0;
    case Kind::Count:
    case Kind::FirstPlace:
    case Kind::PlaceOrNone:
    case Kind::Begins:
    case Kind::Ends: return arguments == 2;
    default: return arguments == 1;
  }
}

Computation computation_named(std::string_view word) {
  if (const std::optional<Computation::Kind> kind = meaning_of(kComputations, word)) return {.kind = *kind};
  const auto is_it = [&](const ir::OperatorWord& known) {
    return known.text.substr(0, known.text.find_last_not_of(' ') + 1) == word;
  };
  for (const std::span<const ir::OperatorWord> words : {ir::binary_operators(), ir::unary_operators()})
    if (const auto found = std::ranges::find_if(words, is_it); found != words.end())
      return {.kind = Computation::Kind::Operation, .op = found->op};
  return {};
}

Operator of_one_operand(Operator op) {
  return op == Operator::Subtract ? Operator::Negate : op == Operator::Add ? Operator::Plus : op;
}

Number computed(Operator op, int64_t a, int64_t b) {
  int64_t made = 0;
  switch (op) {
    case Operator::Add: return __builtin_add_overflow(a, b, &made) ? std::nullopt : Number(made);
    case Operator::Subtract: return __builtin_sub_overflow(a, b, &made) ? std::nullopt : Number(made);
    case Operator::Multiply: return product(a, b);
    case Operator::FloorDivide:
    case Operator::Modulo: return divided(op, a, b);
    case Operator::Power: return power(a, b);
    case Operator::ShiftLeft: return b < 0 || b > kLargestShift ? std::nullopt : product(a, int64_t{1} << b);
    case Operator::ShiftRight: return b < 0 ? std::nullopt : Number(a >> (b > kLargestShift ? kLargestShift : b));
    case Operator::BitAnd: return a & b;
    case Operator::BitOr: return a | b;
    case Operator::BitXor: return a ^ b;
    case Operator::Equal:
    case Operator::Is: return a == b;
    case Operator::NotEqual:
    case Operator::IsNot: return a != b;
    case Operator::Less: return a < b;
    case Operator::LessEqual: return a <= b;
    case Operator::Greater: return a > b;
    case Operator::GreaterEqual: return a >= b;
    default: return std::nullopt;
  }
}

std::optional<double> computed_real(Operator op, double x, double y) {
  double made = 0;
  switch (op) {
    case Operator::Add: made = x + y; break;
    case Operator::Subtract: made = x - y; break;
    case Operator::Multiply: made = x * y; break;
    case Operator::Divide:
      if (y == 0) return std::nullopt;
      made = x / y;
      break;
    default: return std::nullopt;
  }
  return std::isnan(made) ? std::nullopt : std::optional(made);
}

std::optional<KnownValue> computed(Computation what, std::span<const KnownValue> given) {
  if (!what.takes(given.size())) return std::nullopt;
  switch (what.kind) {
    case Computation::Kind::Operation:
      return given.size() == 1 ? of_one(of_one_operand(what.op), given[0]) : of_two(what.op, given[0], given[1]);
    case Computation::Kind::Smallest:
    case Computation::Kind::Largest: return outermost(what.kind, given);
    case Computation::Kind::Count:
    case Computation::Kind::FirstPlace:
    case Computation::Kind::PlaceOrNone:
    case Computation::Kind::Begins:
    case Computation::Kind::Ends: return of_whole_and_part(what.kind, given[0], given[1]);
    case Computation::Kind::Truth: return known_whole(given[0].is_true());
    case Computation::Kind::Sum:
    case Computation::Kind::Length: return of_list(what.kind, given[0]);
    default: return given[0].is_number() ? of_number(what.kind, given[0]) : std::nullopt;
  }
}

}  // namespace ranklint
