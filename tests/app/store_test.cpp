#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "app/cache/store.h"
#include "tests/app/world.h"

namespace ranklint::test {

namespace fs = std::filesystem;
using app::Store;

namespace {

constexpr Digest kKey{.high = 1, .low = 2}, kOther{.high = 3, .low = 4};

std::vector<std::string> names_in_folder(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("what is put into a store is there for the next run, under its key alone") {
  const TempFolder folder;
  Store(folder.path() + "/cache").put(kKey, "what was found");
  const Store again(folder.path() + "/cache");
  CHECK(again.get(kKey) == "what was found");
  CHECK(again.get(kOther) == std::nullopt);
  again.put(kKey, "");
  CHECK(again.get(kKey) == "");
}

TEST_CASE("a store keeps itself out of git and of backups") {
  const TempFolder folder;
  Store(folder.path() + "/cache").put(kKey, "x");
  CHECK(folder.read("cache/.gitignore") == "# Made by ranklint.\n*\n");
  CHECK(folder.read("cache/CACHEDIR.TAG").starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"));
}

TEST_CASE("an entry of which any byte is another, or the end is missing, is none") {
  const TempFolder folder;
  const Store store(folder.path() + "/cache");
  store.put(kKey, "what was found");
  const std::string name = "cache/" + hex_of(kKey), good = folder.read(name);
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] ^= 1;
    folder.write(name, bad);
    CHECK(store.get(kKey) == std::nullopt);
    folder.write(name, good.substr(0, i));
    CHECK(store.get(kKey) == std::nullopt);
  }
  folder.write(name, good + "x");
  CHECK(store.get(kKey) == std::nullopt);
  folder.write("cache/" + hex_of(kOther), good);
  CHECK(store.get(kOther) == std::nullopt);
  folder.write(name, good);
  CHECK(store.get(kKey) == "what was found");
}

TEST_CASE("a folder that holds anything of somebody else is left alone") {
  const TempFolder folder;
  folder.write("src/train.py", "x = 1\n");
  const Store store(folder.path() + "/src");
  store.put(kKey, "x");
  CHECK(names_in_folder(folder.path() + "/src") == std::vector<std::string>{"train.py"});
  CHECK(store.get(kKey) == std::nullopt);
  CHECK(app::remove_store(folder.path() + "/src", "src").has_value());
  CHECK(folder.read("src/train.py") == "x = 1\n");
}

TEST_CASE("a folder that a process left when it was killed is used all the same") {
  const TempFolder folder;
  folder.write("cache/CACHEDIR.TAG.ranklint-aBcDeF", "Sig");
  const Store store(folder.path() + "/cache");
  store.put(kKey, "x");
  CHECK(store.get(kKey) == "x");
}

TEST_CASE("where a store cannot be made nothing is kept, and nothing fails") {
  const TempFolder folder;
  folder.write("file", "x");
  for (const std::string& place : {folder.path() + "/file", folder.path() + "/none/cache", std::string()}) {
    const Store store(place);
    store.put(kKey, "x");
    CHECK(store.get(kKey) == std::nullopt);
  }
  CHECK(names_in_folder(folder.path()) == std::vector<std::string>{"file"});
}

TEST_CASE("what was used the longest time ago goes first when a store is full") {
  const TempFolder folder;
  const Store store(folder.path() + "/cache", 1000);
  const auto key = [](uint64_t i) { return Digest{.high = 0, .low = i}; };
  const auto age = [&](uint64_t i, int minutes) {
    fs::last_write_time(folder.path() + "/cache/" + hex_of(key(i)),
                        fs::file_time_type::clock::now() - std::chrono::minutes(minutes));
  };
  for (uint64_t i = 0; i < 4; ++i) {
    store.put(key(i), std::string(140, 'x'));
    age(i, 30 - static_cast<int>(i));
  }
  CHECK(store.get(key(0)));  // used now
  store.put(key(4), std::string(140, 'x'));
  store.trim();
  CHECK(store.get(key(0)));
  CHECK_FALSE(store.get(key(1)));
  CHECK(store.get(key(4)));
  store.put(key(5), std::string(2000, 'x'));  // more than fits
  CHECK_FALSE(store.get(key(5)));
  CHECK(store.get(key(4)));
}

TEST_CASE("what is no entry counts for nothing and is not removed, and what was never finished goes") {
  const TempFolder folder;
  const Store store(folder.path() + "/cache", 300);
  store.put(kKey, "x");
  folder.write("cache/notes.txt", std::string(1000, 'x'));
  const std::string begun = "cache/" + hex_of(kOther) + ".ranklint-aBcDeF";
  folder.write(begun, "x");
  fs::last_write_time(folder.path() + "/" + begun, fs::file_time_type::clock::now() - std::chrono::hours(2));
  store.put(kKey, "y");
  store.trim();
  CHECK(store.get(kKey) == "y");
  CHECK(folder.read("cache/notes.txt").size() == 1000);
  CHECK_FALSE(fs::exists(folder.path() + "/" + begun));
}

TEST_CASE("many may read and write a store at once") {
  const TempFolder folder;
  std::vector<std::jthread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      const Store store(folder.path() + "/cache", 3000);
      for (uint64_t i = 0; i < 100; ++i) {
        const Digest key{.high = 0, .low = i % 10};
        const std::string bytes(100 + i % 10, static_cast<char>('a' + i % 10));
        store.put(key, bytes);
        store.trim();
        if (const auto got = store.get(key); got && *got != bytes) ++wrong;
      }
    });
  threads.clear();
  CHECK(wrong == 0);
}

}  // namespace ranklint::test
