// The text is read in two passes over its lines. The first finds the items, gives functions and classes their
// ids and functions their blocks, so that the second may meet references to what stands further down. A class
// wants one more thing from the first pass: the function in whose pools its bases live.
#include "analyzer/ir/parse.h"

#include <algorithm>
#include <deque>

#include "analyzer/ir/instruction_parser.h"

namespace ranklint::ir {

namespace {

enum class ItemKind { Line, Function, Class };

// Lines [first, end) of the text; those of a function or class without its closing brace.
struct Item {
  ItemKind kind = ItemKind::Line;
  size_t first = 0;
  size_t end = 0;
  uint32_t index = 0;  // of the function or class
};

class ModuleParser {
 public:
  explicit ModuleParser(std::string_view text) : lines_(split_lines(text)) {}

  bool run() {
    find_items();
    for (uint32_t f = 0; f < module_.functions.size() && !errors_.failed(); ++f)
      builders_.emplace_back(module_, FunctionId{f});
    for (const Item& item : items_)
      if (item.kind == ItemKind::Class) find_scope(item);
    for (const Item& item : items_) read(item);
    if (!errors_.failed()) list_methods();
    return !errors_.failed();
  }

  Module take() { return std::move(module_); }
  const Error& error() const { return errors_.error(); }

 private:
  // First pass.
  void find_items() {
    for (size_t i = 0; i < lines_.size() && !errors_.failed();) {
      Item item{.kind = kind_of(lines_[i]), .first = i, .end = i + 1};
      if (item.kind != ItemKind::Line) {
        while (item.end < lines_.size() && lines_[item.end].text != "}") ++item.end;
        if (item.end == lines_.size()) return fail(lines_[i], "the closing `}` is missing");
      }
      i = item.kind == ItemKind::Line ? item.end : item.end + 1;
      if (item.kind == ItemKind::Function) declare_function(item);
      if (item.kind == ItemKind::Class) declare_class(item);
      items_.push_back(item);
    }
  }

  ItemKind kind_of(const Line& line) const {
    Scanner scanner(line);
    scanner.accept_word("async");
    if (scanner.at_word("func")) return ItemKind::Function;
    return scanner.at_word("class") ? ItemKind::Class : ItemKind::Line;
  }

  // The name in a header, which must carry the ordinal that its place gives it.
  std::string declare(const Line& line, std::unordered_map<std::string, std::vector<uint32_t>>& table, uint32_t index) {
    Scanner scanner(line);
    scanner.accept_word("async");
    if (!scanner.accept_word("func")) scanner.accept_word("class");
    const uint32_t column = scanner.column() + 1;
    const std::optional<Reference> reference = parse_reference(scanner, errors_);
    if (!reference) return {};
    std::vector<uint32_t>& bearers = table[reference->name];
    bearers.push_back(index);
    if (reference->ordinal != bearers.size())
      errors_.set("this is number " + std::to_string(bearers.size()) + " of its name", line.number, column);
    return reference->name;
  }

  void declare_function(Item& item) {
    item.index = static_cast<uint32_t>(module_.functions.size());
    const std::string name = declare(lines_[item.first], references_.functions, item.index);
    Function& f = module_.functions[add_function(module_, name)];
    Labels labels;
    for (size_t i = item.first + 1; i < item.end; ++i) {
      if (lines_[i].text[0] == '^') declare_block(f, labels, lines_[i]);
    }
    if (f.blocks.empty()) fail(lines_[item.first], "a function has one block at least");
  }

  void declare_block(Function& f, Labels& labels, const Line& line) {
    Scanner scanner(line);
    scanner.accept("^");
    const std::optional<std::string> name = scanner.name();
    if (!name) return fail(line, "expected a label");
    Block block;
    block.label = module_.symbols.intern(*name);
    if (!labels.emplace(module_.text(block.label), f.blocks.next_id()).second)
      return fail(line, "there is a block `^" + *name + "` already");
    f.blocks.push_back(std::move(block));
  }

  void declare_class(Item& item) {
    item.index = static_cast<uint32_t>(module_.classes.size());
    const std::string name = declare(lines_[item.first], references_.classes, item.index);
    Class made;
    made.qualified_name = module_.symbols.intern(name);
    made.name = module_.symbols.intern(last_part(name));
    module_.classes.push_back(std::move(made));
  }

  void find_scope(const Item& item) {
    Class& c = module_.classes[ClassId{item.index}];
    c.scope = FunctionId{0};
    if (module_.functions.empty()) return fail(lines_[item.first], "a class wants a function that defines it");
    for (size_t i = item.first + 1; i < item.end && !errors_.failed(); ++i) {
      Scanner scanner(lines_[i]);
      if (!scanner.accept_word("scope")) continue;
      const std::optional<Reference> reference = parse_reference(scanner, errors_);
      const std::optional<uint32_t> index = reference ? look_up(references_.functions, *reference) : std::nullopt;
      if (!index) return fail(lines_[i], "there is no such function");
      c.scope = FunctionId{*index};
    }
  }

  // Second pass.
  void read(const Item& item) {
    if (errors_.failed()) return;
    switch (item.kind) {
      case ItemKind::Line: return read_line(lines_[item.first]);
      case ItemKind::Function: return read_function(item);
      case ItemKind::Class: return read_class(item);
    }
  }

  void read_convention(const Line& line, Scanner& scanner) {
    const auto words = convention_words();
    const auto word = std::ranges::find_if(words, [&](std::string_view w) { return scanner.accept_word(w); });
    if (word == words.end()) return fail(line, "expected a convention"), scanner.go_back(line.text.size());
    module_.conventions.add(static_cast<Convention>(word - words.begin()));
  }

  void read_line(const Line& line) {
    Scanner scanner(line);
    if (scanner.accept_word("module")) {
      module_.path = text_of(scanner);
    } else if (scanner.accept_word("name")) {
      module_.name = text_of(scanner);
    } else if (scanner.accept_word("language")) {
      module_.language = text_of(scanner);
      while (!scanner.at_end()) read_convention(line, scanner);
    } else if (scanner.accept_word("unknowns")) {
      scanner.skip_blanks();
      const std::optional<uint32_t> count = scanner.natural();
      if (!count) fail(line, "expected a number");
      module_.unknown_count = count.value_or(0);
    } else if (scanner.accept_word("pragma")) {
      Pragma made;
      made.own_line = scanner.accept_word("own_line");
      made.text = text_of(scanner);
      made.range = range_of(scanner);
      module_.pragmas.push_back(std::move(made));
    } else if (scanner.accept_word("start")) {
      Start made{.script = text_of(scanner)};
      while (scanner.peek_after_blanks() == '"') made.words.push_back(text_of(scanner));
      made.range = range_of(scanner);
      module_.starts.push_back(std::move(made));
    } else if (scanner.accept_word("diagnostic")) {
      Diagnostic made;
      made.message = text_of(scanner);
      made.range = range_of(scanner);
      module_.diagnostics.push_back(std::move(made));
    } else if (scanner.accept_word("annotation")) {
      read_annotation(scanner);
    } else {
      fail(line, "expected `func`, `class`, `annotation`, `pragma`, `diagnostic` or a line of the module's head");
    }
    expect_end(scanner);
  }

  void read_annotation(Scanner& scanner) {
    const std::optional<Reference> reference = parse_reference(scanner, errors_);
    const std::optional<uint32_t> index = reference ? look_up(references_.functions, *reference) : std::nullopt;
    if (!index) return fail(scanner, "there is no such function");
    Annotation made{.function = FunctionId{*index}};
    ExprParser exprs(scanner, builders_[*index], references_, errors_);
    if (exprs.expect(":")) made.target = exprs.postfix(true);
    if (exprs.expect(":")) made.annotation = exprs.expr();
    module_.annotations.push_back(made);
  }

  void read_function(const Item& item) {
    FunctionBuilder& builder = builders_[item.index];
    read_header(lines_[item.first], builder);
    Function& f = builder.function();
    f.name = module_.symbols.intern(last_part(module_.text(f.qualified_name)));
    f.kind = default_kind(module_.text(f.name));
    std::optional<FunctionKind> kind;
    size_t i = item.first + 1;
    for (; i < item.end && lines_[i].text[0] != '^' && !errors_.failed(); ++i) read_attribute(lines_[i], builder, kind);
    f.kind = kind.value_or(default_kind(module_.text(f.name)));
    read_blocks(i, item.end, builder);
  }

  void read_header(const Line& line, FunctionBuilder& builder) {
    Function& f = builder.function();
    Scanner scanner(line);
    ExprParser exprs(scanner, builder, references_, errors_);
    f.is_async = scanner.accept_word("async");
    scanner.accept_word("func");
    parse_reference(scanner, errors_);
    if (exprs.expect("(")) f.parameters = exprs.parameters();
    if (!errors_.failed() && scanner.accept("->")) f.return_annotation = exprs.expr();
    f.range = range_of(scanner);
    f.name_range = range_of(scanner);
    exprs.expect("{");
    expect_end(scanner);
  }

  void read_attribute(const Line& line, FunctionBuilder& builder, std::optional<FunctionKind>& kind) {
    Function& f = builder.function();
    Scanner scanner(line);
    ExprParser exprs(scanner, builder, references_, errors_);
    if (scanner.accept_word("name")) {
      f.name = name_of(scanner);
    } else if (scanner.accept_word("kind")) {
      kind = kind_word(scanner);
    } else if (scanner.accept_word("generator")) {
      f.is_generator = true;
    } else if (scanner.accept_word("parent")) {
      f.parent = exprs.function_reference();
    } else if (scanner.accept_word("owner")) {
      f.owner = exprs.class_reference();
    } else if (scanner.accept_word("decorator")) {
      f.decorators.push_back(exprs.expr());
    } else if (scanner.accept_word("globals")) {
      f.globals = CompactVector<Symbol>(names_of(scanner));
    } else if (scanner.accept_word("nonlocals")) {
      f.nonlocals = CompactVector<Symbol>(names_of(scanner));
    } else {
      fail(line, "expected an attribute of the function or a label");
    }
    expect_end(scanner);
  }

  FunctionKind kind_word(Scanner& scanner) {
    for (size_t i = 0; i < kind_words().size(); ++i)
      if (scanner.accept_word(kind_words()[i])) return static_cast<FunctionKind>(i);
    fail(scanner, "expected `module`, `class_body`, `function`, `lambda` or `comprehension`");
    return FunctionKind::Function;
  }

  void read_blocks(size_t begin, size_t end, FunctionBuilder& builder) {
    Function& f = builder.function();
    Labels labels;
    for (uint32_t b = 0; b < f.blocks.size(); ++b) labels.emplace(module_.text(f.blocks[BlockId{b}].label), BlockId{b});
    uint32_t opened = 0;
    bool open = false;
    for (size_t i = begin; i < end && !errors_.failed(); ++i) {
      Scanner scanner(lines_[i]);
      InstructionParser parser(scanner, builder, references_, errors_, labels);
      const bool is_label = lines_[i].text[0] == '^';
      if (is_label == open)
        return fail(lines_[i], open ? "the block before has no terminator" : "expected a label behind a terminator");
      if (is_label) {
        open = true;
        read_label(scanner, parser, f.blocks[BlockId{opened++}]);
        continue;
      }
      Block& block = f.blocks[BlockId{opened - 1}];
      if (const std::optional<Terminator> terminator = parser.terminator()) {
        block.terminator = *terminator;
        open = false;
      } else if (!errors_.failed()) {
        if (const std::optional<Instruction> made = parser.instruction()) block.instructions.push_back(*made);
      }
    }
    if (open) fail(lines_[end - 1], "the last block has no terminator");
  }

  void read_label(Scanner& scanner, InstructionParser& parser, Block& block) {
    parser.label();
    if (!errors_.failed() && !scanner.accept(":")) return fail(scanner, "expected `:`");
    if (!errors_.failed() && scanner.accept_word("handler")) block.handler = parser.label();
    expect_end(scanner);
  }

  void read_class(const Item& item) {
    Class& c = module_.classes[ClassId{item.index}];
    FunctionBuilder& builder = builders_[c.scope.index];
    read_class_header(lines_[item.first], c, builder);
    for (size_t i = item.first + 1; i < item.end && !errors_.failed(); ++i)
      read_class_attribute(lines_[i], c, builder, item.index);
  }

  void read_class_header(const Line& line, Class& c, FunctionBuilder& builder) {
    Scanner scanner(line);
    if (scanner.at_word("async")) return fail(line, "a class is not async");
    scanner.accept_word("class");
    parse_reference(scanner, errors_);
    ExprParser exprs(scanner, builder, references_, errors_);
    std::vector<CallArgument> given;
    std::vector<std::string> keywords;
    if (!exprs.expect("(") || !exprs.arguments(given, keywords)) return;
    for (size_t i = 0; i < given.size(); ++i) {
      const ExprId value = given[i].value;
      switch (given[i].kind) {
        case ArgumentKind::Positional: c.bases.push_back(value); break;
        case ArgumentKind::Star:
          if (builder.depth(value) >= kMaxExpressionDepth) return fail(scanner, "the expression nests too deeply");
          c.bases.push_back(builder.starred(value));
          break;
        case ArgumentKind::Keyword:
          c.keywords.push_back({ArgumentKind::Keyword, builder.symbol(keywords[i]), value});
          break;
        case ArgumentKind::DoubleStar: c.keywords.push_back({ArgumentKind::DoubleStar, {}, value}); break;
      }
    }
    c.range = range_of(scanner);
    exprs.expect("{");
    expect_end(scanner);
  }

  void read_class_attribute(const Line& line, Class& c, FunctionBuilder& builder, uint32_t index) {
    Scanner scanner(line);
    ExprParser exprs(scanner, builder, references_, errors_);
    if (scanner.accept_word("scope")) {
      exprs.function_reference();  // the first pass has it
    } else if (scanner.accept_word("name")) {
      c.name = name_of(scanner);
    } else if (scanner.accept_word("body")) {
      c.body = exprs.function_reference();
    } else if (scanner.accept_word("decorator")) {
      c.decorators.push_back(exprs.expr());
    } else if (scanner.accept_word("methods")) {
      explicit_methods_.push_back(index);
      while (!errors_.failed() && !scanner.at_end()) {
        if (!c.methods.empty() && !exprs.expect(",")) break;
        c.methods.push_back(exprs.function_reference());
      }
    } else {
      fail(line, "expected an attribute of the class");
    }
    expect_end(scanner);
  }

  // Without a `methods` line they are the functions that name the class as their owner.
  void list_methods() {
    for (uint32_t f = 0; f < module_.functions.size(); ++f) {
      const ClassId owner = module_.functions[FunctionId{f}].owner;
      if (owner.valid() && !std::ranges::binary_search(explicit_methods_, owner.index))
        module_.classes[owner].methods.push_back(FunctionId{f});
    }
  }

  // Words.
  std::string text_of(Scanner& scanner) {
    std::optional<std::string> text = scanner.quoted('"');
    if (!text) fail(scanner, "expected text between quotes");
    return text.value_or("");
  }

  SourceRange range_of(Scanner& scanner) {
    if (errors_.failed() || !scanner.at_range()) return {};
    const std::optional<SourceRange> range = scanner.range();
    if (!range) fail(scanner, "expected a range as in `@12:10-12:20`");
    return range.value_or(SourceRange{});
  }

  Symbol name_of(Scanner& scanner) {
    const std::optional<std::string> name = scanner.name();
    if (!name) fail(scanner, "expected a name");
    return name ? module_.symbols.intern(*name) : Symbol{};
  }

  std::vector<Symbol> names_of(Scanner& scanner) {
    std::vector<Symbol> out;
    do {
      out.push_back(name_of(scanner));
    } while (!errors_.failed() && scanner.accept(","));
    return out;
  }

  void expect_end(Scanner& scanner) {
    if (!errors_.failed() && !scanner.at_end()) fail(scanner, "expected the end of the line");
  }

  void fail(const Line& line, std::string message) { errors_.set(std::move(message), line.number, line.first_column); }
  void fail(const Scanner& scanner, std::string message) {
    errors_.set(std::move(message), scanner.line_number(), scanner.column());
  }

  const std::vector<Line> lines_;
  std::vector<Item> items_;
  Module module_;
  ReferenceTable references_;
  std::deque<FunctionBuilder> builders_;  // by function
  std::vector<uint32_t> explicit_methods_;
  ErrorSlot errors_;
};

}  // namespace

Result<Module> parse(std::string_view text, const std::string& path) {
  static constexpr size_t kMaxBytes = size_t{1} << 30;  // so that no id overflows
  if (text.size() > kMaxBytes) return Error{"the text is larger than 1 GiB", path};
  ModuleParser parser(text);
  if (parser.run()) return parser.take();
  Error error = parser.error();
  error.path = path;
  return error;
}

}  // namespace ranklint::ir
