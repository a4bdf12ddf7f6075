// What distinguishes a finding from every other and stays when lines move.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/report/report.h"

namespace ranklint::report {

// In the order of what was given.
struct Fingerprints {
  std::vector<std::string> findings;
  std::vector<std::string> suppressed;
};

// Our own: 16 hex digits over path, rule, function and fingerprint key, and of findings that agree in all of
// these the how-manieth in the file. Suppressed ones are counted with the others, so that suppressing the first
// leaves the second its fingerprint.
Fingerprints fingerprints(std::span<const Finding> findings, std::span<const SuppressedFinding> suppressed);

// GitHub's primaryLocationLineHash for each line of a file, the first line's first: "1f3a...:1".
std::vector<std::string> line_hashes(std::string_view bytes);

// Lower-case hexadecimal without padding.
std::string hex(uint64_t value);

}  // namespace ranklint::report
