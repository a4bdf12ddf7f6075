#include "analyzer/questions/identifier_words.h"

#include <algorithm>
#include <initializer_list>

namespace ranklint {
namespace {

constexpr int kDeepestCallWords = 3;

bool has_any(std::string_view words, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return words.find(part) != words.npos; });
}

void append(std::string& words, std::string_view name) {
  words += ' ';
  for (char c : name) words += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  words += ' ';
}

void append_words(const FunctionCode& code, ir::ExprId e, ProgramPoint at, int depth, std::string& words);

// Of what gave the variable its value.
void append_source(const FunctionCode& code, Symbol variable, ProgramPoint at, int depth, std::string& words) {
  for (const Definition& d : code.reaching(variable, at).definitions) {
    if (!d.instruction) continue;
    append_words(code, d.instruction->value, d.place, depth, words);
    for (const ir::Argument& a : ir::arguments(code.ir, *d.instruction))
      append_words(code, a.value, d.place, depth, words);
  }
}

void append_words(const FunctionCode& code, ir::ExprId e, ProgramPoint at, int depth, std::string& words) {
  if (!e.valid()) return;
  const ir::Expr& expr = code.ir.exprs[e];
  for (ir::ExprId child : ir::children(code.ir, e)) append_words(code, child, at, depth, words);
  if (expr.kind == ir::ExprKind::Attribute) append(words, code.text.text(expr.symbol));
  if (expr.kind != ir::ExprKind::Name) return;
  const std::string_view name = code.text.text(expr.symbol);
  if (!SymbolTable::is_unnamed(name)) return append(words, name);
  if (depth < kDeepestCallWords) append_source(code, expr.symbol, at, depth + 1, words);
}

}  // namespace

std::string identifier_words(const FunctionCode& code, ir::ExprId e, ProgramPoint at, int depth) {
  std::string words;
  append_words(code, e, at, depth, words);
  return words;
}

std::string identifier_words_with_source(const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  std::string words = identifier_words(code, e, at);
  if (!code.name(e).empty()) append_source(code, code.ir.exprs[e].symbol, at, 0, words);
  return words;
}

bool name_suggests_world_size(std::string_view words) {
  return has_any(words, {"world_size", "num_ranks", "num_gpus", "nranks", "num_processes"});
}

bool name_suggests_sequence_size(std::string_view words) {
  if (has_any(words, {"tensor_model_parallel", "tensor_parallel", " tp_", "_tp_", "pipeline"})) return false;
  return name_suggests_world_size(words) ||
         has_any(words, {" sp_size", "_sp_size", " sp_degree", "sp_world", "cp_size", "cp_world", "cp_degree",
                         "ulysses", "sequence_parallel", "context_parallel", "seq_parallel", "ring_degree"});
}

bool name_suggests_degree(std::string_view words) {
  return name_suggests_sequence_size(words) ||
         has_any(words, {"tp_size", "pp_size", "ep_size", "dp_size", "tp_degree", "pp_degree", "parallel_size",
                         "parallel_degree", "model_parallel", "tensor_parallel", "pipeline_parallel"});
}

bool name_suggests_heads(std::string_view words) { return has_any(words, {"head"}); }
bool name_suggests_rank(std::string_view words) { return has_any(words, {"rank"}); }
bool name_suggests_padding(std::string_view words) { return has_any(words, {"pad", "new_zeros", "zeros", "new_full"}); }

}  // namespace ranklint
