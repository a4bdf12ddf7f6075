// What the analysis finds out about a case, as facts on the lines of its text. A file per kind of facts.
#pragma once

#include <string>
#include <vector>

#include "analyzer/interp/interpreter.h"
#include "tests/analysis/case.h"

namespace ranklint::test {

struct Fact {
  uint32_t line = 0;
  std::string text;
  bool is_default = false;  // may be stated and need not be: a value is uniform
};

// A case that has been analysed.
struct Subject {
  const AnalysisCase& file;
  const Query& in;

  const FunctionLines& lines(FunctionKey f) const { return file.lines[f.index]; }  // there is one module
};

// uniform · varies[world] · local[clock], of a target, a condition or a returned value.
void add_uniformity(const Subject& subject, std::vector<Fact>& facts);
// communicates[world] · transfers · diverges[tp] · returns X · changes X = Y · raises by rank, of a function;
// issues all_reduce[world] · calls f if X · sends · receives · waits · hands over · ends the process · tears down ·
// raises, of a line.
void add_summaries(const Subject& subject, std::vector<Fact>& facts);
// under X · ranks[world] rank 0, of a block; always true · always false · asks X, of a branch.
void add_path_conditions(const Subject& subject, std::vector<Fact>& facts);
// diverge · converge · both issue X · rank 0 issues X · both call X · they disagree: 0, 1 · rank 0 waits in X knowing
// Y · rank 1 ends by return.
void add_walks(const Subject& subject, std::vector<Fact>& facts);
// rank 0 waits in barrier, likely · they disagree in broadcast: 0, 1, possible: takes-turns, of what parts them.
void add_divergences(Query& query, std::vector<Fact>& facts);
// the others wait in barrier on line 7 · who fails waits in barrier on line 9, of a call that fails on one rank; left
// alone, the others wait in barrier on line 7, of a branch that one rank leaves by raising.
void add_failures(const Subject& subject, std::vector<Fact>& facts);
// issues all_reduce · enters f · hands over · tears down · leaves · asks · goes over ^join · returns · raises to
// ^except · raises out · never returns: what a rank does next at each position that some choice leads to.
void add_execution(const Subject& subject, std::vector<Fact>& facts);
// rank 0 waits to receive from rank 1 of 2.
void add_messages(const Subject& subject, std::vector<Fact>& facts);

// A term, whole: unlike what messages show, it leaves nothing out.
std::string term_text(const Query& query, ValueId term);

}  // namespace ranklint::test
