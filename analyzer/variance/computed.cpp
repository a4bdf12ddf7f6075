#include "analyzer/variance/computed.h"

namespace ranklint {
namespace {

using ir::Operator;
using Number = std::optional<int64_t>;

constexpr int64_t kLargestShift = 62;
constexpr int64_t kLargestPower = 64;

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

}  // namespace

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

}  // namespace ranklint
