// The calls that rules look for, in a form that a rule can read: the callee, the values, the conditions.
//
// A rule names the calls it is about (Rule::calls); they are noted while functions are run (analyzer/summary/watched.h)
// and written down here, each with what is known of its arguments and with the conditions that hold wherever it runs.
// Nothing of this refers to the query's terms, so that it outlives them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/questions/seen_value.h"
#include "analyzer/resolve/models.h"
#include "analyzer/summary/summary.h"

namespace ranklint {

struct SeenArgument {
  int position = -1;  // -1: by keyword
  std::string keyword;
  SeenValue value;
};

// A condition that decided, one way, before the call is reached.
struct SeenGuard {
  SourceRange range;
  SeenValue condition;
  bool holds = true;              // the side of it on which the call lies
  bool is_loop = false;           // `for` and `while`: it lies in the loop
  bool tests_last_round = false;  // `i < n - 1` in a loop: as the loop itself, it says how often, and not which ranks
  bool others_leave = false;  // the other side ends in `continue`, `break` or `return`, and communicates nothing before
  bool asks_set_up = false;   // whether ranks are set up already
  // The side of such a question on which they are not: over, in the runs that matter, before anything else happens.
  bool before_set_up = false;
};

struct CallSite {
  FunctionKey function;
  ir::BlockId block;
  uint32_t instruction = 0;
  SourceRange range;
  std::string callee;            // "torch.distributed.barrier"; of an object nothing is known about "model.step"
  const Model* model = nullptr;  // null: none
  Assurance certainty = Confidence::Certain;  // Likely: only a name on an object nothing is known about
  CompactVector<SeenArgument> arguments;
  bool open_ended = false;              // `*args` or `**kwargs` may bring more
  CompactVector<SeenGuard> guards;      // outermost first
  CompactVector<std::string> contexts;  // `with` around it, outermost first: "torch.no_grad"
  FlowGraph::Dominated dominated;       // the blocks that no way reaches past this one; none: no way leads here

  // The value given for an argument; null when none is given.
  const SeenValue* argument(const ArgumentSpec& spec) const;
  bool in_loop() const;
  bool is(ModelKind kind) const { return model && model->kind == kind; }
  std::string_view model_name() const { return model ? std::string_view(model->name) : std::string_view(); }
  std::string_view op() const { return model ? std::string_view(model->op) : std::string_view(); }
};

class CallBook {
 public:
  CallBook() = default;
  CallBook(std::vector<CallSite> calls, std::vector<CallSite> setup)
      : calls_(std::move(calls)), setup_(std::move(setup)) {}

  // By function, then in the order in which they stand.
  const std::vector<CallSite>& all() const { return calls_; }
  // Those in one function, and all, function by function: what stands in one function is asked of its calls alone.
  std::span<const CallSite> in(FunctionKey function) const;
  std::vector<std::span<const CallSite>> by_function() const;
  // Those under `if not is_initialized()`, which are not among the others: a rule about the start of a program asks for
  // them.
  const std::vector<CallSite>& in_setup() const { return setup_; }

 private:
  std::vector<CallSite> calls_, setup_;
};

// Whether the call's qualified name, or that of its model, matches the pattern: a whole name, "*.name" for any
// that ends so, "?.name" for a method or attribute of this name on any object, "<collective>" for a call whose model is
// of this kind.
bool is_call_of(const CallSite& call, std::string_view pattern);

// The role of the function that is called, by its qualified name or by that of its model. Null: it does not play it.
const RoleEntry* role_of(const Roles& roles, const CallSite& call, Role role);

// Whether every way to `second`, in the same function, has run `first` before.
bool runs_before(const CallSite& first, const CallSite& second);

class Query;
CallBook collect_calls(const Query& query);

}  // namespace ranklint
