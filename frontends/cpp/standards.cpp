#include "frontends/cpp/standards.h"

#include <algorithm>
#include <array>

namespace ranklint::cpp {

namespace {

// What only C++20 and later give a meaning to, and prose does not say. A file that needs a later standard without any
// of it (`concept` and `requires` are words of comments too) is read twice.
constexpr std::array<std::string_view, 21> kLateWords{"co_await",    "co_yield",      "co_return",
                                                      "consteval",   "constinit",     "<=>",
                                                      "<span>",      "<concepts>",    "<ranges>",
                                                      "<format>",    "<expected>",    "<coroutine>",
                                                      "std::span",   "std::jthread",  "std::ranges",
                                                      "std::format", "std::expected", "std::remove_cvref",
                                                      "[[likely]]",  "[[unlikely]]",  "std::source_location"};

bool needs_late_standard(std::string_view bytes) {
  return std::any_of(kLateWords.begin(), kLateWords.end(),
                     [&](std::string_view word) { return bytes.find(word) != std::string_view::npos; });
}

}  // namespace

std::vector<std::string_view> standards_of(std::string_view bytes, bool is_cuda) {
  const std::string_view late = is_cuda ? "-std=gnu++20" : "-std=gnu++23";
  if (needs_late_standard(bytes)) return {late};
  return {"-std=gnu++17", late};
}

}  // namespace ranklint::cpp
