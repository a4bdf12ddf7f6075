// Two texts as a unified diff, after E. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).
//
// A script from `before` to `after` is a path through a grid, right for a line that goes and down for one that comes;
// lines that are the same are free diagonals. Round d keeps, for each diagonal k, how far one gets with d lines gone or
// come. What the rounds kept, walked backwards, is the script. Equal lines at both ends are taken off first, so that
// the grid is as small as the change.
#include <algorithm>

#include "app/fix/edit.h"

namespace ranklint::app {

namespace {

constexpr size_t kContext = 3;
// A change of more lines than this is shown as one block: the rounds take its square in memory.
constexpr size_t kMostChanges = 2000;

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

// One line of the script: gone, come or kept.
struct Step {
  char sign;
  std::string_view line;
};

std::vector<Step> whole(const Lines& a, const Lines& b) {
  std::vector<Step> steps;
  for (const std::string_view line : a) steps.push_back({'-', line});
  for (const std::string_view line : b) steps.push_back({'+', line});
  return steps;
}

class Script {
 public:
  Script(const Lines& a, const Lines& b)
      : a_(a), b_(b), most_(static_cast<long>(std::min(a.size() + b.size(), kMostChanges))) {}

  std::vector<Step> steps() {
    std::vector<long> furthest(2 * static_cast<size_t>(most_) + 3, 0);
    for (long d = 0; d <= most_; ++d) {
      rounds_.push_back(furthest);
      for (long k = -d; k <= d; k += 2)
        if (advance(furthest, d, k)) return walk_back(d);
    }
    return whole(a_, b_);
  }

 private:
  long& at(std::vector<long>& furthest, long k) const { return furthest[static_cast<size_t>(k + most_ + 1)]; }
  bool goes_down(std::vector<long>& furthest, long d, long k) const {
    return k == -d || (k != d && at(furthest, k - 1) < at(furthest, k + 1));
  }

  // Goes on along diagonal k; whether both texts have come to their end.
  bool advance(std::vector<long>& furthest, long d, long k) {
    const auto [a_size, b_size] = sizes();
    long x = goes_down(furthest, d, k) ? at(furthest, k + 1) : at(furthest, k - 1) + 1;
    while (x < a_size && x - k < b_size && a_[static_cast<size_t>(x)] == b_[static_cast<size_t>(x - k)]) ++x;
    at(furthest, k) = x;
    return x >= a_size && x - k >= b_size;
  }

  std::vector<Step> walk_back(long d) {
    auto [x, y] = sizes();
    std::vector<Step> steps;
    const auto keep_until = [&](long from) {
      for (; x > from; --x, --y) steps.push_back({' ', a_[static_cast<size_t>(x - 1)]});
    };
    for (; d > 0; --d) {
      std::vector<long>& before = rounds_[static_cast<size_t>(d)];
      const long k = x - y;
      const bool down = goes_down(before, d, k);
      const long from = down ? at(before, k + 1) : at(before, k - 1);
      keep_until(down ? from : from + 1);
      steps.push_back(down ? Step{'+', b_[static_cast<size_t>(y - 1)]} : Step{'-', a_[static_cast<size_t>(x - 1)]});
      down ? --y : --x;
    }
    keep_until(0);
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  std::pair<long, long> sizes() const { return {static_cast<long>(a_.size()), static_cast<long>(b_.size())}; }

  const Lines& a_;
  const Lines& b_;
  long most_;
  std::vector<std::vector<long>> rounds_;  // what was known before each
};

std::vector<Step> script_of(Lines a, Lines b) {
  const auto first = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const Lines head(a.begin(), first.first);
  a.erase(a.begin(), first.first);
  b.erase(b.begin(), first.second);
  const auto last = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  const Lines tail(last.first.base(), a.end());
  a.erase(last.first.base(), a.end());
  b.erase(last.second.base(), b.end());

  std::vector<Step> steps;
  for (const std::string_view line : head) steps.push_back({' ', line});
  for (const Step& step : Script(a, b).steps()) steps.push_back(step);
  for (const std::string_view line : tail) steps.push_back({' ', line});
  return steps;
}

std::string place(size_t begin, size_t count) {
  return std::to_string(count == 0 ? begin : begin + 1) + (count == 1 ? "" : "," + std::to_string(count));
}

// The steps [begin, end) as a hunk; `a` and `b` count the lines before it.
std::string hunk(const std::vector<Step>& steps, size_t begin, size_t end, size_t a, size_t b) {
  std::string body;
  size_t gone = 0, come = 0;
  for (size_t i = begin; i < end; ++i) {
    const Step& step = steps[i];
    if (step.sign != '+') ++gone;
    if (step.sign != '-') ++come;
    body.append(1, step.sign).append(step.line);
    if (!step.line.ends_with('\n')) body += "\n\\ No newline at end of file\n";
  }
  return "@@ -" + place(a, gone) + " +" + place(b, come) + " @@\n" + body;
}

}  // namespace

std::string unified_diff(const std::string& path, std::string_view before, std::string_view after) {
  if (before == after) return "";
  const std::vector<Step> steps = script_of(lines_of(before), lines_of(after));
  std::string out = "--- " + path + "\n+++ " + path + "\n";
  size_t a = 0, b = 0, at = 0;  // lines of each text before `at`
  const auto pass = [&](size_t until) {
    for (; at < until; ++at) {
      a += steps[at].sign != '+';
      b += steps[at].sign != '-';
    }
  };
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].sign == ' ') continue;
    size_t last = i;  // the last change that is near enough to be shown with this one
    for (size_t j = i; j < steps.size() && j <= last + 2 * kContext + 1; ++j)
      if (steps[j].sign != ' ') last = j;
    pass(std::max(at, i < kContext ? 0 : i - kContext));
    const size_t end = std::min(last + kContext + 1, steps.size());
    out += hunk(steps, at, end, a, b);
    pass(end);
    i = last;
  }
  return out;
}

}  // namespace ranklint::app
