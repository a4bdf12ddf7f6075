#include "analyzer/ir/builder.h"

#include <algorithm>

namespace ranklint::ir {

std::string_view last_part(std::string_view qualified_name) {
  size_t start = 0;
  int brackets = 0;
  for (size_t i = 0; i < qualified_name.size(); ++i) {
    if (qualified_name[i] == '<') ++brackets;
    if (qualified_name[i] == '>') --brackets;
    if (qualified_name[i] == '.' && brackets == 0) start = i + 1;
  }
  return qualified_name.substr(start);
}

FunctionId add_function(Module& module, std::string_view qualified_name, FunctionKind kind) {
  Function function;
  function.name = module.symbols.intern(last_part(qualified_name));
  function.qualified_name = module.symbols.intern(qualified_name);
  function.kind = kind;
  return module.functions.push_back(std::move(function));
}

void forget_body(Module& module, FunctionId id) {
  Function& f = module.functions[id];
  Function bare{.name = f.name,
                .qualified_name = f.qualified_name,
                .kind = f.kind,
                .is_async = f.is_async,
                .parent = f.parent,
                .owner = f.owner,
                .range = f.range,
                .name_range = f.name_range};
  for (const Parameter& p : f.parameters) bare.parameters.push_back({.name = p.name, .kind = p.kind});
  f = std::move(bare);
  std::erase_if(module.annotations, [&](const Annotation& a) { return a.function == id; });
  for (Class& c : module.classes) {
    if (c.scope != id) continue;
    c.bases.clear();
    c.keywords.clear();
    c.decorators.clear();
  }
  FunctionBuilder(module, id).return_({}, {});
}

void shrink_to_fit(Module& module) {
  for (Function& f : module.functions) {
    f.exprs.shrink_to_fit();
    f.children.shrink_to_fit();
    f.arguments.shrink_to_fit();
    for (Block& block : f.blocks) block.instructions.shrink_to_fit();
    f.blocks.shrink_to_fit();
  }
  module.functions.shrink_to_fit();
}

FunctionBuilder::FunctionBuilder(Module& module, FunctionId id) : module_(module), id_(id) {
  const Function& f = function();
  depths_.assign(f.exprs.size(), 1);
  for (uint32_t e = 0; e < f.exprs.size(); ++e)
    for (const ExprId child : children(f, ExprId{e}))
      depths_[e] = std::max<uint16_t>(depths_[e], static_cast<uint16_t>(depths_[child.index] + 1));
  // Every temporary occurs, so their number is at least the next free one.
  for (const Expr& e : f.exprs)
    next_temporary_ += e.kind == ExprKind::Name && SymbolTable::is_unnamed(module.text(e.symbol));
  for (const Block& block : f.blocks) labels_.emplace(module.text(block.label), 1);
  terminated_.assign(f.blocks.size(), true);
  current_ = f.blocks.empty() ? add_block("entry") : BlockId{0};
}

// Kinds whose symbol says something even when it is empty.
static bool has_symbol(ExprKind kind) {
  return kind == ExprKind::Name || kind == ExprKind::Attribute || kind == ExprKind::Integer ||
         kind == ExprKind::Float || kind == ExprKind::String || kind == ExprKind::Unknown;
}

ExprId FunctionBuilder::expr(ExprKind kind, std::span<const ExprId> child_ids, std::string_view text, Operator op,
                             uint32_t definition) {
  uint16_t depth = 1;
  for (const ExprId child : child_ids)
    depth = std::max<uint16_t>(depth, static_cast<uint16_t>(depths_[child.index] + 1));
  if (depth > kMaxExpressionDepth) return unknown("expression too deep");

  Function& f = function();
  Expr made{.kind = kind, .op = op};
  if (!text.empty() || has_symbol(kind)) made.symbol = symbol(text);
  made.first_child = refers_to_definition(kind) ? definition : static_cast<uint32_t>(f.children.size());
  made.child_count = static_cast<uint32_t>(child_ids.size());
  f.children.append(child_ids);
  depths_.push_back(depth);
  return f.exprs.push_back(made);
}

ExprId FunctionBuilder::slice(ExprId lower, ExprId upper, ExprId step) {
  ExprId parts[] = {lower, upper, step};
  for (ExprId& part : parts)
    if (!part.valid()) part = none();
  return expr(ExprKind::Slice, parts);
}

ExprId FunctionBuilder::integer(int64_t value) { return expr(ExprKind::Integer, {}, std::to_string(value)); }

ExprId FunctionBuilder::sequence(ExprKind kind, std::span<const ExprId> child_ids) {
  const bool logical = kind == ExprKind::And || kind == ExprKind::Or;
  if (logical && child_ids.size() == 1) return child_ids[0];
  return expr(kind, child_ids);
}

ExprId FunctionBuilder::temporary() { return name("%" + std::to_string(next_temporary_++)); }

BlockId FunctionBuilder::add_block(std::string_view label_hint) {
  std::string label(label_hint);
  while (!labels_.emplace(label, 1).second)
    label = std::string(label_hint) + std::to_string(++labels_[std::string(label_hint)]);
  Block block;
  block.label = symbol(label);
  block.handler = handler_;
  terminated_.push_back(false);
  return function().blocks.push_back(std::move(block));
}

Instruction& FunctionBuilder::add(Instruction instruction) {
  return function().blocks[current_].instructions.emplace_back(instruction);
}

void FunctionBuilder::expect_instructions(size_t count) {
  CompactVector<Instruction>& instructions = function().blocks[current_].instructions;
  instructions.reserve(instructions.size() + count);
}

void FunctionBuilder::assign(ExprId target, ExprId value, SourceRange range) {
  add({.kind = InstructionKind::Assign, .target = target, .value = value, .range = range});
}

ExprId FunctionBuilder::call(ExprId callee, std::span<const CallArgument> call_arguments, SourceRange range,
                             ExprId target) {
  if (!target.valid()) target = temporary();
  Function& f = function();
  add({.kind = InstructionKind::Call,
       .target = target,
       .value = callee,
       .first_argument = static_cast<uint32_t>(f.arguments.size()),
       .argument_count = static_cast<uint32_t>(call_arguments.size()),
       .range = range});
  for (const CallArgument& argument : call_arguments) {
    const Symbol keyword = argument.keyword.empty() ? Symbol{} : symbol(argument.keyword);
    f.arguments.push_back({.kind = argument.kind, .keyword = keyword, .value = argument.value});
  }
  return target;
}

ExprId FunctionBuilder::await(ExprId value, SourceRange range) {
  const ExprId target = temporary();
  add({.kind = InstructionKind::Await, .target = target, .value = value, .range = range});
  return target;
}

void FunctionBuilder::terminate(const Terminator& terminator) {
  if (terminated()) return;
  function().blocks[current_].terminator = terminator;
  terminated_[current_.index] = true;
}

void FunctionBuilder::jump(BlockId to, SourceRange range) {
  terminate({.kind = TerminatorKind::Jump, .successors = {to, {}}, .range = range});
}

void FunctionBuilder::branch(ExprId condition, BlockId if_true, BlockId if_false, SourceRange range, bool is_loop) {
  terminate({.kind = TerminatorKind::Branch,
             .is_loop = is_loop,
             .value = condition,
             .successors = {if_true, if_false},
             .range = range});
}

void FunctionBuilder::iterate(ExprId target, ExprId iterable, BlockId body, BlockId end, SourceRange range) {
  terminate({.kind = TerminatorKind::Iterate,
             .is_loop = true,
             .value = iterable,
             .target = target,
             .successors = {body, end},
             .range = range});
}

void FunctionBuilder::return_(ExprId value, SourceRange range) {
  terminate({.kind = TerminatorKind::Return, .value = value, .range = range});
}

void FunctionBuilder::raise(ExprId value, SourceRange range) {
  terminate({.kind = TerminatorKind::Raise, .value = value, .range = range});
}

void FunctionBuilder::except(ExprId types, BlockId if_match, BlockId otherwise, SourceRange range) {
  terminate({.kind = TerminatorKind::Except, .value = types, .successors = {if_match, otherwise}, .range = range});
}

void FunctionBuilder::unreachable(SourceRange range) {
  terminate({.kind = TerminatorKind::Unreachable, .range = range});
}

}  // namespace ranklint::ir
