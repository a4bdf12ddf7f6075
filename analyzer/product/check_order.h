// The order in which functions are checked: a function comes after those that it calls, and functions that do not call
// each other may be checked at the same time.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "analyzer/mesh/world.h"
#include "analyzer/summary/query.h"

namespace ranklint {

class CheckOrder {
 public:
  explicit CheckOrder(const Query& query) : in_(query) {}

  // In sequence, callees first. In a cycle of calls the one that was met first comes last. Functions of one `level` may
  // be checked at once: they call only those of lower levels, except for calls back in a cycle.
  struct Entry {
    FunctionKey function;
    uint32_t level = 0;
  };
  // Of the functions that the interpreter is to judge and of those that they lead to, as far as they were not put in
  // order before.
  std::vector<Entry> put_in_order();

  // What the conditions of a function and of those it calls ask of a world. Of one that was put in order.
  const WorldNeeds& needs(FunctionKey f) const;
  // Its known callers.
  const std::set<uint32_t>* callers(FunctionKey f) const;

 private:
  struct Visit;
  void visit(FunctionKey f, std::vector<Entry>& order);
  std::vector<FunctionKey> callees_of(FunctionKey f);
  void note_needs(const Summary& s);

  const Query& in_;
  std::vector<bool> met_;
  std::vector<uint32_t> level_;  // 0: not put in order yet
  std::map<uint32_t, WorldNeeds> needs_;
  std::map<uint32_t, std::set<uint32_t>> callers_;
};

}  // namespace ranklint
