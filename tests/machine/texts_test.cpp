// What the functions of the C library make of texts, compared with what this machine's own make of them.
#include <catch2/catch.hpp>

#include <cstdio>
#include <cstring>

#include "analyzer/machine/machine.h"

namespace ranklint::machine {

namespace {

constexpr uint64_t kRoom = 64;

struct Texts {
  Host host = {};
  Machine machine = {};

  Texts() { machine.host = &host; }

  // Memory with this text at its begin.
  Value memory(const std::string& text = {}) {
    const Value at = pointer(make_object(machine, Object::Life::Heap, kRoom, Scalar::I8));
    for (size_t i = 0; i <= text.size(); ++i)
      store(machine.at(at.object), static_cast<int64_t>(i), 1,
            integer(i < text.size() ? static_cast<int8_t>(text[i]) : 0));
    return at;
  }

  Value call(const std::string& name, std::vector<Value> arguments) {
    const auto result = call_library(machine, name, arguments);
    REQUIRE(result);
    return result->value;
  }

  std::optional<std::string> at(const Value& v) { return text_at(machine, v); }
};

// What the format makes of the arguments here and there.
template <typename... Arguments>
void check_print(const std::string& format, std::vector<Value> values, Arguments... arguments) {
  INFO(format);
  char expected[kRoom];
  const int length = std::snprintf(expected, sizeof expected, format.c_str(), arguments...);
  Texts t;
  const Value to = t.memory();
  std::vector<Value> all{to, t.memory(format)};
  all.insert(all.end(), values.begin(), values.end());
  CHECK(t.call("sprintf", all) == integer(length));
  CHECK(t.at(to) == std::string(expected));
}

}  // namespace

TEST_CASE("numbers are printed as the library prints them") {
  check_print("rank %d of %5d|%-4d|%04d", {integer(3), integer(17), integer(8), integer(5)}, 3, 17, 8, 5);
  check_print("%u %x %lu %hhd", {integer(-1), integer(255), integer(-1), integer(300)}, -1, 255, -1L, 300);
  check_print("%ld %lld %zu", {integer(int64_t{1} << 40), integer(-7), integer(9)}, 1L << 40, -7LL, size_t{9});
  check_print("%f %.2e %10.3g", {real(2.5), real(0.001), real(1234.5)}, 2.5, 0.001, 1234.5);
  check_print("%0*d%c%%", {integer(6), integer(42), integer('x')}, 6, 42, 'x');
  check_print("%.*f", {integer(-1), real(0.5)}, -1, 0.5);
}

TEST_CASE("a text is printed into another, and cut where that ends") {
  Texts t;
  const Value to = t.memory(), format = t.memory("<%s|%5.2s>"), word = t.memory("ring");
  CHECK(t.call("snprintf", {to, integer(8), format, word, word}) == integer(12));
  CHECK(t.at(to) == "<ring| ");
  CHECK(t.call("snprintf", {pointer(0), integer(0), format, word, word}) == integer(12));
}

TEST_CASE("what is printed of something that nobody knows is not known, nor is its length") {
  Texts t;
  const Value to = t.memory("before");
  CHECK(t.call("sprintf", {to, t.memory("%d"), unknown()}) == unknown());
  CHECK_FALSE(t.at(to));
  CHECK(t.call("strlen", {to}) == unknown());
  for (const std::string format : {"%p", "%n", "%ls", "%1000d", "%Lf", "%", "%5"}) {
    INFO(format);
    CHECK(t.call("sprintf", {to, t.memory(format), integer(1)}) == unknown());
  }
  CHECK(t.call("sprintf", {to, t.memory("%d %d"), integer(1)}) == unknown());
}

TEST_CASE("texts are copied and appended") {
  Texts t;
  const Value to = t.memory(), abc = t.memory("abc");
  t.call("strcpy", {to, abc});
  t.call("strcat", {to, abc});
  CHECK(t.at(to) == "abcabc");
  t.call("strncat", {to, abc, integer(1)});
  CHECK(t.at(to) == "abcabca");
  t.call("strncpy", {to, abc, integer(2)});
  CHECK(t.at(to) == "abcabca");  // two characters, and no zero
  t.call("strncpy", {to, abc, integer(5)});
  CHECK(t.at(to) == "abc");
  CHECK(t.at(t.call("strdup", {abc})) == "abc");
}

TEST_CASE("a copy of what is not known leaves nothing known behind") {
  Texts t;
  const Value to = t.memory("abc"), from = t.memory("abc");
  store(t.machine.at(from.object), 1, 1, unknown());
  t.call("strcpy", {to, from});
  CHECK_FALSE(t.at(to));
}

TEST_CASE("texts are compared as far as they are asked to be") {
  Texts t;
  const Value one = t.memory("ring"), other = t.memory("Rings");
  CHECK(t.call("strcmp", {one, other}) == integer(1));
  CHECK(t.call("strcasecmp", {one, other}) == integer(-1));
  CHECK(t.call("strncasecmp", {one, other, integer(4)}) == integer(0));
  CHECK(t.call("strncmp", {one, t.memory("rink"), integer(3)}) == integer(0));
}

TEST_CASE("a character or a text is found in another") {
  Texts t;
  const Value path = t.memory("a/b/c");
  CHECK(t.call("strchr", {path, integer('/')}) == pointer(path.object, 1));
  CHECK(t.call("strrchr", {path, integer('/')}) == pointer(path.object, 3));
  CHECK(t.call("strstr", {path, t.memory("b/")}) == pointer(path.object, 2));
  CHECK(t.call("strchr", {path, integer('x')}) == pointer(0));
  CHECK(t.call("strchr", {path, integer(0)}) == pointer(path.object, 5));
}

TEST_CASE("a number is read from a text that was printed") {
  Texts t;
  CHECK(t.call("atoi", {t.memory("12 ranks")}) == integer(12));
  CHECK(t.call("atof", {t.memory("0.5")}) == real(0.5));
}

}  // namespace ranklint::machine
