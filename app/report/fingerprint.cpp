#include "app/report/fingerprint.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace ranklint::report {

namespace {

// FNV-1a over the parts, each ended by a byte that no part holds.
uint64_t hash_of(std::initializer_list<std::string_view> parts) {
  uint64_t hash = 14695981039346656037u;
  const auto add = [&](char c) { hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u; };
  for (const std::string_view part : parts) {
    for (const char c : part) add(c);
    add('\0');
  }
  return hash;
}

struct Slot {
  const Finding* finding;
  std::string* fingerprint;
  size_t given;  // its place among all that were given, where two have the same range
};

}  // namespace

std::string hex(uint64_t value) {
  std::string digits;
  for (; value != 0; value >>= 4) digits.insert(digits.begin(), "0123456789abcdef"[value & 15]);
  return digits.empty() ? "0" : digits;
}

Fingerprints fingerprints(std::span<const Finding> findings, std::span<const SuppressedFinding> suppressed) {
  Fingerprints out{std::vector<std::string>(findings.size()), std::vector<std::string>(suppressed.size())};
  std::vector<Slot> slots;
  for (size_t i = 0; i < findings.size(); ++i) slots.push_back({&findings[i], &out.findings[i], slots.size()});
  for (size_t i = 0; i < suppressed.size(); ++i)
    slots.push_back({&suppressed[i].finding, &out.suppressed[i], slots.size()});
  std::sort(slots.begin(), slots.end(), [](const Slot& a, const Slot& b) {
    return std::tie(a.finding->primary.path, a.finding->primary.range, a.given) <
           std::tie(b.finding->primary.path, b.finding->primary.range, b.given);
  });

  std::map<uint64_t, int> seen;
  for (const Slot& slot : slots) {
    const Finding& f = *slot.finding;
    const uint64_t what = hash_of({f.primary.path, f.rule, f.function, f.fingerprint_key});
    const std::string digits = hex(hash_of({hex(what), std::to_string(++seen[what])}));
    *slot.fingerprint = std::string(16 - digits.size(), '0') + digits;
  }
  return out;
}

}  // namespace ranklint::report
