#include "app/report/unicode.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace ranklint::report {

namespace {

struct Interval {
  char32_t first;
  char32_t last;
};

// Condensed from Unicode's EastAsianWidth (W, F) and general categories (Mn, Me, Cf): the blocks that source
// code and comments use. A character that is missed costs an underline one column, nothing more.
constexpr std::array kWide = std::to_array<Interval>({
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},   {0x23F3, 0x23F3},
    {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},   {0x2693, 0x2693},
    {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},
    {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},   {0x26FA, 0x26FA},
    {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},   {0x274C, 0x274C},
    {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27B0, 0x27B0},
    {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x16FE0, 0x18AFF}, {0x1B000, 0x1B2FF}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF},
    {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C},
    {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4},
    {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E},
    {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F},
    {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6DF}, {0x1F6EB, 0x1F6EC},
    {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7EB}, {0x1F7F0, 0x1F7F0}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945},
    {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x2FFFD}, {0x30000, 0x3FFFD},
});

constexpr std::array kZeroWidth = std::to_array<Interval>({
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF},   {0x0610, 0x061A},   {0x064B, 0x065F},
    {0x0670, 0x0670}, {0x06D6, 0x06DC}, {0x0900, 0x0902}, {0x093C, 0x093C},   {0x0941, 0x0948},   {0x094D, 0x094D},
    {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF},   {0x1DC0, 0x1DFF},   {0x200B, 0x200D},
    {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0x1F3FB, 0x1F3FF}, {0xE0100, 0xE01EF},
});

template <size_t N>
bool lies_in(const std::array<Interval, N>& intervals, char32_t code) {
  const auto after = std::upper_bound(intervals.begin(), intervals.end(), code,
                                      [](char32_t value, const Interval& i) { return value < i.first; });
  return after != intervals.begin() && code <= std::prev(after)->last;
}

// Controls, and the marks that turn the direction of the text after them: code must read as it runs.
bool steers_a_terminal(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0x2028 || code == 0x2029 || code == 0xFEFF;
}

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kReplacementBytes = "\xEF\xBF\xBD";

// How many bytes a sequence with this first byte takes, and the least code that may be written so long.
struct Form {
  size_t bytes;
  char32_t least;
  char32_t bits;
};

Form form_of(unsigned char first) {
  if (first < 0x80) return {1, 0, first};
  if (first >= 0xC2 && first < 0xE0) return {2, 0x80, first & 0x1Fu};
  if (first >= 0xE0 && first < 0xF0) return {3, 0x800, first & 0x0Fu};
  if (first >= 0xF0 && first < 0xF5) return {4, 0x10000, first & 0x07u};
  return {0, 0, 0};
}

}  // namespace

Character first_character(std::string_view text) {
  constexpr Character kBroken{kReplacement, 1};
  const Form form = form_of(static_cast<unsigned char>(text[0]));
  if (form.bytes == 0 || form.bytes > text.size()) return kBroken;
  char32_t code = form.bits;
  for (size_t i = 1; i < form.bytes; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80) return kBroken;
    code = code << 6 | (byte & 0x3Fu);
  }
  if (code < form.least || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return kBroken;
  return {code, form.bytes};
}

unsigned display_width(char32_t code) {
  if (code < 0x300 || steers_a_terminal(code)) return 1;
  if (lies_in(kZeroWidth, code)) return 0;
  return lies_in(kWide, code) ? 2 : 1;
}

template <typename Measure>
static size_t sum_over(std::string_view text, Measure measure) {
  size_t sum = 0;
  while (!text.empty()) {
    const Character c = first_character(text);
    sum += measure(c.code);
    text.remove_prefix(c.bytes);
  }
  return sum;
}

unsigned display_width(std::string_view text) {
  return static_cast<unsigned>(sum_over(text, [](char32_t code) { return display_width(code); }));
}

size_t count_code_points(std::string_view text) {
  return sum_over(text, [](char32_t) { return 1; });
}

size_t count_utf16_units(std::string_view text) {
  return sum_over(text, [](char32_t code) { return code > 0xFFFF ? 2 : 1; });
}

std::string printable(char32_t code, std::string_view bytes) {
  return std::string(steers_a_terminal(code) || code == kReplacement ? kReplacementBytes : bytes);
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Character c = first_character(text);
    if (c.code == '\t' || c.code == '\n')
      out += ' ';
    else
      out += printable(c.code, text.substr(0, c.bytes));
    text.remove_prefix(c.bytes);
  }
  return out;
}

}  // namespace ranklint::report
