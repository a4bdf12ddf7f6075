// Where a query has its summaries from.
#pragma once

#include <string_view>

#include "analyzer/program/function_range.h"
#include "analyzer/summary/summary.h"
#include "analyzer/summary/watched.h"

namespace ranklint {

class SummarySource {
 public:
  // Made where it is not there yet; null while it is being made (recursion) or when calls nest too deeply.
  virtual const Summary* summary(FunctionKey f) = 0;
  // Null where it is not made to its end.
  virtual const Summary* finished(FunctionKey f) const = 0;
  // The value that a function that is being run has given one of its names, if it does not assign the name again.
  // Invalid: there is none.
  virtual ValueId given_by_now(FunctionKey f, Symbol name) const = 0;
  // The functions to judge.
  virtual FunctionRange functions_to_check() const = 0;
  // Nothing is wanted any more: what is running may end as it likes.
  virtual bool is_stopped() const = 0;
  virtual const Watched& watched() const = 0;
  // A stage of the check begins with a function.
  virtual void begins(std::string_view stage, std::string_view function) const = 0;

 protected:
  ~SummarySource() = default;
};

}  // namespace ranklint
