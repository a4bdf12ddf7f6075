#include "frontends/python/syntax.h"

#include <algorithm>
#include <utility>

#include "frontends/python/reading.h"
#include "frontends/python/sections.h"

namespace ranklint::python {

NodeId SyntaxTree::child(NodeId id, Field field) const {
  for (const NodeId c : children(id))
    if ((*this)[c].field == field) return c;
  return {};
}

NodeId SyntaxTree::child(NodeId id, Kind kind) const {
  for (const NodeId c : children(id))
    if ((*this)[c].kind == kind) return c;
  return {};
}

NodeId SyntaxTree::first(NodeId id) const {
  for (const NodeId c : children(id))
    if (!is_token((*this)[c].kind)) return c;
  return {};
}

std::vector<NodeId> SyntaxTree::named(NodeId id) const {
  std::vector<NodeId> found;
  for (const NodeId c : children(id))
    if (!is_token((*this)[c].kind)) found.push_back(c);
  return found;
}

std::vector<NodeId> SyntaxTree::named(NodeId id, Field field) const {
  std::vector<NodeId> found;
  for (const NodeId c : children(id))
    if ((*this)[c].field == field && !is_token((*this)[c].kind)) found.push_back(c);
  return found;
}

namespace {

// Null: it took too long.
std::shared_ptr<const ParsedSection> parse_section(TextParser& parser, std::string_view text, size_t longest_bracket) {
  std::optional<Reading> reading = read_in_pieces(parser, text, longest_bracket);
  if (!reading) return nullptr;
  auto section = std::make_shared<ParsedSection>(
      ParsedSection{.text = std::string(text), .nodes = std::move(reading->nodes), .pragmas = {}});
  if (reading->comments.empty()) return section;
  const LineIndex lines(text);
  for (Comment& comment : reading->comments)
    section->pragmas.push_back({.range = lines.range(comment.begin, comment.end),
                                .text = std::move(comment.text),
                                .own_line = comment.own_line});
  return section;
}

// Puts the trees together as the sections follow each other in the source.
class Joiner {
 public:
  Joiner(SyntaxTree& out, bool several) : out_(out), several_(several) {
    out_.nodes.reserve(out_.source.size());  // as good as never more; what is not used costs no memory
  }

  void add(const ParsedSection& section) {
    const Node root = moved(section.nodes.front());
    if (several_ && out_.nodes.empty()) out_.nodes.push_back({.kind = Kind::Module, .begin = root.begin});
    // The module has the statements of all sections; one that is broken as a whole is a part of it.
    const size_t from = several_ && root.kind == Kind::Module ? 1 : 0;
    for (size_t n = from; n < section.nodes.size(); ++n) out_.nodes.push_back(moved(section.nodes[n]));
    for (ir::Pragma pragma : section.pragmas) {
      pragma.range.line += lines_;
      pragma.range.end_line += lines_;
      out_.pragmas.push_back(std::move(pragma));
    }
    if (several_) extend_module(root);
    begin_ += static_cast<uint32_t>(section.text.size());
    lines_ += static_cast<uint32_t>(std::count(section.text.begin(), section.text.end(), '\n'));
  }

 private:
  void extend_module(const Node& section) {
    Node& module = out_.nodes.front();
    module.emits |= section.emits;
    module.size = static_cast<uint32_t>(out_.nodes.size());
    module.end = section.end;
  }

  Node moved(Node node) const {
    node.begin += begin_;
    node.end += begin_;
    return node;
  }

  SyntaxTree& out_;
  bool several_;                    // sections
  uint32_t begin_ = 0, lines_ = 0;  // of the source before the section
};

// The sections that a text has in common with the one before it: how many at the beginning, and of the rest at the end.
struct Unchanged {
  size_t begin = 0, end = 0;

  Unchanged(const std::vector<std::string_view>& texts, const ParsedSections& known) {
    const size_t shorter = std::min(texts.size(), known.size());
    while (begin < shorter && known[begin]->text == texts[begin]) ++begin;
    while (end < shorter - begin && known[known.size() - 1 - end]->text == texts[texts.size() - 1 - end]) ++end;
  }
};

// `known`: null, or as parse_syntax has it. A section that is not kept there is freed as soon as its nodes are in the
// tree.
SyntaxTree parse_in_sections(std::string_view source, size_t longest_bracket, ParsedSections* known) {
  SyntaxTree out{.source = source};
  if (source.size() > kMaxFileBytes) return out.unparsed = Unparsed::TooLarge, out;
  out.lines = LineIndex(source);
  const std::vector<std::string_view> texts = sections_of(source);
  const ParsedSections before = known ? std::exchange(*known, {}) : ParsedSections();
  const Unchanged unchanged(texts, before);
  TextParser parser(source.size());
  Joiner joiner(out, texts.size() > 1);
  for (size_t i = 0; i < texts.size(); ++i) {
    const bool at_begin = i < unchanged.begin, at_end = i >= texts.size() - unchanged.end;
    const auto section = at_begin ? before[i]
                         : at_end ? before[before.size() - texts.size() + i]
                                  : parse_section(parser, texts[i], longest_bracket);
    if (!section) {
      if (known) known->clear();
      return {.source = source, .unparsed = Unparsed::TooSlow};
    }
    joiner.add(*section);
    if (known) known->push_back(section);
  }
  return out;
}

}  // namespace

SyntaxTree parse_syntax(std::string_view source, ParsedSections& known) {
  return parse_in_sections(source, kLongBracket, &known);
}
SyntaxTree parse_syntax(std::string_view source, size_t longest_bracket) {
  return parse_in_sections(source, longest_bracket, nullptr);
}

}  // namespace ranklint::python
