// What operations and functions make of what is known.
#include "analyzer/variance/computed.h"

#include <array>
#include <limits>

#include <catch2/catch.hpp>

namespace ranklint {
namespace {

KnownValue number(int64_t whole) { return {.kind = KnownValue::Kind::Whole, .whole = whole}; }
KnownValue real(double value) { return {.kind = KnownValue::Kind::Real, .real = value}; }
KnownValue text(std::string content) { return {.kind = KnownValue::Kind::Text, .text = std::move(content)}; }
KnownValue list(std::vector<KnownValue> parts) { return {.kind = KnownValue::Kind::List, .parts = std::move(parts)}; }

template <typename... Given>
std::optional<KnownValue> of(std::string_view word, const Given&... given) {
  return computed(computation_named(word), std::array{given...});
}

TEST_CASE("numbers are rounded as Python rounds them") {
  CHECK(of("floor", real(-0.5)) == number(-1));
  CHECK(of("ceiling", real(0.5)) == number(1));
  CHECK(of("truncated", real(-1.5)) == number(-1));
  CHECK(of("nearest", real(0.5)) == number(0));
  CHECK(of("nearest", real(1.5)) == number(2));
  CHECK(of("floor", number(3)) == number(3));
  CHECK(!of("floor", real(1e300)));
  CHECK(!of("floor", real(std::numeric_limits<double>::infinity())));
}

TEST_CASE("an operator's sign names what it computes") {
  CHECK(of("//", number(-7), number(2)) == number(-4));
  CHECK(of("/", number(1), number(2)) == real(0.5));
  CHECK(of("-", number(3)) == number(-3));
  CHECK(of("not", number(0)) == number(1));
  CHECK(of("~", number(0)) == number(-1));
  CHECK(of("<=", list({number(1), number(2)}), list({number(1), number(3)})) == number(1));
  CHECK(of("==", number(1), real(1)) == number(1));
  CHECK(of("in", number(2), list({number(1), number(2)})) == number(1));
  CHECK(of("in", number(2), text("0123")) == number(1));
  CHECK(!of("//", number(1), number(0)));
  CHECK(!of("<", number(1), text("1")));
  CHECK(!of("no such word", number(1)));
}

TEST_CASE("texts and lists are counted and searched") {
  CHECK(of("binary digits", number(5)) == text("0b101"));
  CHECK(of("binary digits", number(0)) == text("0b0"));
  CHECK(of("bit length", number(4)) == number(3));
  CHECK(of("count", text("0b101"), text("1")) == number(2));
  CHECK(of("place", text("0123"), number(2)) == number(2));
  CHECK(of("place or -1", text("0123"), text("9")) == number(-1));
  CHECK(!of("place", text("0123"), text("9")));
  CHECK(of("place", list({number(4), number(5)}), number(5)) == number(1));
  CHECK(!of("place", list({number(4)}), number(5)));
  CHECK(!of("largest", text("ab")));
  CHECK(of("begins", text("writer"), text("w")) == number(1));
  CHECK(of("ends", text("writer"), text("w")) == number(0));
  CHECK(of("sum", list({number(1), real(0.5)})) == real(1.5));
  CHECK(of("largest", list({number(1), number(3), number(2)})) == number(3));
  CHECK(of("smallest", number(2), number(1)) == number(1));
  CHECK(!of("largest", list({})));
  CHECK(of("length", text("abc")) == number(3));
}

TEST_CASE("what does not fit is not computed") {
  const KnownValue least = number(std::numeric_limits<int64_t>::min());
  CHECK(!of("-", least));
  CHECK(!of("magnitude", least));
  CHECK(!of("binary digits", least));
  CHECK(!of("**", number(10), number(30)));
  CHECK(!of("<<", number(1), number(100)));
}

TEST_CASE("parts of a list are put in order where Python compares them") {
  KnownValue numbers = list({number(2), real(0.5), number(1)});
  CHECK(sort_parts(numbers));
  CHECK(numbers == list({real(0.5), number(1), number(2)}));
  KnownValue mixed = list({number(2), text("1")});
  CHECK_FALSE(sort_parts(mixed));
  CHECK(mixed == list({number(2), text("1")}));
}

}  // namespace
}  // namespace ranklint
