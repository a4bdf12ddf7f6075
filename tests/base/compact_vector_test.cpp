#include "analyzer/base/compact_vector.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>

namespace ranklint::test {

TEST_CASE("a compact vector has the size of a pointer and holds what is added, in order") {
  CompactVector<std::string> words;
  static_assert(sizeof(words) == sizeof(void*));
  CHECK(words.empty());
  for (int i = 0; i < 20; ++i) words.push_back("a word that is too long for its own place " + std::to_string(i));
  REQUIRE(words.size() == 20);
  CHECK(words.front().ends_with(" 0"));
  CHECK(words.back().ends_with(" 19"));
  CHECK((*words.rbegin()).ends_with(" 19"));
  words.clear();
  CHECK(words.empty());
}

TEST_CASE("a copy of a compact vector is its own, and what was moved from is empty") {
  CompactVector<std::string> words{"one", "two"}, copy = words;
  copy[0] = "three";
  CHECK(words == CompactVector<std::string>{"one", "two"});
  CHECK(copy == CompactVector<std::string>{"three", "two"});
  const CompactVector<std::string> moved = std::move(copy);
  CHECK(copy.empty());  // NOLINT(bugprone-use-after-move): that is what it promises
  CHECK(moved.size() == 2);
  words = words;
  CHECK(words.size() == 2);
}

TEST_CASE("an element of a compact vector can be added to it once more") {
  CompactVector<std::string> words{"a word that is too long for its own place"};
  for (int i = 0; i < 5; ++i) words.push_back(words.front());
  CHECK(words.size() == 6);
  CHECK(words.back() == words.front());
}

TEST_CASE("a compact vector takes elements in between and of other lists") {
  CompactVector<int> numbers{1, 4};
  numbers.insert(numbers.begin() + 1, 3);
  numbers.insert(numbers.begin() + 1, 2);
  numbers.append(std::vector<int>{5, 6});
  numbers.append({});
  CHECK(numbers == CompactVector<int>{1, 2, 3, 4, 5, 6});
  numbers.append(numbers);
  CHECK(numbers.size() == 12);
  CHECK(numbers.back() == 6);
  numbers.resize(2);
  numbers.shrink_to_fit();
  CHECK(numbers.capacity() == 2);
  numbers.resize(3);
  CHECK(numbers == CompactVector<int>{1, 2, 0});
  erase_if(numbers, [](int number) { return number == 2; });
  CHECK(numbers == CompactVector<int>{1, 0});
}

TEST_CASE("a compact vector aligns what it holds, and holds what can only be moved") {
  struct alignas(32) Wide {
    double number = 0;
  };
  CompactVector<Wide> wide;
  for (int i = 0; i < 3; ++i) wide.emplace_back(1.0 * i);
  for (const Wide& w : wide) CHECK(reinterpret_cast<uintptr_t>(&w) % 32 == 0);
  CompactVector<std::unique_ptr<int>> owners;
  owners.push_back(std::make_unique<int>(7));
  owners.push_back(std::make_unique<int>(8));
  CHECK(*owners[0] + *owners[1] == 15);
}

}  // namespace ranklint::test
