// Which C++ files that mention nothing of a library have to be read all the same: those that name a C++ function of the
// project that communicates.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/ir.h"
#include "analyzer/resolve/models.h"

namespace ranklint {

// Bare names (`sync_all` for `train.sync_all(int)`) of functions that communicate, as far as calls by name show, and of
// classes with a constructor or destructor that does. Grows from round to round and never shrinks.
class CommunicatingNames {
 public:
  explicit CommunicatingNames(const Models& models) : models_(models) {}

  // Takes up what the modules define and call. Returns whether there are new names.
  bool add(std::span<const ir::Module> modules);
  // Whether the text has one of the names as a word.
  bool mentioned_in(std::string_view bytes) const;

 private:
  struct Function {
    std::string name;  // with its scopes and its signature
    std::set<std::string> callees = {};
  };
  bool communicates(const std::string& callee) const;

  const Models& models_;
  std::vector<Function> open_;                    // not known to communicate yet
  std::set<std::string, std::less<>> functions_;  // with their scopes, as calls name them where Clang resolved them
  std::set<std::string, std::less<>> names_;
};

// Whether the text looks as if it defined one of the functions: the name stands before a parenthesis, in a line that
// does not begin with a space.
bool may_define(std::string_view bytes, const std::set<std::string>& functions);

}  // namespace ranklint
