// The one file that knows tree-sitter: bytes -> its tree -> ours.
//
// The parser recovers from any error, but the text that it skips can cost the square of its length: 600 KB of
// "def f(def f(def f(" take minutes. The number of steps does not show it, as each of them gets slower. So there is a
// deadline, in time that this thread computes, which no text meets that is anything like a program: a hundred times
// what parsing takes. Only after it may the result differ between machines, and then the file is reported as unread.
//
// What the grammar can not read is tried in another spelling (respelling.h), and the tree says what the source does.
//
// A file is parsed section by section (sections.h), and a long bracket in one piece by piece (brackets.h). Each tree is
// flattened with places that count from where its text begins; they are moved when the trees are put together
// (pieces.cpp, syntax.cpp).
#include <time.h>
#include <tree_sitter/api.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "frontends/python/reading.h"
#include "frontends/python/respelling.h"

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

// The point at which parsing gives up, in seconds of this thread's processor time: see the top of the file.
double deadline_of(size_t size_bytes) { return thread_seconds() + 3 + static_cast<double>(size_bytes) * 10e-6; }

bool passed(TSParseState* state) { return thread_seconds() > *static_cast<const double*>(state->payload); }

struct Input {
  std::string_view source;
  static const char* read(void* payload, uint32_t offset, TSPoint, uint32_t* size) {
    const std::string_view source = static_cast<Input*>(payload)->source;
    if (offset >= source.size()) return *size = 0, "";
    *size = static_cast<uint32_t>(source.size() - offset);
    return source.data() + offset;
  }
};

Tree parse(TSParser* parser, std::string_view source, double& deadline) {
  Input input{source};
  Tree tree(ts_parser_parse_with_options(
      parser, nullptr,
      TSInput{.payload = &input, .read = Input::read, .encoding = TSInputEncodingUTF8, .decode = nullptr},
      TSParseOptions{.payload = &deadline, .progress_callback = passed}));
  if (!tree) ts_parser_reset(parser);  // it would go on with this text
  return tree;
}

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

Reading flattened(const TSTree* tree, std::string_view text, const Respelling* respelling) {
  Reading reading{.has_error = ts_node_has_error(ts_tree_root_node(tree))};
  reading.nodes.reserve(text.size() / 6 + 16);
  Flattener(tree, text, respelling, reading).run();
  return reading;
}

}  // namespace

struct TextParser::State {
  std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser{ts_parser_new(), ts_parser_delete};
  double deadline = 0;
};

TextParser::TextParser(size_t size_bytes) : state_(new State{.deadline = deadline_of(size_bytes)}) {
  ts_parser_set_language(state_->parser.get(), tree_sitter_python());
}
TextParser::~TextParser() = default;

std::optional<Reading> TextParser::read(std::string_view text) {
  const Tree tree = parse(state_->parser.get(), text, state_->deadline);
  if (!tree) return std::nullopt;
  Reading reading = flattened(tree.get(), text, nullptr);
  if (!reading.has_error) return reading;
  const Respelling other = respelling_of(text);
  if (!other.changed) return reading;
  const Tree read = parse(state_->parser.get(), other.text, state_->deadline);
  if (!read) return std::nullopt;
  if (ts_node_has_error(ts_tree_root_node(read.get()))) return reading;
  Reading respelled = flattened(read.get(), text, &other);
  respelled.comments = std::move(reading.comments);  // not all are in the other spelling
  return respelled;
}

}  // namespace ranklint::python
