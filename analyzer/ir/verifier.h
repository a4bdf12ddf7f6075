// What the files of the verifier share: where a complaint is filed, and one function's expressions.
//
// The pools come first. Only a function whose pools are sound (all ids in bounds, children before parents, trees
// small) is verified further, so that later checks may walk its trees without a test.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/ir.h"

namespace ranklint::ir {

// The complaints of a module, each with the place where it was filed.
class Complaints {
 public:
  void set_place(std::string place) { place_ = std::move(place); }
  void add(const std::string& message) { messages_.push_back(place_.empty() ? message : place_ + ": " + message); }
  void require(bool condition, const char* message) {
    if (!condition) add(message);
  }
  size_t size() const { return messages_.size(); }
  std::vector<std::string> take() { return std::move(messages_); }

 private:
  std::string place_;
  std::vector<std::string> messages_;
};

// The expressions of one function, once its pools are known to be sound.
class Trees {
 public:
  // Complains about the pools; `sound` says whether the rest may be used.
  Trees(const Module& module, const Function& function, Complaints& complaints);

  bool sound() const { return sound_; }
  bool contains(ExprId id) const { return function_.exprs.contains(id); }
  bool has_call(ExprId id) const { return has_call_[id.index]; }
  bool is_place(ExprId id) const;
  ExprKind kind(ExprId id) const { return function_.exprs[id].kind; }

 private:
  void node(ExprId id, Complaints& complaints);
  void children_of(ExprId id, Complaints& complaints);

  const Module& module_;
  const Function& function_;
  bool sound_ = true;
  std::vector<bool> has_call_;
  std::vector<uint32_t> depth_;
  std::vector<uint64_t> size_;
};

bool is_known_symbol(const Module& module, Symbol symbol);
bool is_absent_or_known(const Module& module, Symbol symbol);
bool is_ordered(const SourceRange& range);  // or unknown, and then all zero

// Which of the items 0..count-1 lead into a circle by `next`; an index out of bounds ends a chain.
template <typename Next>
std::vector<bool> endless_chains(size_t count, Next next) {
  enum : uint8_t { New, OnPath, Ends, Endless };
  std::vector<uint8_t> states(count, New);
  for (uint32_t start = 0; start < count; ++start) {
    uint32_t end = start;
    for (; end < count && states[end] == New; end = next(end)) states[end] = OnPath;
    const bool endless = end < count && states[end] != Ends;
    for (uint32_t i = start; i < count && states[i] == OnPath; i = next(i)) states[i] = endless ? Endless : Ends;
  }
  std::vector<bool> out;
  for (const uint8_t state : states) out.push_back(state == Endless);
  return out;
}

void verify_function(const Module& module, FunctionId id, const Trees& trees, Complaints& complaints);

}  // namespace ranklint::ir
