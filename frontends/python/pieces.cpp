// Puts the tree of a long bracket together: that of its outline, and of its pieces, each read by itself.
#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "frontends/python/brackets.h"
#include "frontends/python/reading.h"

namespace ranklint::python {

namespace {

bool can_be_cut(Kind kind) {
  return kind == Kind::List || kind == Kind::Dictionary || kind == Kind::Set || kind == Kind::Tuple ||
         kind == Kind::ArgumentList;
}

// A text without the pieces of its long brackets.
class Outline {
 public:
  Outline(std::string_view text, std::span<const LongBracket> brackets) {
    std::vector<const LongBracket*> by_cut;
    for (const LongBracket& bracket : brackets) by_cut.push_back(&bracket);
    std::ranges::sort(by_cut, {}, [](const LongBracket* bracket) { return bracket->cuts[0]; });
    size_t from = 0;
    for (const LongBracket* bracket : by_cut) {
      text_ += text.substr(from, bracket->cuts[0] - from);
      from = bracket->close;
      holes_.push_back({text_.size(), from - text_.size()});
    }
    text_ += text.substr(from);
  }

  std::string_view text() const { return text_; }

  // In the text, of a place in the outline.
  uint32_t in_text(uint32_t place) const {
    const auto after = std::ranges::upper_bound(holes_, place, {}, &Hole::at);
    return after == holes_.begin() ? place : place + static_cast<uint32_t>((after - 1)->moved);
  }

 private:
  struct Hole {
    size_t at, moved;  // in the outline; what follows it is moved by this much in the text
  };
  std::string text_;
  std::vector<Hole> holes_;
};

void move(Reading& reading, int64_t by) {
  for (Node& node : reading.nodes) {
    node.begin = static_cast<uint32_t>(node.begin + by);
    node.end = static_cast<uint32_t>(node.end + by);
  }
  for (Comment& comment : reading.comments) {
    comment.begin = static_cast<uint32_t>(comment.begin + by);
    comment.end = static_cast<uint32_t>(comment.end + by);
  }
}

// The node of a bracket, from its first byte to its last; invalid: it is none that may be cut.
NodeId bracket_node(const std::vector<Node>& nodes, size_t open, size_t close) {
  for (uint32_t i = 0; i < nodes.size();) {
    const Node& node = nodes[i];
    if (node.begin == open && node.end == close + 1 && can_be_cut(node.kind)) return NodeId{i};
    const bool is_before = node.end <= open || node.begin > open;
    i += is_before ? node.size : 1;
  }
  return {};
}

// Puts what the pieces hold into the brackets of their outline.
class Grafter {
 public:
  // `held`: by the bracket's node in the outline, the elements of its pieces.
  Grafter(std::vector<Node> outline, std::map<uint32_t, std::vector<std::vector<Node>>> held)
      : outline_(std::move(outline)), held_(std::move(held)) {}

  std::vector<Node> run() {
    size_t size = outline_.size();
    for (const auto& [node, pieces] : held_)
      for (const std::vector<Node>& piece : pieces) size += piece.size();
    out_.reserve(size);
    for (uint32_t i = 0; i < outline_.size(); ++i) {
      end_before(i);
      open_.push_back({i, static_cast<uint32_t>(out_.size())});
      out_.push_back(outline_[i]);
    }
    end_before(static_cast<uint32_t>(outline_.size()));
    return std::move(out_);
  }

 private:
  struct Open {
    uint32_t in_outline, in_out;
  };

  // Ends the nodes that have no more below them.
  void end_before(uint32_t next) {
    while (!open_.empty() && open_.back().in_outline + outline_[open_.back().in_outline].size <= next) {
      const auto [in_outline, in_out] = open_.back();
      open_.pop_back();
      const auto held = held_.find(in_outline);
      const bool emits = held != held_.end() && take(held->second);
      Node& node = out_[in_out];
      node.emits |= emits;
      node.size = static_cast<uint32_t>(out_.size()) - in_out;
      if (node.kind == Kind::Lambda) node.emits = false;
      if (node.emits && !open_.empty()) out_[open_.back().in_out].emits = true;
    }
  }

  // Whether one of their elements emits.
  bool take(std::vector<std::vector<Node>>& pieces) {
    bool emits = false;
    for (std::vector<Node>& piece : pieces) {
      for (size_t i = 0; i < piece.size(); i += piece[i].size) emits |= piece[i].emits;
      out_.insert(out_.end(), piece.begin(), piece.end());
      piece = {};
    }
    return emits;
  }

  std::vector<Node> outline_;
  std::map<uint32_t, std::vector<std::vector<Node>>> held_;
  std::vector<Open> open_;
  std::vector<Node> out_;
};

class PieceReader {
 public:
  PieceReader(TextParser& parser, size_t longest) : parser_(parser), longest_(longest) {}

  std::optional<Reading> read(std::string_view text, int nesting) {
    if (nesting < kMostNested)
      if (const std::vector<LongBracket> brackets = long_brackets_of(text, longest_); !brackets.empty())
        if (std::optional<Reading> reading = read_cut(text, brackets, nesting)) return reading;
    return parser_.read(text);
  }

 private:
  static constexpr int kMostNested = 8;  // long brackets in pieces of others: each time their text is looked through

  // No value: it took too long, or there is a mistake somewhere.
  std::optional<Reading> read_cut(std::string_view text, std::span<const LongBracket> brackets, int nesting) {
    const Outline outline(text, brackets);
    std::optional<Reading> reading = parser_.read(outline.text());
    if (!reading || reading->has_error) return std::nullopt;
    for (Node& node : reading->nodes) node.begin = outline.in_text(node.begin), node.end = outline.in_text(node.end);
    for (Comment& comment : reading->comments)
      comment.begin = outline.in_text(comment.begin), comment.end = outline.in_text(comment.end);
    std::map<uint32_t, std::vector<std::vector<Node>>> held;
    for (const LongBracket& bracket : brackets) {
      const NodeId node = bracket_node(reading->nodes, bracket.open, bracket.close);
      if (!node.valid()) return std::nullopt;
      for (size_t i = 0; i < bracket.cuts.size(); ++i) {
        std::optional<Reading> piece = read_piece(text, bracket, i, reading->nodes[node.index].kind, nesting);
        if (!piece) return std::nullopt;
        held[node.index].push_back(std::move(piece->nodes));
        std::ranges::move(piece->comments, std::back_inserter(reading->comments));
      }
    }
    reading->nodes = Grafter(std::move(reading->nodes), std::move(held)).run();
    std::ranges::sort(reading->comments, {}, &Comment::begin);
    return reading;
  }

  // The elements of a piece, as children of a bracket of that kind.
  std::optional<Reading> read_piece(std::string_view text, const LongBracket& bracket, size_t i, Kind kind,
                                    int nesting) {
    const size_t begin = bracket.cuts[i], end = i + 1 < bracket.cuts.size() ? bracket.cuts[i + 1] : bracket.close;
    const std::string_view before = kind == Kind::ArgumentList ? "f" : "";
    std::string piece(before);
    piece += text[bracket.open];
    const int64_t moved = static_cast<int64_t>(begin) - static_cast<int64_t>(piece.size());
    piece += text.substr(begin, end - begin);
    if (end == bracket.close && bracket.last_is_open) piece += ',';
    const size_t close = piece.size();
    piece += text[bracket.close];
    std::optional<Reading> reading = read(piece, nesting + 1);
    if (!reading || reading->has_error) return std::nullopt;
    const NodeId node = bracket_node(reading->nodes, before.size(), close);
    if (!node.valid()) return std::nullopt;
    std::vector<Node>& nodes = reading->nodes;
    // Without elements a set is a dictionary.
    const uint32_t size = nodes[node.index].size;
    if (size > 1 && nodes[node.index].kind != kind) return std::nullopt;
    nodes.erase(nodes.begin() + node.index + size, nodes.end());
    nodes.erase(nodes.begin(), nodes.begin() + node.index + 1);
    nodes.shrink_to_fit();
    move(*reading, moved);
    return reading;
  }

  TextParser& parser_;
  const size_t longest_;
};

}  // namespace

std::optional<Reading> read_in_pieces(TextParser& parser, std::string_view text, size_t longest) {
  return PieceReader(parser, longest).read(text, 0);
}

}  // namespace ranklint::python
