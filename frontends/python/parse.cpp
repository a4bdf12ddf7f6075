// The one file that knows tree-sitter: bytes -> its tree -> ours.
//
// The parser recovers from any error, but the text that it skips can cost the square of its length: 600 KB of
// "def f(def f(def f(" take minutes. The number of steps does not show it, as each of them gets slower. So there is a
// deadline, in time that this thread computes, which no text meets that is anything like a program: a hundred times
// what parsing takes. Only behind it the result may differ between machines, and then the file is reported as unread.
//
// What the grammar can not read is tried in another spelling (respelling.h), and the tree says what the source does.
//
// A file is parsed section by section (sections.h), and a long bracket in one piece by piece (brackets.h). Each tree is
// flattened with places that count from where its text begins; they are moved when the trees are put together.
#include <time.h>
#include <tree_sitter/api.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "frontends/python/brackets.h"
#include "frontends/python/respelling.h"
#include "frontends/python/sections.h"
#include "frontends/python/syntax.h"

extern "C" const TSLanguage* tree_sitter_python(void);

namespace ranklint::python {

namespace {

template <auto Delete>
struct Deleter {
  template <typename T>
  void operator()(T* object) const {
    Delete(object);
  }
};
using Parser = std::unique_ptr<TSParser, Deleter<ts_parser_delete>>;
using Tree = std::unique_ptr<TSTree, Deleter<ts_tree_delete>>;

// What the parser's numbers for symbols and fields mean to us.
struct Vocabulary {
  struct Entry {
    Kind kind = Kind::Other;
    bool kept = false;
  };
  std::vector<Entry> kinds;
  std::vector<Field> fields;
  TSSymbol comment = 0;

  explicit Vocabulary(const TSLanguage* language) {
    kinds.resize(ts_language_symbol_count(language));
    for (size_t number = 0; number < kinds.size(); ++number) {
      const auto s = static_cast<TSSymbol>(number);
      const std::string_view name = ts_language_symbol_name(language, s);
      const TSSymbolType type = ts_language_symbol_type(language, s);
      if (type == TSSymbolTypeRegular || type == TSSymbolTypeAnonymous)
        kinds[s].kept = kind_of(name, type == TSSymbolTypeRegular, kinds[s].kind);
      if (name == "comment") comment = s;
      if (name == "comment" || name == "line_continuation") kinds[s].kept = false;
    }
    fields.resize(ts_language_field_count(language) + 1);
    for (size_t f = 1; f < fields.size(); ++f)
      fields[f] = field_of(ts_language_field_name_for_id(language, static_cast<TSFieldId>(f)));
  }

  Entry entry(TSSymbol symbol) const {
    constexpr auto kErrorSymbol = std::numeric_limits<TSSymbol>::max();
    if (symbol == kErrorSymbol) return {Kind::Error, true};
    return symbol < kinds.size() ? kinds[symbol] : Entry{};
  }
};

const Vocabulary& vocabulary() {
  static const Vocabulary words(tree_sitter_python());  // the same for every file, never changed
  return words;
}

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// See the top of the file.
struct Deadline {
  double at;
  explicit Deadline(size_t size_bytes) : at(thread_seconds() + 3 + static_cast<double>(size_bytes) * 10e-6) {}
  static bool passed(TSParseState* state) { return thread_seconds() > static_cast<Deadline*>(state->payload)->at; }
};

struct Input {
  std::string_view source;
  static const char* read(void* payload, uint32_t offset, TSPoint, uint32_t* size) {
    const std::string_view source = static_cast<Input*>(payload)->source;
    if (offset >= source.size()) return *size = 0, "";
    *size = static_cast<uint32_t>(source.size() - offset);
    return source.data() + offset;
  }
};

Tree parse(TSParser* parser, std::string_view source, Deadline& deadline) {
  Input input{source};
  Tree tree(ts_parser_parse_with_options(
      parser, nullptr,
      TSInput{.payload = &input, .read = Input::read, .encoding = TSInputEncodingUTF8, .decode = nullptr},
      TSParseOptions{.payload = &deadline, .progress_callback = Deadline::passed}));
  if (!tree) ts_parser_reset(parser);  // it would go on with this text
  return tree;
}

// A comment that is addressed to us. The place is that of the address.
struct Comment {
  uint32_t begin = 0, end = 0;  // in bytes
  std::string text = {};
  bool own_line = false;
};

// What a text was read as. Places count from where it begins.
struct Reading {
  std::vector<Node> nodes = {};
  std::vector<Comment> comments = {};
  bool has_error = false;
};

// Where "# ranklint:" begins in a comment, which may say something to others first ("# noqa  # ranklint: ..."); npos:
// nowhere.
size_t address_in(std::string_view comment) {
  for (size_t hash = comment.find('#'); hash != std::string_view::npos; hash = comment.find('#', hash + 1)) {
    if (hash > 0 && comment[hash - 1] != ' ' && comment[hash - 1] != '\t') continue;
    const size_t word = comment.find_first_not_of(" \t", hash + 1);
    if (word != std::string_view::npos && comment.substr(word).starts_with("ranklint:")) return hash;
  }
  return std::string_view::npos;
}

// "# ranklint: text"
void add_comment(TSNode comment, std::string_view source, std::vector<Comment>& comments) {
  const uint32_t begin = ts_node_start_byte(comment), end = ts_node_end_byte(comment);
  std::string_view text = source.substr(begin, end - begin);
  const size_t hash = address_in(text);
  if (hash == std::string_view::npos) return;
  text.remove_prefix(text.find(':', hash) + 1);
  const size_t from = text.find_first_not_of(" \t\r");
  text = from == std::string_view::npos ? "" : text.substr(from, text.find_last_not_of(" \t\r") + 1 - from);
  const size_t line_begin = source.substr(0, begin).rfind('\n') + 1;
  const bool own_line =
      source.substr(line_begin, begin - line_begin).find_first_not_of(" \t\f") == std::string_view::npos;
  comments.push_back(
      {.begin = begin + static_cast<uint32_t>(hash), .end = end, .text = std::string(text), .own_line = own_line});
}

bool emits_itself(Kind kind) {
  switch (kind) {
    case Kind::Call:
    case Kind::Await:
    case Kind::Yield:
    case Kind::NamedExpression:
    case Kind::ListComprehension:
    case Kind::SetComprehension:
    case Kind::DictionaryComprehension:
    case Kind::GeneratorExpression: return true;
    default: return false;
  }
}

// What surrounds the operand of a star.
bool holds_expressions(Kind kind) {
  return kind == Kind::ExpressionList || kind == Kind::PatternList || kind == Kind::Type || kind == Kind::Error;
}

// Walks tree-sitter's tree without recursion, so that its depth does not matter.
class Flattener {
 public:
  // `respelling`: of the text that was parsed; null: it is the source's.
  Flattener(const TSTree* tree, std::string_view source, const Respelling* respelling, Reading& out)
      : out_(out), source_(source), cursor_(ts_tree_cursor_new(ts_tree_root_node(tree))), respelling_(respelling) {}
  ~Flattener() { ts_tree_cursor_delete(&cursor_); }
  Flattener(const Flattener&) = delete;
  Flattener& operator=(const Flattener&) = delete;

  void run() {
    do {
      if (enter() && ts_tree_cursor_goto_first_child(&cursor_)) continue;
      leave();
      while (!ts_tree_cursor_goto_next_sibling(&cursor_)) {
        if (!ts_tree_cursor_goto_parent(&cursor_)) return;
        leave();
      }
    } while (true);
  }

 private:
  static constexpr uint32_t kDropped = Id<NodeTag>::kNone;

  // Adds the node under the cursor; whether its children matter.
  bool enter() {
    const TSNode node = ts_tree_cursor_current_node(&cursor_);
    const TSSymbol symbol = ts_node_symbol(node);
    const Vocabulary::Entry entry = words_.entry(symbol);
    if (symbol == words_.comment) add_comment(node, source_, out_.comments);
    const bool kept = entry.kept && (entry.kind != Kind::Colon || parent_kind() == Kind::Slice);
    open_.push_back(kept ? static_cast<uint32_t>(out_.nodes.size()) : kDropped);
    if (!kept) return false;
    Node flat{.kind = entry.kind,
              .field = words_.fields[ts_tree_cursor_current_field_id(&cursor_)],
              .missing = ts_node_is_missing(node),
              .emits = emits_itself(entry.kind),
              .begin = ts_node_start_byte(node),
              .end = ts_node_end_byte(node)};
    if (respelling_ != nullptr) put_back(flat);
    out_.nodes.push_back(flat);
    return entry.kind != Kind::StringContent;
  }

  // What the other spelling took out of the source.
  void put_back(Node& node) {
    const std::vector<uint32_t>& names = respelling_->names;
    if (node.kind == Kind::Integer && std::binary_search(names.begin(), names.end(), node.begin))
      node.kind = Kind::Identifier;
    const std::vector<Respelling::Star>& stars = respelling_->stars;
    while (next_star_ < stars.size() && stars[next_star_].operand < node.begin) ++next_star_;
    if (next_star_ == stars.size() || stars[next_star_].operand != node.begin || holds_expressions(node.kind)) return;
    const uint32_t begin = stars[next_star_].begin;
    Node splat{.kind = Kind::ListSplat, .field = node.field, .begin = begin, .end = node.end};
    node.field = Field::None;
    out_.nodes.push_back(splat);
    open_.back() = static_cast<uint32_t>(out_.nodes.size());  // where the operand comes to lie
    splats_.push_back(open_.back());
    ++next_star_;
  }

  void leave() {
    const uint32_t index = open_.back();
    open_.pop_back();
    if (index == kDropped) return;
    end(index);
    if (splats_.empty() || splats_.back() != index) return;
    splats_.pop_back();
    if (out_.nodes[index].emits) out_.nodes[index - 1].emits = true;
    end(index - 1);
  }

  void end(uint32_t index) {
    Node& node = out_.nodes[index];
    node.size = static_cast<uint32_t>(out_.nodes.size() - index);
    if (node.kind == Kind::Lambda) node.emits = false;  // its body runs elsewhere
    if (node.emits && !open_.empty()) out_.nodes[open_.back()].emits = true;
  }

  Kind parent_kind() const { return open_.empty() ? Kind::Other : out_.nodes[open_.back()].kind; }

  Reading& out_;
  const std::string_view source_;
  TSTreeCursor cursor_;
  const Vocabulary& words_ = vocabulary();
  std::vector<uint32_t> open_;  // the nodes around the cursor
  const Respelling* respelling_;
  size_t next_star_ = 0;          // of the respelling's
  std::vector<uint32_t> splats_;  // of the open nodes those that are operands of splats that were put back
};

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
    size_t at, moved;  // in the outline; what stands behind it is moved by so much in the text
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

// A parser for the sections of one text.
class SectionParser {
 public:
  SectionParser(size_t size_bytes, size_t longest_bracket)
      : parser_(ts_parser_new()), deadline_(size_bytes), longest_bracket_(longest_bracket) {
    ts_parser_set_language(parser_.get(), tree_sitter_python());
  }

  // Null: it took too long.
  std::shared_ptr<const ParsedSection> operator()(std::string_view text) {
    std::optional<Reading> reading = read(text, 0);
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

 private:
  static constexpr int kMostNested = 8;  // long brackets in pieces of others: each time their text is looked through

  std::optional<Reading> read(std::string_view text, int nesting) {
    if (nesting < kMostNested)
      if (const std::vector<LongBracket> brackets = long_brackets_of(text, longest_bracket_); !brackets.empty())
        if (std::optional<Reading> reading = read_in_pieces(text, brackets, nesting)) return reading;
    return read_whole(text);
  }

  // No value: it took too long, or there is a mistake somewhere.
  std::optional<Reading> read_in_pieces(std::string_view text, std::span<const LongBracket> brackets, int nesting) {
    const Outline outline(text, brackets);
    std::optional<Reading> reading = read_whole(outline.text());
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

  // No value: it took too long.
  std::optional<Reading> read_whole(std::string_view text) {
    const Tree tree = parse(parser_.get(), text, deadline_);
    if (!tree) return std::nullopt;
    Reading reading = flattened(tree.get(), text, nullptr);
    if (!reading.has_error) return reading;
    const Respelling other = respelling_of(text);
    const Tree read = other.changed ? parse(parser_.get(), other.text, deadline_) : nullptr;
    if (!read || ts_node_has_error(ts_tree_root_node(read.get()))) return reading;
    Reading respelled = flattened(read.get(), text, &other);
    respelled.comments = std::move(reading.comments);  // not all are in the other spelling
    return respelled;
  }

  static Reading flattened(const TSTree* tree, std::string_view text, const Respelling* respelling) {
    Reading reading{.has_error = ts_node_has_error(ts_tree_root_node(tree))};
    reading.nodes.reserve(text.size() / 6 + 16);
    Flattener(tree, text, respelling, reading).run();
    return reading;
  }

  Parser parser_;
  Deadline deadline_;
  const size_t longest_bracket_;
};

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
  SectionParser parse_section(source.size(), longest_bracket);
  Joiner joiner(out, texts.size() > 1);
  for (size_t i = 0; i < texts.size(); ++i) {
    const bool at_begin = i < unchanged.begin, at_end = i >= texts.size() - unchanged.end;
    const auto section = at_begin ? before[i]
                         : at_end ? before[before.size() - texts.size() + i]
                                  : parse_section(texts[i]);
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
