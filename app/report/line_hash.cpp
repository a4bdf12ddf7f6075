// The hash by which GitHub code scanning recognises an alert's line after the file has changed above it.
//
// It is a rolling hash over UTF-16 units. Spaces and tabs are dropped, every kind of line end is one line feed,
// unit 65535 ends the file and as many zeros follow as the window is wide. A line's hash covers the 100 units
// from its start, so it covers the line itself and what comes after. Equal hashes in a file are numbered.
//
// The window slides by h' = 37 h + new - 37^100 old, all modulo 2^64; a line's hash is ready when its 100th unit
// has come in, so the lines that are still waiting stand in a ring at their starting place.
#include <array>
#include <map>
#include <vector>

#include "app/report/fingerprint.h"
#include "app/report/unicode.h"

namespace ranklint::report {

namespace {

constexpr size_t kWindow = 100;
constexpr uint64_t kFactor = 37;
constexpr uint64_t kEndOfFile = 65535;
constexpr uint64_t kLineFeed = '\n';

constexpr uint64_t power(uint64_t base, size_t exponent) {
  uint64_t result = 1;
  while (exponent-- > 0) result *= base;
  return result;
}
constexpr uint64_t kOldest = power(kFactor, kWindow);

class LineHasher {
 public:
  void add(uint64_t unit) {
    uint64_t& oldest = ring_[at_];
    size_t& line = line_starting_[at_];
    if (line != 0) finish(line), line = 0;
    if (starts_line_) line = ++lines_, starts_line_ = false;
    if (unit == kLineFeed) starts_line_ = true;
    hash_ = kFactor * hash_ + unit - kOldest * oldest;
    oldest = unit;
    at_ = (at_ + 1) % kWindow;
  }

  std::vector<std::string> take() {
    add(kEndOfFile);
    starts_line_ = false;
    for (size_t i = 0; i < kWindow; ++i) add(0);
    return std::move(hashes_);
  }

 private:
  void finish(size_t line) {
    const std::string digits = hex(hash_);
    hashes_.resize(line);
    hashes_[line - 1] = digits + ":" + std::to_string(++seen_[digits]);
  }

  std::array<uint64_t, kWindow> ring_{};
  std::array<size_t, kWindow> line_starting_{};  // the line, from 1, that starts at this place; 0 for none
  size_t at_ = 0;
  size_t lines_ = 0;
  bool starts_line_ = true;
  uint64_t hash_ = 0;
  std::map<std::string, int> seen_;
  std::vector<std::string> hashes_;
};

}  // namespace

std::vector<std::string> line_hashes(std::string_view bytes) {
  LineHasher hasher;
  bool after_return = false;
  while (!bytes.empty()) {
    const Character c = first_character(bytes);
    bytes.remove_prefix(c.bytes);
    const bool second_half = after_return && c.code == '\n';
    after_return = c.code == '\r';
    if (c.code == ' ' || c.code == '\t' || second_half) continue;
    if (c.code == '\r' || c.code == '\n') {
      hasher.add(kLineFeed);
    } else if (c.code > 0xFFFF) {
      hasher.add(0xD800 + ((c.code - 0x10000) >> 10));
      hasher.add(0xDC00 + ((c.code - 0x10000) & 0x3FF));
    } else {
      hasher.add(c.code);
    }
  }
  return hasher.take();
}

}  // namespace ranklint::report
