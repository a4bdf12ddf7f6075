#include "analyzer/base/word.h"

#include <catch2/catch.hpp>

namespace ranklint {

namespace {

enum class Way { In, Out, Over };

constexpr std::array kWays{Word<Way>{"in", Way::In}, Word<Way>{"out", Way::Out}, Word<Way>{"outwards", Way::Out}};

}  // namespace

TEST_CASE("a table of words is read both ways, and the first word of a meaning is shown") {
  CHECK(text_of(kWays, Way::Out) == "out");
  CHECK(meaning_of(kWays, "outwards") == Way::Out);
  CHECK(texts_of(kWays) == std::array<std::string_view, 3>{"in", "out", "outwards"});
}

TEST_CASE("a word that a table lacks has no meaning, and a meaning that it lacks no word") {
  CHECK_FALSE(meaning_of(kWays, "over"));
  CHECK(text_of(kWays, Way::Over).empty());
}

}  // namespace ranklint
