// A Python file as a tree: tree-sitter's concrete syntax, flattened once into a vector.
//
// Nodes stand in pre-order, each with the size of its subtree: the first child of a node is the next element, its
// next sibling the element after its subtree. So the lowering walks plain memory, and facts about subtrees
// ("does it call anything?") are gathered on the way. What only separates (commas, brackets, comments) is left out.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/ids.h"
#include "analyzer/base/line_index.h"
#include "analyzer/base/source_range.h"
#include "analyzer/ir/ir.h"
#include "frontends/python/kinds.h"

namespace ranklint::python {

using NodeId = Id<struct NodeTag>;

struct Node {
  Kind kind = Kind::Other;
  Field field = Field::None;  // by which its parent names it
  bool missing = false;       // not in the text: put in by the parser to go on
  bool emits = false;         // evaluating it takes instructions: it calls, awaits, yields, binds a name or loops
  uint32_t begin = 0;         // in bytes
  uint32_t end = 0;
  uint32_t size = 1;  // nodes of its subtree, itself included
};
static_assert(sizeof(Node) == 16);  // a file has up to one a byte

// The children of a node, in source order, tokens included.
class Children {
 public:
  class Iterator {
   public:
    Iterator(const Node* nodes, uint32_t index) : nodes_(nodes), index_(index) {}
    NodeId operator*() const { return NodeId{index_}; }
    Iterator& operator++() {
      index_ += nodes_[index_].size;
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.index_ == b.index_; }

   private:
    const Node* nodes_;
    uint32_t index_;
  };

  Children(const Node* nodes, uint32_t parent) : begin_(nodes, parent + 1), end_(nodes, parent + nodes[parent].size) {}
  Iterator begin() const { return begin_; }
  Iterator end() const { return end_; }

 private:
  Iterator begin_;
  Iterator end_;
};

// Why a file has no tree.
enum class Unparsed : uint8_t {
  No,
  TooLarge,  // more bytes than are read
  TooSlow,   // the parser met its deadline
};

struct SyntaxTree {
  std::string_view source;       // the caller keeps it
  LineIndex lines = {};          // of the source
  std::vector<Node> nodes = {};  // the root first; empty when the file could not be parsed
  std::vector<ir::Pragma> pragmas = {};
  Unparsed unparsed = Unparsed::No;

  const Node& operator[](NodeId id) const { return nodes[id.index]; }
  Children children(NodeId id) const { return {nodes.data(), id.index}; }
  std::string_view text(NodeId id) const {
    return source.substr((*this)[id].begin, (*this)[id].end - (*this)[id].begin);
  }
  SourceRange range(NodeId id) const { return lines.range((*this)[id].begin, (*this)[id].end); }
  // The first child of that name or of that kind; invalid when there is none.
  NodeId child(NodeId id, Field field) const;
  NodeId child(NodeId id, Kind kind) const;
  // The first child that is not a token.
  NodeId first(NodeId id) const;
  // The children that are not tokens.
  std::vector<NodeId> named(NodeId id) const;
  std::vector<NodeId> named(NodeId id, Field field) const;
};

constexpr size_t kMaxFileBytes = size_t{16} << 20;  // larger files are not parsed
constexpr size_t kLongBracket = size_t{32} << 10;   // longer ones are parsed in pieces of about that size (brackets.h)

SyntaxTree parse_syntax(std::string_view source, size_t longest_bracket = kLongBracket);

// What is kept of a section (sections.h) for the next text of its file. Places count from where the section begins.
struct ParsedSection {
  std::string text;
  std::vector<Node> nodes;
  std::vector<ir::Pragma> pragmas;
};
using ParsedSections = std::vector<std::shared_ptr<const ParsedSection>>;

// The same tree. The sections at the beginning and at the end that `known` has are not parsed; then it has those of
// this text.
SyntaxTree parse_syntax(std::string_view source, ParsedSections& known);

}  // namespace ranklint::python
