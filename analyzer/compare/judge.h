// From summaries to facts: every function that communicates, each group it uses, each pair of rank classes.
#pragma once

#include <memory>

#include "analyzer/compare/facts.h"
#include "analyzer/summary/interpreter.h"

namespace ranklint {

// Runs every comparison over the functions that the interpreter is to judge, and collects what it found, in a fixed
// order. It remembers what it learned of them, for callers among those that it is run over next.
class Judgement {
 public:
  // `replays`: each mismatch is to say what every rank does, for a run.
  Judgement(Interpreter& interpreter, bool replays);
  ~Judgement();
  void run(Facts& facts);

 private:
  class Judge;
  std::unique_ptr<Judge> judge_;
};

}  // namespace ranklint
