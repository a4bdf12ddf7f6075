// Which functions read weights from files, and whether every rank does.
//
// `torch.load`, `safe_open` and their kin read; so does a function that calls one that reads, and one that makes an
// object of a class that reads when it is iterated over or queried. A read under a rank condition is of some ranks
// only.
#pragma once

#include <map>

#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint {

class WeightReads {
 public:
  enum class By : uint8_t { Nobody, SomeRanks, EveryRank };

  explicit WeightReads(const Query& query) : in_(query) {}
  // The call at a place of a function, the conditions around it included.
  By of_call(const FunctionCode& code, const Summary& summary, ProgramPoint at);
  By of_function(FunctionKey f);

 private:
  By of_callee(const FunctionCode& code, const Summary& summary, ProgramPoint at);
  By of_class(ClassKey c);

  const Query& in_;
  std::map<FunctionKey, By> known_;
  std::map<ClassKey, By> known_classes_;
  int depth_ = 0;
};

}  // namespace ranklint
