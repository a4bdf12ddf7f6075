// C's arithmetic on values that may be unknown.
#include <cmath>

#include "analyzer/machine/machine.h"

namespace ranklint::machine {

uint32_t size_bytes(Scalar scalar) {
  switch (scalar) {
    case Scalar::None: return 0;
    case Scalar::Bool:
    case Scalar::I8:
    case Scalar::U8: return 1;
    case Scalar::I16:
    case Scalar::U16: return 2;
    case Scalar::I32:
    case Scalar::U32:
    case Scalar::F32: return 4;
    case Scalar::I64:
    case Scalar::U64:
    case Scalar::F64:
    case Scalar::Pointer: return 8;
    case Scalar::F80: return 16;
  }
  return 0;
}

bool is_real(Scalar s) { return s == Scalar::F32 || s == Scalar::F64 || s == Scalar::F80; }
bool is_integer(Scalar s) { return s != Scalar::None && s != Scalar::Pointer && !is_real(s); }

std::optional<bool> truth(const Value& v) {
  switch (v.kind) {
    case Value::Kind::Undefined:
    case Value::Kind::Unknown: return std::nullopt;
    case Value::Kind::Int: return v.number != 0;
    case Value::Kind::Real: return v.real() != 0;
    case Value::Kind::Pointer: return v.object || v.number;
    case Value::Kind::Function:
    case Value::Kind::External: return true;
  }
  return std::nullopt;
}

namespace {

bool is_unsigned(Scalar s) {
  return s == Scalar::Bool || s == Scalar::U8 || s == Scalar::U16 || s == Scalar::U32 || s == Scalar::U64;
}

int64_t wrap(int64_t i, Scalar to) {
  switch (to) {
    case Scalar::Bool: return i != 0;
    case Scalar::I8: return static_cast<int8_t>(i);
    case Scalar::U8: return static_cast<uint8_t>(i);
    case Scalar::I16: return static_cast<int16_t>(i);
    case Scalar::U16: return static_cast<uint16_t>(i);
    case Scalar::I32: return static_cast<int32_t>(i);
    case Scalar::U32: return static_cast<uint32_t>(i);
    default: return i;
  }
}

// Unknown, and shared by all ranks if both operands are known or shared.
Value mixed(Machine& machine, uint64_t op, const Value& a, const Value& b) {
  auto shared = [](const Value& v) { return v.known() || (v.kind == Value::Kind::Unknown && !v.varies); };
  if (!shared(a) || !shared(b) || !machine.host->symbol) return unknown();
  auto key = [](const Value& v) {
    return static_cast<uint64_t>(v.kind) << 56 ^ static_cast<uint64_t>(v.object) << 24 ^
           static_cast<uint64_t>(v.number);
  };
  return shared_unknown(machine.host->symbol(op, key(a), key(b)));
}

bool is_truth(const Value& v) { return v.kind == Value::Kind::Unknown && !v.varies && v.number >= 2; }

Value opposite(Value v) {
  v.number ^= 1;
  return v;
}

Value as_truth(Value v) {
  if (v.kind == Value::Kind::Unknown && !v.varies) v.number = 2;
  return v;
}

// `a != b` is the opposite of `a == b`, and so on: two questions about one thing are not answered apart.
Value mixed_comparison(Machine& m, Arithmetic op, const Value& left, const Value& right) {
  const auto plain = [](const Value& v) { return v.is_null() ? integer(0) : v; };
  const Value a = plain(left), b = plain(right);
  const auto equal = static_cast<uint64_t>(Arithmetic::Equal) | 0x100,
             less = static_cast<uint64_t>(Arithmetic::Less) | 0x100;
  const auto asked = [&](uint64_t what, const Value& x, const Value& y, bool is_opposite) {
    const Value v = as_truth(mixed(m, what, x, y));
    return is_opposite && is_truth(v) ? opposite(v) : v;
  };
  const bool is_not = op == Arithmetic::NotEqual;
  switch (op) {
    case Arithmetic::Equal:
    case Arithmetic::NotEqual:
      if (is_truth(a) && b == integer(0)) return is_not ? a : opposite(a);
      return a.known() ? asked(equal, b, a, is_not) : asked(equal, a, b, is_not);
    case Arithmetic::Less: return asked(less, a, b, false);
    case Arithmetic::GreaterEqual: return asked(less, a, b, true);
    case Arithmetic::Greater: return asked(less, b, a, false);
    case Arithmetic::LessEqual: return asked(less, b, a, true);
    default: return mixed(m, static_cast<uint64_t>(op) | 0x100, a, b);
  }
}

template <typename T>
std::optional<int64_t> compare(Arithmetic op, T a, T b) {
  switch (op) {
    case Arithmetic::Equal: return a == b;
    case Arithmetic::NotEqual: return a != b;
    case Arithmetic::Less: return a < b;
    case Arithmetic::LessEqual: return a <= b;
    case Arithmetic::Greater: return a > b;
    case Arithmetic::GreaterEqual: return a >= b;
    default: return std::nullopt;
  }
}

std::optional<double> real_result(Arithmetic op, double a, double b) {
  switch (op) {
    case Arithmetic::Add: return a + b;
    case Arithmetic::Subtract: return a - b;
    case Arithmetic::Multiply: return a * b;
    case Arithmetic::Divide: return b == 0 ? HUGE_VAL : a / b;
    default: return std::nullopt;
  }
}

std::optional<int64_t> bits_result(Arithmetic op, uint64_t a, uint64_t b, bool is_signed, int64_t signed_a) {
  switch (op) {
    case Arithmetic::Add: return static_cast<int64_t>(a + b);
    case Arithmetic::Subtract: return static_cast<int64_t>(a - b);
    case Arithmetic::Multiply: return static_cast<int64_t>(a * b);
    case Arithmetic::And: return static_cast<int64_t>(a & b);
    case Arithmetic::Or: return static_cast<int64_t>(a | b);
    case Arithmetic::Xor: return static_cast<int64_t>(a ^ b);
    case Arithmetic::ShiftLeft:
      if (b < 64) return static_cast<int64_t>(a << b);
      return std::nullopt;
    case Arithmetic::ShiftRight:
      if (b >= 64) return std::nullopt;
      return is_signed ? signed_a >> b : static_cast<int64_t>(a >> b);
    default: return std::nullopt;
  }
}

std::optional<int64_t> quotient(Arithmetic op, int64_t a, int64_t b, bool is_signed) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return std::nullopt;
  const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  if (op == Arithmetic::Divide) return is_signed ? a / b : static_cast<int64_t>(ua / ub);
  if (op == Arithmetic::Remainder) return is_signed ? a % b : static_cast<int64_t>(ua % ub);
  return std::nullopt;
}

double as_real(const Value& v) { return v.kind == Value::Kind::Real ? v.real() : static_cast<double>(v.number); }

// A pointer into an object against another, or against a number.
std::optional<int64_t> compare_places(Arithmetic op, const Value& a, const Value& b) {
  if (a.kind == b.kind && a.object == b.object) return compare(op, a.number, b.number);
  if (op == Arithmetic::Equal) return 0;
  if (op == Arithmetic::NotEqual) return 1;
  return std::nullopt;
}

Value place_result(Machine& machine, Arithmetic op, const Value& a, const Value& b) {
  if (auto r = compare_places(op, a, b)) return integer(*r);
  if (op == Arithmetic::Add && b.kind == Value::Kind::Int) return pointer(a.object, a.number + b.number);
  if (op == Arithmetic::Subtract && b.kind == Value::Kind::Int) return pointer(a.object, a.number - b.number);
  if (op == Arithmetic::Subtract && a.object == b.object) return integer(a.number - b.number);
  return mixed(machine, static_cast<uint64_t>(op), a, b);
}

bool is_place(const Value& v) {
  return v.kind == Value::Kind::Function || v.kind == Value::Kind::External || v.points();
}

}  // namespace

Value binary(Machine& machine, Arithmetic op, Scalar scalar, const Value& a, const Value& b) {
  if (!a.known() || !b.known()) return mixed_comparison(machine, op, a, b);
  if (is_place(a) || is_place(b)) return place_result(machine, op, a, b);
  if (a.kind == Value::Kind::Real || b.kind == Value::Kind::Real) {
    if (auto r = compare(op, as_real(a), as_real(b))) return integer(*r);
    if (auto r = real_result(op, as_real(a), as_real(b)))
      return real(scalar == Scalar::F32 ? static_cast<float>(*r) : *r);
    return unknown();
  }
  const bool is_signed = !is_unsigned(scalar);
  const auto ua = static_cast<uint64_t>(a.number), ub = static_cast<uint64_t>(b.number);
  std::optional<int64_t> r = is_signed ? compare(op, a.number, b.number) : compare(op, ua, ub);
  if (!r) r = bits_result(op, ua, ub, is_signed, a.number);
  if (!r) r = quotient(op, a.number, b.number, is_signed);
  if (!r) return unknown();
  return integer(wrap(*r, scalar));
}

Value truth_of_shared(Machine& machine, const Value& v) {
  return is_truth(v) ? v : mixed_comparison(machine, Arithmetic::NotEqual, v, integer(0));
}

Value unary(Machine& machine, Arithmetic op, Scalar scalar, const Value& a) {
  if (op == Arithmetic::Not && a.kind == Value::Kind::Unknown && !a.varies)
    return opposite(truth_of_shared(machine, a));
  if (!a.known()) return mixed(machine, static_cast<uint64_t>(op) | 0x200, a, integer(0));
  if (op == Arithmetic::Not) return integer(!*truth(a));
  if (a.kind == Value::Kind::Real) return op == Arithmetic::Negate ? real(-a.real()) : a;
  if (a.kind != Value::Kind::Int) return unknown();
  const auto bits = static_cast<uint64_t>(a.number);
  if (op == Arithmetic::Negate) return integer(wrap(static_cast<int64_t>(0 - bits), scalar));
  if (op == Arithmetic::Invert) return integer(wrap(static_cast<int64_t>(~bits), scalar));
  return a;
}

Value convert(const Value& v, Scalar to) {
  if (!v.known()) return v;
  if (to == Scalar::Bool) return integer(*truth(v));
  if (is_real(to)) {
    if (v.kind != Value::Kind::Int && v.kind != Value::Kind::Real) return unknown();
    return real(to == Scalar::F32 ? static_cast<float>(as_real(v)) : as_real(v));
  }
  if (is_integer(to) && v.kind == Value::Kind::Real) {
    if (!(std::abs(v.real()) < 9e18)) return unknown();
    return integer(wrap(static_cast<int64_t>(v.real()), to));
  }
  if (is_integer(to) && v.kind == Value::Kind::Int) return integer(wrap(v.number, to));
  if (is_integer(to) && v.kind == Value::Kind::Pointer && !v.object) return integer(wrap(v.number, to));
  if (to == Scalar::Pointer && v.kind == Value::Kind::Int) return pointer(0, v.number);
  return v;
}

}  // namespace ranklint::machine
