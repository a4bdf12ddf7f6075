#include <catch2/catch.hpp>

#include <set>
#include <string>

#include "analyzer/base/digest.h"

namespace ranklint {

TEST_CASE("a digest is the one that xxHash documents") {
  CHECK(hex_of(digest_of("")) == "99aa06d3014798d86001c324468d497f");
}

TEST_CASE("a digest has 32 digits, those of zero too") {
  CHECK(hex_of({}) == std::string(32, '0'));
  CHECK(hex_of({.high = 0xf, .low = 1}) == "000000000000000f0000000000000001");
}

TEST_CASE("texts with one different byte have different digests, whatever their length") {
  std::set<Digest> all;
  for (size_t length = 1; length < 600; ++length) {
    std::string text(length, 'a');
    all.insert(digest_of(text));
    text[length / 2] = 'b';
    all.insert(digest_of(text));
  }
  CHECK(all.size() == 2 * 599);
}

TEST_CASE("a sequence of texts is told apart from the same letters cut elsewhere") {
  CHECK(Digester().add("ab").add("c").digest() != Digester().add("a").add("bc").digest());
  CHECK(Digester().add("a").add("b").digest() != Digester().add("b").add("a").digest());
  CHECK(Digester().add("a").digest() != Digester().add("a").add("").digest());
  CHECK(Digester().add_number(1).digest() != Digester().add_number(256).digest());
}

}  // namespace ranklint
