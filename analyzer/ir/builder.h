// Builds one ir::Function in place. Frontends, the parser and tests use it; nothing else is needed to write IR.
//
//   Module m;
//   FunctionBuilder f(m, add_function(m, "<module>", FunctionKind::Module));
//   ExprId rank = f.call(f.attribute(f.name("dist"), "get_rank"), {}, range);   // %0 = call dist.get_rank()
//   BlockId log = f.add_block("log"), done = f.add_block("done");
//   f.branch(f.binary(Operator::Equal, rank, f.integer(0)), log, done, range);
//   f.set_block(log); ...; f.jump(done);
//
// Expressions are made children first, so a child always stands before its parent in the pool. A tree deeper
// than kMaxExpressionDepth becomes Unknown, so that every later stage may recurse over expressions.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/ir/ir.h"

namespace ranklint::ir {

// The part of a qualified name after its last dot outside of angle brackets.
std::string_view last_part(std::string_view qualified_name);

// A new function of the module, without blocks. The name is the last part of the qualified name.
FunctionId add_function(Module& module, std::string_view qualified_name, FunctionKind kind = FunctionKind::Function);

// Leaves a function without what was made of its body so far: it has its name, its place and its parameters' names, and
// returns at once. Functions and classes within it stay.
void forget_body(Module& module, FunctionId id);

// Gives back the room that building the functions kept for more.
void shrink_to_fit(Module& module);

// An argument of a call, before it has a place in the pools.
struct CallArgument {
  ExprId value;
  ArgumentKind kind = ArgumentKind::Positional;
  std::string_view keyword = {};
};

class FunctionBuilder {
 public:
  // Starts with the block ^entry as the current one, unless the function has blocks. The module must outlive
  // the builder; other functions may be added to it meanwhile.
  FunctionBuilder(Module& module, FunctionId id);

  Module& module() { return module_; }
  FunctionId id() const { return id_; }
  Function& function() { return module_.functions[id_]; }
  Symbol symbol(std::string_view text) { return module_.symbols.intern(text); }

  // Expressions.
  ExprId expr(ExprKind kind, std::span<const ExprId> child_ids = {}, std::string_view text = {},
              Operator op = Operator::None, uint32_t definition = 0);
  ExprId expr(ExprKind kind, std::initializer_list<ExprId> children, std::string_view text = {},
              Operator op = Operator::None) {
    return expr(kind, std::span(children.begin(), children.size()), text, op);
  }
  ExprId name(std::string_view text) { return expr(ExprKind::Name, {}, text); }
  ExprId attribute(ExprId base, std::string_view text) { return expr(ExprKind::Attribute, {base}, text); }
  ExprId subscript(ExprId base, ExprId index) { return expr(ExprKind::Subscript, {base, index}); }
  // Invalid parts are absent ones.
  ExprId slice(ExprId lower, ExprId upper, ExprId step);
  ExprId integer(int64_t value);
  ExprId integer_text(std::string_view digits) { return expr(ExprKind::Integer, {}, digits); }
  ExprId floating(std::string_view as_written) { return expr(ExprKind::Float, {}, as_written); }
  ExprId string(std::string_view content) { return expr(ExprKind::String, {}, content); }
  ExprId boolean(bool value) { return expr(value ? ExprKind::True : ExprKind::False); }
  ExprId none() { return expr(ExprKind::None); }
  ExprId unary(Operator op, ExprId operand) { return expr(ExprKind::Unary, {operand}, {}, op); }
  ExprId binary(Operator op, ExprId left, ExprId right) { return expr(ExprKind::Binary, {left, right}, {}, op); }
  ExprId format(std::string_view text, std::span<const ExprId> operands) {
    return expr(ExprKind::Format, operands, text);
  }
  // And, Or, Tuple, List, Set, Dict, ...; And and Or of one operand are that operand.
  ExprId sequence(ExprKind kind, std::span<const ExprId> child_ids);
  ExprId conditional(ExprId condition, ExprId if_true, ExprId if_false) {
    return expr(ExprKind::Conditional, {condition, if_true, if_false});
  }
  ExprId starred(ExprId operand) { return expr(ExprKind::Starred, {operand}); }
  ExprId function_ref(FunctionId f) { return expr(ExprKind::Function, {}, {}, Operator::None, f.index); }
  ExprId class_ref(ClassId c) { return expr(ExprKind::Class, {}, {}, Operator::None, c.index); }
  ExprId unknown(std::string_view what) { return expr(ExprKind::Unknown, {}, what); }
  // The nodes on the longest way down.
  uint32_t depth(ExprId expr) const { return depths_[expr.index]; }
  // A fresh %N.
  ExprId temporary();

  // Blocks. The label is the hint, with a number appended if it is taken. A new block gets the current handler.
  BlockId add_block(std::string_view label_hint);
  void set_block(BlockId block) { current_ = block; }
  BlockId block() const { return current_; }
  void set_handler(BlockId handler) { handler_ = handler; }
  BlockId handler() const { return handler_; }
  // Whether the block has been given a terminator.
  bool terminated(BlockId block) const { return terminated_[block.index]; }
  bool terminated() const { return terminated(current_); }

  // Instructions, appended to the current block. `add` takes any; the others fill one in.
  Instruction& add(Instruction instruction);
  // Makes room in the current block for about `count` more instructions, so that a long block grows once.
  void expect_instructions(size_t count);
  void assign(ExprId target, ExprId value, SourceRange range);
  // Without a target the result is a fresh temporary; returns the target.
  ExprId call(ExprId callee, std::span<const CallArgument> arguments, SourceRange range, ExprId target = {});
  ExprId call(ExprId callee, std::initializer_list<CallArgument> arguments, SourceRange range, ExprId target = {}) {
    return call(callee, std::span(arguments.begin(), arguments.size()), range, target);
  }
  ExprId await(ExprId value, SourceRange range);

  // Terminators of the current block. A second one for the same block is ignored: code after a `return` that
  // opened no block of its own cannot run.
  void terminate(const Terminator& terminator);
  void jump(BlockId to, SourceRange range = {});
  void branch(ExprId condition, BlockId if_true, BlockId if_false, SourceRange range, bool is_loop = false);
  void iterate(ExprId target, ExprId iterable, BlockId body, BlockId end, SourceRange range);
  void return_(ExprId value, SourceRange range);
  void raise(ExprId value, SourceRange range);
  void except(ExprId types, BlockId if_match, BlockId otherwise, SourceRange range);
  void unreachable(SourceRange range = {});

 private:
  Module& module_;
  FunctionId id_;
  BlockId current_;
  BlockId handler_;
  uint32_t next_temporary_ = 0;
  std::vector<bool> terminated_;                      // by block
  std::vector<uint16_t> depths_;                      // by expression
  std::unordered_map<std::string, uint32_t> labels_;  // taken, with the number to try next
};

}  // namespace ranklint::ir
