#include "app/cache/module_packing.h"

#include "analyzer/machine/program.h"
#include "app/cache/packing.h"
#include "app/cache/shared_packing.h"

namespace ranklint::app {

template <>
inline constexpr ir::ExprKind kLast<ir::ExprKind> = ir::ExprKind::Unknown;
template <>
inline constexpr ir::Operator kLast<ir::Operator> = ir::Operator::Invert;
template <>
inline constexpr ir::ArgumentKind kLast<ir::ArgumentKind> = ir::ArgumentKind::DoubleStar;
template <>
inline constexpr ir::InstructionKind kLast<ir::InstructionKind> = ir::InstructionKind::Unknown;
template <>
inline constexpr ir::TerminatorKind kLast<ir::TerminatorKind> = ir::TerminatorKind::Unreachable;
template <>
inline constexpr ir::ParameterKind kLast<ir::ParameterKind> = ir::ParameterKind::DoubleStar;
template <>
inline constexpr ir::FunctionKind kLast<ir::FunctionKind> = ir::FunctionKind::Comprehension;
template <>
inline constexpr ir::Convention kLast<ir::Convention> = ir::Convention::RunsInWorlds;
template <>
inline constexpr machine::Scalar kLast<machine::Scalar> = machine::Scalar::Pointer;
template <>
inline constexpr machine::StepKind kLast<machine::StepKind> = machine::StepKind::Unsupported;

static void fields(auto& archive, Is<ir::Expr> auto& expr) {
  auto& [kind, op, symbol, first_child, child_count] = expr;
  archive(kind, op, symbol, first_child, child_count);
}

static void fields(auto& archive, Is<ir::Argument> auto& argument) {
  auto& [kind, keyword, value] = argument;
  archive(kind, keyword, value);
}

static void fields(auto& archive, Is<ir::Instruction> auto& instruction) {
  auto& [kind, is_async, binds_leaf, unwinds, level, target, value, first_argument, argument_count, symbol, name,
         range] = instruction;
  archive(kind, is_async, binds_leaf, unwinds, level, target, value, first_argument, argument_count, symbol, name,
          range);
}

static void fields(auto& archive, Is<ir::Terminator> auto& terminator) {
  auto& [kind, is_loop, value, target, successors, range] = terminator;
  archive(kind, is_loop, value, target, successors, range);
}

static void fields(auto& archive, Is<ir::Block> auto& block) {
  auto& [label, handler, instructions, terminator] = block;
  archive(label, handler, instructions, terminator);
}

static void fields(auto& archive, Is<ir::Parameter> auto& parameter) {
  auto& [name, kind, default_value, annotation] = parameter;
  archive(name, kind, default_value, annotation);
}

static void fields(auto& archive, Is<ir::Function> auto& function) {
  auto& [name, qualified_name, kind, is_async, is_generator, parent, owner, parameters, return_annotation, decorators,
         globals, nonlocals, blocks, range, name_range, exprs, children, arguments] = function;
  archive(name, qualified_name, kind, is_async, is_generator, parent, owner, parameters, return_annotation, decorators,
          globals, nonlocals, blocks, range, name_range, exprs, children, arguments);
}

static void fields(auto& archive, Is<ir::Class> auto& klass) {
  auto& [name, qualified_name, body, scope, bases, keywords, decorators, methods, range] = klass;
  archive(name, qualified_name, body, scope, bases, keywords, decorators, methods, range);
}

static void fields(auto& archive, Is<ir::Annotation> auto& annotated) {
  auto& [function, target, annotation] = annotated;
  archive(function, target, annotation);
}

static void fields(auto& archive, Is<ir::Start> auto& start) {
  auto& [range, script, words] = start;
  archive(range, script, words);
}

static void fields(auto& archive, Is<ir::Quote> auto& quote) {
  auto& [range, text, is_relation] = quote;
  archive(range, text, is_relation);
}

// Spellings by their numbers, which they get again when they are interned in this order.
static void fields(Packer& packer, const SymbolTable& symbols) {
  std::vector<std::string> texts, temporaries;
  for (uint32_t i = 0; i < symbols.size(); ++i) texts.emplace_back(symbols.text({i}));
  for (const Symbol piece : symbols.pieces_of_temporaries()) temporaries.emplace_back(symbols.text(piece));
  packer(texts, temporaries);
}

static void fields(Unpacker& unpacker, SymbolTable& symbols) {
  std::vector<std::string> texts, temporaries;
  unpacker(texts, temporaries);
  for (const std::string& text : texts) symbols.intern(text);
  for (const std::string& text : temporaries) symbols.intern(text);
}

static void fields(Packer& packer, const ir::Conventions& conventions) {
  std::vector<ir::Convention> all;
  for (uint8_t c = 0; c <= static_cast<uint8_t>(kLast<ir::Convention>); ++c)
    if (conventions.has(ir::Convention{c})) all.push_back(ir::Convention{c});
  packer(all);
}

static void fields(Unpacker& unpacker, ir::Conventions& conventions) {
  std::vector<ir::Convention> all;
  unpacker(all);
  for (const ir::Convention convention : all) conventions.add(convention);
}

static void fields(auto& archive, Is<ir::Module> auto& module) {
  auto& [path, name, language, conventions, symbols, functions, classes, annotations, pragmas, starts, diagnostics,
         quotes, unknown_count, broken, incomplete, met_time_limit] =
      module;  // what is broken or met the limit is not kept
  archive(path, name, language, conventions, symbols, functions, classes, annotations, pragmas, starts, diagnostics,
          quotes, unknown_count, incomplete);
}

static void fields(auto& archive, Is<machine::Step> auto& step) {
  auto& [kind, scalar, detail, place, number] = step;
  archive(kind, scalar, detail, place, number);
}

static void fields(auto& archive, Is<machine::Variable> auto& variable) {
  auto& [name, exported, size_bytes, element, place] = variable;
  archive(name, exported, size_bytes, element, place);
}

static void fields(auto& archive, Is<machine::Function> auto& function) {
  auto& [name, exported, variables, parameter_count, steps, place] = function;
  archive(name, exported, variables, parameter_count, steps, place);
}

static void fields(auto& archive, Is<machine::SourceLocation> auto& place) {
  auto& [file, range] = place;
  archive(file, range);
}

static void fields(auto& archive, Is<machine::Program> auto& program) {
  auto& [unit, files, places, functions, main, main_parameters, globals, texts, externals, is_library] = program;
  archive(unit, files, places, functions, main, main_parameters, globals, texts, externals, is_library);
}

static void fields(auto& archive, Is<LoweredSource> auto& source) {
  auto& [modules, program, broken] = source;  // nothing is kept of what is broken
  archive(modules, program);
}

static void fields(auto& archive, Is<KeptSource> auto& kept) {
  auto& [seen, source] = kept;
  archive(seen, source);
}

std::string pack_source(const KeptSource& kept) { return packed(kept); }

std::optional<KeptSource> unpack_source(std::string_view bytes) { return unpacked<KeptSource>(bytes); }

}  // namespace ranklint::app
