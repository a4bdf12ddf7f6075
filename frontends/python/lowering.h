// Syntax -> IR: what the files of the lowering share.
//
// A Scope is one function being lowered: its builder, and what surrounds the place that is lowered. A lowering
// function appends to the scope's current block and leaves the block after it as the current one. Expressions that
// call, await, yield, bind a name or loop come out as instructions whose result is a temporary; all others come out
// as a tree. Dead code is dropped: nothing is lowered while the current block is terminated.
//
//   expressions.cpp    operators, displays, chains      definitions.cpp    functions, lambdas, classes
//   conditions.cpp     short circuits, branches         comprehensions.cpp loops that make a value
//   calls.cpp          calls, await, yield              assignments.cpp    targets, annotations, del
//   statements.cpp     simple statements, dispatch      loops.cpp, with.cpp, try.cpp, match.cpp, imports.cpp
//   control.cpp        blocks, leaving regions          literals.cpp       strings and numbers
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/base/stack_room.h"
#include "analyzer/ir/builder.h"
#include "frontends/python/frontend.h"
#include "frontends/python/syntax.h"

namespace ranklint::python {

// What the functions of one file share.
struct FileContext {
  const SyntaxTree& tree;
  ir::Module& module;
  uint32_t depth = 0;       // of the recursion over nested syntax
  size_t copied_nodes = 0;  // lowered again because a `finally` stands on several paths
  // Definitions that have been lowered, by syntax node: a copy of a `finally` refers to the same function.
  std::unordered_map<uint32_t, ir::FunctionId> functions = {};
  std::unordered_map<uint32_t, ir::ClassId> classes = {};
  const LoweringProbe* probe = nullptr;
};

// A block that is made when something first jumps to it.
struct Label {
  std::string_view hint;
  ir::BlockId block = {};
};

// What control has to do when it leaves a region early.
struct Region {
  enum class Kind : uint8_t { Loop, With, Finally };
  Kind kind = Kind::Loop;
  ir::BlockId outer_handler = {};  // in force around the region
  Label* break_target = nullptr;   // Loop
  Label* continue_target = nullptr;
  ir::Instruction exit = {};  // With
  NodeId finally_body = {};   // Finally
};

struct Scope {
  FileContext& file;
  ir::FunctionBuilder ir;
  std::string prefix;                   // of the qualified names inside: "", "Trainer.", "outer."
  ir::FunctionId closure_parent = {};   // what functions defined here name as their parent
  ir::ClassId owner = {};               // of functions defined here: the class, in a class body
  bool as_tree = false;                 // no block evaluates this: decorators, defaults, annotations
  std::vector<Region> regions = {};     // innermost last
  std::vector<ir::BlockId> order = {};  // blocks as they were placed
  std::vector<std::pair<std::string, std::string>> renames = {};  // variables of comprehensions around here
  uint32_t rename_count = 0;

  const SyntaxTree& tree() const { return file.tree; }
  const Node& node(NodeId id) const { return file.tree[id]; }
  SourceRange range(NodeId id) const { return file.tree.range(id); }
  bool reachable() const { return !ir.terminated(); }
};

// Counts a level of nesting while it lives. Beyond the limit nothing is lowered any more.
class Nesting {
 public:
  explicit Nesting(Scope& scope) : file_(scope.file) {
    require_stack_room();
    ++file_.depth;
  }
  ~Nesting() { --file_.depth; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  bool too_deep() const { return file_.depth > kMaxDepth; }

 private:
  static constexpr uint32_t kMaxDepth = 150;
  FileContext& file_;
};

// Diagnostics and places.
void diagnose(Scope& s, NodeId n, std::string message);
ir::ExprId unknown_expression(Scope& s, NodeId n, std::string_view what);
void unknown_statement(Scope& s, NodeId n, std::string_view what, ir::ExprId value = {});
SourceRange span(const SourceRange& first, const SourceRange& last);
std::string clean_text(std::string_view text);  // with U+FFFD for what is not UTF-8

// Control flow (control.cpp).
ir::BlockId block_of(Scope& s, Label& label);
void jump(Scope& s, Label& label, SourceRange range = {});
void branch(Scope& s, ir::ExprId condition, Label& if_true, Label& if_false, SourceRange range, bool is_loop = false);
// Goes on in the label's block, entered from here too. Nothing is reachable after it if nothing jumps to it.
void place(Scope& s, Label& label);
// A block that exceptions of a region go to; it exists from the start.
ir::BlockId handler_block(Scope& s, std::string_view hint);
void place_handler(Scope& s, ir::BlockId block);
// Changes where exceptions go from here on.
void set_handler(Scope& s, ir::BlockId handler, std::string_view hint);
// Runs what leaving all regions but the first `keep` runs: `with` exits, `finally` bodies.
void leave_regions(Scope& s, size_t keep);
// A `finally` body on one more of its paths.
void lower_copy(Scope& s, NodeId body);
void finish_function(Scope& s, SourceRange end);

// Expressions.
ir::ExprId lower_expression(Scope& s, NodeId n);
ir::ExprId lower_element(Scope& s, NodeId n);  // of a display or a tuple: may be starred
ir::ExprId lower_symbol(Scope& s, NodeId n);
ir::ExprId lower_sequence(Scope& s, NodeId n, ir::ExprKind kind);
ir::ExprId lower_tuple(Scope& s, const std::vector<NodeId>& items);
ir::ExprId lower_tree(Scope& s, NodeId n);  // an expression that no block evaluates
NodeId unwrap(const SyntaxTree& tree, NodeId n);
ir::ExprId spill(Scope& s, ir::ExprId value, SourceRange range);
ir::ExprId spill_unless_simple(Scope& s, ir::ExprId value, SourceRange range);
bool is_place_or_literal(const Scope& s, ir::ExprId e);
ir::Operator operator_of(Kind token);
ir::ExprId lower_string(Scope& s, NodeId n);
ir::ExprId lower_number(Scope& s, NodeId n);

// Conditions.
ir::ExprId lower_boolean(Scope& s, NodeId n);
ir::ExprId lower_comparison(Scope& s, NodeId n);
ir::ExprId lower_conditional(Scope& s, NodeId n);
void lower_condition(Scope& s, NodeId n, Label& if_true, Label& if_false, bool is_loop = false);

// Calls; the target is where the result goes, a temporary if it is invalid.
bool is_call(const Scope& s, NodeId n);
ir::ExprId lower_call(Scope& s, NodeId n, ir::ExprId callee, ir::ExprId target = {});
void lower_arguments(Scope& s, NodeId list, std::vector<ir::CallArgument>& out);
ir::ExprId lower_await(Scope& s, NodeId n, ir::ExprId target = {});
ir::ExprId lower_yield(Scope& s, NodeId n, ir::ExprId target = {});
ir::ExprId fresh_unless(Scope& s, ir::ExprId target);

ir::ExprId lower_comprehension(Scope& s, NodeId n);
ir::ExprId lower_generator(Scope& s, NodeId n);

// Definitions.
ir::ExprId lower_lambda(Scope& s, NodeId n);
void lower_function_definition(Scope& s, NodeId n, const std::vector<NodeId>& decorators);
void lower_class_definition(Scope& s, NodeId n, const std::vector<NodeId>& decorators);
void lower_decorated(Scope& s, NodeId n);

// Assignments.
ir::ExprId lower_target(Scope& s, NodeId n);
void assign(Scope& s, NodeId target, ir::ExprId value, SourceRange range);
void lower_into(Scope& s, ir::ExprId target, NodeId value, SourceRange range);
void lower_assignment(Scope& s, NodeId n);
void lower_augmented_assignment(Scope& s, NodeId n);
void lower_delete(Scope& s, NodeId n);

// Statements.
void lower_block(Scope& s, NodeId n);
void lower_statement(Scope& s, NodeId n);
void lower_errors_of(Scope& s, NodeId n);
void lower_effect(Scope& s, NodeId n);
void lower_if(Scope& s, NodeId n);
void lower_while(Scope& s, NodeId n);
void lower_for(Scope& s, NodeId n);
void lower_with(Scope& s, NodeId n);
ir::Instruction unwound(ir::Instruction exit);
void lower_try(Scope& s, NodeId n);
// The classes that a call of `contextlib.suppress` is given.
std::vector<NodeId> suppressed_by(const SyntaxTree& tree, NodeId call);
// The handler of what such a call opens: it takes those classes, and goes on at `after`.
void lower_suppressed(Scope& s, NodeId call, ir::BlockId dispatch, Label& after);
void lower_raise(Scope& s, NodeId n);
void lower_break(Scope& s, NodeId n);
void lower_continue(Scope& s, NodeId n);
void lower_match(Scope& s, NodeId n);
void lower_import(Scope& s, NodeId n);

}  // namespace ranklint::python
