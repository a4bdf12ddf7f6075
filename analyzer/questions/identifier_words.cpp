#include "analyzer/questions/identifier_words.h"

#include <algorithm>

namespace ranklint {
namespace {

constexpr int kDeepestCallWords = 3;

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

bool any_suggests(const NamePriors& priors, std::string_view words, NameMeaning meaning) {
  for (size_t begin = words.find_first_not_of(' '); begin < words.size(); begin = words.find_first_not_of(' ', begin)) {
    const size_t end = std::min(words.find(' ', begin), words.size());
    if (priors.suggest(words.substr(begin, end - begin), meaning)) return true;
    begin = end;
  }
  return false;
}

bool name_suggests_sequence_size(const NamePriors& priors, std::string_view words) {
  return !any_suggests(priors, words, NameMeaning::ModelDegree) &&
         (any_suggests(priors, words, NameMeaning::WorldDegree) ||
          any_suggests(priors, words, NameMeaning::SequenceDegree));
}

bool name_suggests_degree(const NamePriors& priors, std::string_view words) {
  return name_suggests_sequence_size(priors, words) || any_suggests(priors, words, NameMeaning::Degree);
}

}  // namespace ranklint
