// A file of testdata/analysis: IR with facts as comments, which the analysis must produce.
//
//     ; check: uniformity, summary          which kinds of facts the file states, all of them
//     ; walk: step on world as 0 and 1      for the kind `walk`: the function, the group, the two ranks
//     ; run: step                           for the kind `execution`: the function, in which every communication counts
//     func step(loss) {                     ; communicates[world]
//     ^entry:
//       rank = call dist.get_rank()         ; varies[world]
//     ;^ another fact of the line above
//
// A comment on a line of code holds facts, separated by `;`; a comment on a line of its own is prose.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "analyzer/ir/ir.h"

namespace ranklint::test {

struct BlockLines {
  uint32_t label = 0;
  std::vector<uint32_t> code;  // of each instruction, then of the terminator
};

struct FunctionLines {
  uint32_t head = 0;
  std::vector<BlockLines> blocks;
};

// Two members of a group, by their numbers in it, that the product walk takes through a function. The same one twice
// stands for two that differ in what they see.
struct Walk {
  uint32_t line = 0;  // of the directive
  std::string function, group;
  uint32_t a = 0, b = 0;
};

// A function that is run in all ways that there are.
struct Run {
  uint32_t line = 0;  // of the directive
  std::string function;
};

struct StatedFact {
  uint32_t line = 0;
  std::string text;
};

struct AnalysisCase {
  std::string path;
  std::string text;
  ir::Module module;                 // the range of each instruction, terminator and function is its line
  std::vector<FunctionLines> lines;  // by ir::FunctionId
  std::set<std::string> kinds;
  std::vector<Walk> walks;
  std::vector<Run> runs;
  std::vector<StatedFact> stated;
};

// Reads a file; a failed test where it is not what is described above.
AnalysisCase read_case(const std::string& path);

// Where the code of a raw line ends: before its comment and the blanks in front of that. 0: there is no code.
size_t end_of_code(std::string_view raw_line);

}  // namespace ranklint::test
