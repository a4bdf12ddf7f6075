// Calls that rules ask for by name, noted while functions are run: a summary keeps only what communicates.
//
// Other calls are not kept, so that a rule about ten functions costs ten entries and not one for every call of
// a project. A name is the last part of the callee's name: "init_process_group" for `dist.init_process_group(...)`,
// under any import; "<collective>" stands for every callee whose model is of that kind, "<binds-device>" for every one
// whose name's last part has that role. An assignment `os.environ[key] = value` to what a library owns is a call of
// `__setitem__`; where "=KEY" is watched for, so is the entry KEY of a dictionary, written as `{"KEY": value}` or as
// `f(KEY=value)`, of `dict.__setitem__`. "^samples-class" stands for the classes of the project that derive from one in
// that role. With "..." before a role, the calls of the project's own functions that lead to it are noted, too.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/summary/summary.h"

namespace ranklint {

struct WatchedCall {
  SourceRange range;
  Call call;
  const Model* model = nullptr;  // of the callee; null: none
};

// Some of them that follow each other.
using WatchedCalls = std::ranges::subrange<std::map<Site, WatchedCall>::const_iterator>;

// Those that lie in the function.
inline WatchedCalls calls_in(const std::map<Site, WatchedCall>& calls, FunctionKey f) {
  const auto first_of = [&](FunctionKey g) { return calls.lower_bound(Site{.function = g, .block = ir::BlockId{0}}); };
  return {first_of(f), first_of(FunctionKey{f.index + 1})};
}

struct Watched {
  std::set<std::string, std::less<>> names;
  std::set<std::string, std::less<>> keys;
  std::vector<Role> of_classes;       // makes objects of what derives from a class in one of these roles
  std::map<Site, WatchedCall> calls;  // Site::part is 0, an instruction calls once; more where entries are noted

  std::vector<Role> led_to;          // to calls in these roles the ways are noted
  std::set<FunctionKey> leading;     // functions that call one, themselves or in what they call
  std::map<Site, WatchedCall> ways;  // their calls of such functions

  bool wants(std::string_view name) const { return names.find(name) != names.end(); }
  bool wants(const Model& model) const;
};

}  // namespace ranklint
