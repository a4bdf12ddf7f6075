// What a fixture says about itself, in comments on the lines concerned:
//
//     if dist.get_rank() == 0:
//         dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"
//
//   # expect: [RULE] "FRAGMENT"    a finding of RULE starts on this line; its message holds FRAGMENT
//   # expect-note: "FRAGMENT"      some finding of the case has a related location on this line, saying FRAGMENT
//   # silent: [REASON, ...]       a finding that is only possible starts on this line, for these reasons and no others
//                                 (analyzer/evidence/reasons.cpp, in the order of the table)
//
// The fragment may be left out. A line may carry several, one comment after the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ranklint::test {

struct Expectation {
  enum class Kind { Finding, Note, Silence };
  Kind kind = Kind::Finding;
  std::string path;   // the file of the case it stands in
  uint32_t line = 0;  // from 1, in that file
  std::string rule;   // Silence: the reasons, "takes-turns, met-before"; empty for a note
  std::string fragment;
  friend bool operator==(const Expectation&, const Expectation&) = default;
};

// The expectations of one file, in the order of its lines. What does not read as one goes to `malformed`, as a
// sentence with the line in it.
std::vector<Expectation> parse_expectations(const std::string& path, std::string_view text,
                                            std::vector<std::string>& malformed);

// The line without its expectations and the white space before them.
std::string_view without_expectations(std::string_view line);

// The text's lines, without their ends.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace ranklint::test
