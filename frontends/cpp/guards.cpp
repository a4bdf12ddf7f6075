#include "frontends/cpp/guards.h"

#include <algorithm>
#include <array>

#include "frontends/cpp/trimmed.h"

namespace ranklint::cpp {

namespace {

constexpr std::array<std::string_view, 8> kCommon{"USE_MPI",    "HAVE_MPI",  "DO_MPI",   "WITH_MPI",
                                                  "ENABLE_MPI", "MULTI_GPU", "USE_NCCL", "HAVE_NCCL"};

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word) || (text.size() > word.size() && is_word(text[word.size()]))) return false;
  text = trimmed(text.substr(word.size()));
  return true;
}

// The macro that a condition asks to be set: `#ifdef X`, `#if X`, `#if defined(X)`, each alone. Empty: another
// condition.
std::string_view asked_for(std::string_view condition) {
  const bool defined = take(condition, "defined");
  if (defined && condition.starts_with('(') && condition.ends_with(')'))
    condition = trimmed(condition.substr(1, condition.size() - 2));
  if (condition.empty() || (condition[0] >= '0' && condition[0] <= '9')) return {};
  return std::all_of(condition.begin(), condition.end(), is_word) ? condition : std::string_view();
}

bool includes_communication(std::string_view rest) {
  return rest.find("mpi.h") != std::string_view::npos || rest.find("nccl.h") != std::string_view::npos;
}

}  // namespace

std::vector<std::string> communication_macros(std::string_view bytes) {
  std::vector<std::string> macros;
  const auto add = [&](std::string_view name) {
    if (!name.empty() && std::find(macros.begin(), macros.end(), name) == macros.end()) macros.emplace_back(name);
  };
  for (const std::string_view name : kCommon) add(name);
  std::vector<std::string_view> around;  // conditions that the line stands under
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = trimmed(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (!line.starts_with('#')) continue;
    line = trimmed(line.substr(1));
    if (take(line, "ifdef") || take(line, "if"))
      around.push_back(asked_for(line));
    else if (take(line, "ifndef"))
      around.emplace_back();
    else if ((take(line, "else") || take(line, "elif")) && !around.empty())
      around.back() = {};
    else if (take(line, "endif") && !around.empty())
      around.pop_back();
    else if (take(line, "include") && includes_communication(line))
      for (const std::string_view name : around) add(name);
  }
  return macros;
}

}  // namespace ranklint::cpp
