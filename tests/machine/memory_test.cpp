// Values and cells: C's arithmetic where it is known, and what is lost where it is not.
#include <catch2/catch.hpp>

#include <limits>

#include "analyzer/machine/machine.h"

namespace ranklint::machine {

namespace {

struct Bare {
  Host host = {};
  Machine machine = {};
  Bare() { machine.host = &host; }
  Value of(Arithmetic op, Scalar scalar, int64_t a, int64_t b) {
    return binary(machine, op, scalar, integer(a), integer(b));
  }
};

Object object_of(uint64_t bytes, Scalar element) {
  Object object;
  object.size_bytes = bytes;
  object.element = element;
  return object;
}

}  // namespace

TEST_CASE("arithmetic wraps around as that of its type does") {
  Bare bare;
  CHECK(bare.of(Arithmetic::Add, Scalar::I32, std::numeric_limits<int32_t>::max(), 1) ==
        integer(std::numeric_limits<int32_t>::min()));
  CHECK(bare.of(Arithmetic::Add, Scalar::U8, 255, 1) == integer(0));
  CHECK(bare.of(Arithmetic::Less, Scalar::U64, -1, 1) == integer(0));
  CHECK(bare.of(Arithmetic::Less, Scalar::I64, -1, 1) == integer(1));
  CHECK(bare.of(Arithmetic::ShiftRight, Scalar::I32, -8, 1) == integer(-4));
}

TEST_CASE("what C does not define is not known") {
  Bare bare;
  CHECK_FALSE(bare.of(Arithmetic::Divide, Scalar::I32, 1, 0).known());
  CHECK_FALSE(bare.of(Arithmetic::Remainder, Scalar::I64, std::numeric_limits<int64_t>::min(), -1).known());
  CHECK_FALSE(bare.of(Arithmetic::ShiftLeft, Scalar::I32, 1, 70).known());
  CHECK_FALSE(convert(real(1e300), Scalar::I32).known());
}

TEST_CASE("what is computed from what all ranks share is shared, and equal where it is computed alike") {
  Bare bare;
  std::map<std::tuple<uint64_t, uint64_t, uint64_t>, uint32_t> symbols;
  bare.host.symbol = [&](uint64_t a, uint64_t b, uint64_t c) {
    return symbols.try_emplace({a, b, c}, static_cast<uint32_t>(symbols.size() + 2)).first->second;
  };
  const Value n = shared_unknown(1);
  const Value twice = binary(bare.machine, Arithmetic::Multiply, Scalar::I32, n, integer(2));
  CHECK_FALSE(twice.varies);
  CHECK(twice == binary(bare.machine, Arithmetic::Multiply, Scalar::I32, n, integer(2)));
  CHECK_FALSE(twice == binary(bare.machine, Arithmetic::Multiply, Scalar::I32, n, integer(3)));
  CHECK(binary(bare.machine, Arithmetic::Add, Scalar::I32, n, unknown()).varies);
}

TEST_CASE("memory that nobody wrote is undefined, or zero where it was cleared") {
  Object object = object_of(16, Scalar::I32);
  CHECK(load(object, 4, 4).kind == Value::Kind::Undefined);
  zero(object, 0, 16);
  CHECK(load(object, 4, 4) == integer(0));
}

TEST_CASE("an access of another size loses what it touches and nothing else") {
  Object object = object_of(16, Scalar::I32);
  for (int64_t i = 0; i < 4; ++i) store(object, 4 * i, 4, integer(i));
  store(object, 4, 1, integer(9));
  CHECK_FALSE(load(object, 4, 4).known());
  CHECK(load(object, 8, 4) == integer(2));
  CHECK(load(object, 0, 4) == integer(0));
}

TEST_CASE("accesses outside of an object write nothing") {
  Object object = object_of(8, Scalar::I32);
  store(object, -4, 4, integer(1));
  store(object, 8, 4, integer(1));
  CHECK(object.dense.empty());
  CHECK(object.sparse.empty());
}

TEST_CASE("what is written behind the end of allocated memory is found again, near it") {
  Object object = object_of(8, Scalar::I32);
  object.life = Object::Life::Heap;
  store(object, 20, 4, integer(7));
  CHECK(load(object, 20, 4) == integer(7));
  store(object, 80, 4, integer(7));
  CHECK_FALSE(load(object, 80, 4).known());
}

TEST_CASE("a copy takes the cells with it, and of overlapping memory the old ones") {
  Object object = object_of(16, Scalar::I32);
  for (int64_t i = 0; i < 4; ++i) store(object, 4 * i, 4, integer(i));
  copy(object, 4, object, 0, 12);
  CHECK(load(object, 4, 4) == integer(0));
  CHECK(load(object, 8, 4) == integer(1));
  CHECK(load(object, 12, 4) == integer(2));
}

TEST_CASE("what is lost of a part of memory is lost at each of its bytes") {
  Object object = object_of(64, Scalar::None);
  store(object, 40, 4, integer(7));
  forget(object, 8, 40);
  CHECK(load(object, 32, 4).kind == Value::Kind::Unknown);
  CHECK(load(object, 40, 4).kind == Value::Kind::Unknown);
  CHECK(load(object, 48, 4).kind == Value::Kind::Undefined);
}

TEST_CASE("what is lost of much memory takes no cells") {
  Object object = object_of(1u << 30, Scalar::I32);
  store(object, 1 << 20, 4, integer(7));
  store(object, 4, 4, integer(8));
  forget(object, 8, 1 << 29);
  CHECK(load(object, 1 << 20, 4).kind == Value::Kind::Unknown);
  CHECK(load(object, 1 << 28, 4).kind == Value::Kind::Unknown);
  CHECK(load(object, 4, 4) == integer(8));
  forget(object, 0, 1u << 30);
  CHECK(object.dense.empty());
  zero(object, 0, 1u << 30);
  CHECK(load(object, 4, 4) == integer(0));
}

TEST_CASE("a copy of memory that was barely written writes no more than that") {
  Object from = object_of(1u << 30, Scalar::I32), to = object_of(1u << 30, Scalar::I32);
  store(from, 4, 4, integer(3));
  copy(to, 0, from, 0, 1 << 30);
  CHECK(load(to, 4, 4) == integer(3));
  CHECK_FALSE(load(to, 1 << 20, 4).known());
  CHECK(to.dense.size() < 16);
}

TEST_CASE("a cell tells how wide it is only where it begins") {
  Object object = object_of(16, Scalar::None);
  store(object, 4, 8, real(0.5));
  CHECK(cell_at(object, 4) == 8);
  CHECK(cell_at(object, 5) == 0);
}

}  // namespace ranklint::machine
