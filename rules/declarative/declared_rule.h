// A rule that is written in JSON: which call it is about, what must hold of its arguments and around it, what it says.
//
// Everything named here has to hold for a call to be reported. docs/declarative-rules.md is the user's page,
// rules/declarative/schema.json the schema.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/resolve/models.h"
#include "rules/rule.h"

namespace ranklint {

// A literal as files write it.
struct Literal {
  enum class Kind { None, Bool, Integer, Text } kind = Kind::None;
  int64_t integer = 0;
  std::string text;  // Text; of a number with a point its digits
};

// What may be asked of an argument by one word.
enum class ValueTest {
  Given,
  Absent,
  None,
  NotNone,
  Constant,
  String,
  Integer,
  Known,
  Unknown,
  RankDependent,
  Local,
  Divergent,
  Uniform,
};

// One argument; all that is set has to hold.
struct ArgumentTest {
  ArgumentSpec argument;
  std::vector<Literal> one_of;       // empty: any
  std::vector<Literal> none_of;      // what is not known to be a literal is none of them only if `is` says so
  std::vector<std::string> matches;  // patterns with `*`, of a string or a name
  std::optional<int64_t> less_than, greater_than;
  std::optional<Literal> default_value;  // what an absent argument means
  std::vector<ValueTest> is;
};

// DivergentChoice: divergent, and the ranks on the other side do not leave the round or the function at once.
enum class GuardTest { RankDependent, Local, Divergent, DivergentChoice, None };

// Where a call stands. Of each list one has to fit.
struct Surroundings {
  std::vector<std::string> function;  // qualified names of functions, patterns
  std::vector<std::string> klass;
  std::vector<std::string> file;
  std::vector<std::string> decorator;
  std::vector<std::string> context;
  std::optional<bool> loop;
  bool empty() const {
    return function.empty() && klass.empty() && file.empty() && decorator.empty() && context.empty() && !loop;
  }
};

// Other calls in the same function, by name.
struct Order {
  std::vector<std::string> after, before;          // one of them runs before on every way; may run afterwards
  std::vector<std::string> not_after, not_before;  // none stands before; none after
  std::vector<std::string> nowhere;                // and none in the whole project
};

struct DeclaredRule {
  std::string id, code, summary, since, message, help, page;
  std::string waits_in;  // the operation in which ranks wait that the others do not reach; empty: no rank waits
  std::string premise;   // what its findings take for granted, RuleInfo::premise
  Severity severity = Severity::Warning;
  Confidence confidence = Confidence::Certain;  // at most
  bool default_on = true;
  std::vector<std::string> needs;  // versions of a library without which it is merely possible, "torch>=2.2"
  std::vector<std::string> calls;  // patterns, see is_call_of
  std::vector<ArgumentTest> arguments;
  std::optional<GuardTest> guard;
  Surroundings inside, outside;
  Order order;
};

// Declared rules and the `Rule`s that stand for them, with one lifetime. The rules' texts are referred to: it does not
// move them, so it is not copied.
class DeclaredRules {
 public:
  DeclaredRules() = default;
  DeclaredRules(const DeclaredRules&) = delete;
  DeclaredRules& operator=(const DeclaredRules&) = delete;
  DeclaredRules(DeclaredRules&&) = default;
  DeclaredRules& operator=(DeclaredRules&&) = default;

  void add(DeclaredRule rule);
  const std::deque<Rule>& rules() const { return rules_; }

 private:
  struct Stored {
    DeclaredRule rule;
    RuleInfo info;
    std::vector<std::string> names;
    std::vector<std::string_view> calls;
  };
  std::deque<Stored> stored_;
  std::deque<Rule> rules_;
};

// The page of a declared rule: as it says itself, else made of its summary, message and help.
std::string declared_page(const DeclaredRule& rule);

// A finding at each call for which everything holds.
std::vector<Finding> find_declared(const RuleInfo& info, const DeclaredRule& rule, const Query& in,
                                   const Shared& shared);

// `*` stands for any characters; everything else for itself.
bool fits_pattern(std::string_view text, std::string_view pattern);

// The words in braces that a message may hold, besides {argument:NAME}.
inline constexpr std::string_view kPlaceholders[] = {"call",  "name", "operation", "function",
                                                     "guard", "axes", "context"};

}  // namespace ranklint
