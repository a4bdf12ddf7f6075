#include "analyzer/ir/instruction_parser.h"

namespace ranklint::ir {

BlockId InstructionParser::label() {
  scanner_.skip_blanks();
  const uint32_t column = scanner_.column();
  const std::optional<std::string> name = scanner_.accept("^") ? scanner_.name() : std::nullopt;
  const auto found = name ? labels_.find(*name) : labels_.end();
  if (found != labels_.end()) return found->second;
  errors_.set(name ? "there is no block `^" + *name + "`" : "expected a label", scanner_.line_number(), column);
  return {};
}

SourceRange InstructionParser::range() {
  if (failed() || !scanner_.at_range()) return {};
  const std::optional<SourceRange> range = scanner_.range();
  if (!range) exprs_.fail("expected a range as in `@12:10-12:20`");
  return range.value_or(SourceRange{});
}

bool InstructionParser::expect_end() {
  if (!failed() && !scanner_.at_end()) exprs_.fail("expected the end of the line");
  return !failed();
}

ExprId InstructionParser::optional_value() { return at_value_end() ? ExprId{} : exprs_.expr(); }

// `value ? ^one : ^other`
void InstructionParser::choice(Terminator& out) {
  out.value = exprs_.expr();
  if (exprs_.expect("?")) out.successors[0] = label();
  if (exprs_.expect(":")) out.successors[1] = label();
}

std::optional<Terminator> InstructionParser::terminator() {
  Terminator out;
  if (scanner_.accept_word("jump")) {
    out.kind = TerminatorKind::Jump;
    out.successors[0] = label();
  } else if (scanner_.accept_word("branch")) {
    out.kind = TerminatorKind::Branch;
    choice(out);
  } else if (scanner_.accept_word("while")) {
    out.kind = TerminatorKind::Branch;
    out.is_loop = true;
    choice(out);
  } else if (scanner_.accept_word("for")) {
    out.kind = TerminatorKind::Iterate;
    out.is_loop = true;
    out.target = exprs_.postfix(true);
    if (!failed() && !scanner_.accept_word("in")) exprs_.fail("expected `in`");
    if (!failed()) choice(out);
  } else if (scanner_.accept_word("return")) {
    out.kind = TerminatorKind::Return;
    out.value = optional_value();
  } else if (scanner_.accept_word("raise")) {
    out.kind = TerminatorKind::Raise;
    out.value = optional_value();
  } else if (scanner_.accept_word("except")) {
    out.kind = TerminatorKind::Except;
    choice(out);
  } else if (!scanner_.accept_word("unreachable")) {
    return std::nullopt;
  }
  out.range = range();
  if (!expect_end()) return std::nullopt;
  return out;
}

static std::string_view first_part(std::string_view path) { return path.substr(0, path.find('.')); }

Instruction InstructionParser::import() {
  Instruction out{.kind = InstructionKind::Import};
  const std::optional<std::string> path = scanner_.path();
  if (!path) {
    exprs_.fail("expected a module");
    return out;
  }
  out.symbol = builder_.symbol(*path);
  out.binds_leaf = scanner_.accept_word("as");
  out.target = out.binds_leaf ? exprs_.name() : builder_.name(first_part(*path));
  return out;
}

// `from ..package import name as target`; without `as` the name itself is bound, with `*` nothing by name.
Instruction InstructionParser::from_import() {
  Instruction out{.kind = InstructionKind::Import};
  size_t level = 0;
  while (scanner_.accept(".")) ++level;
  if (level > UINT8_MAX) exprs_.fail("it goes up too far");
  out.level = static_cast<uint8_t>(level);
  if (level == 0 || !scanner_.at_word("import")) {
    const std::optional<std::string> path = scanner_.path();
    if (path) out.symbol = builder_.symbol(*path);
    if (!path) exprs_.fail("expected a module");
  }
  if (!failed() && !scanner_.accept_word("import")) exprs_.fail("expected `import`");
  if (failed()) return out;
  if (scanner_.accept("*")) {
    out.name = builder_.symbol("*");
    return out;
  }
  const std::optional<std::string> name = scanner_.name();
  if (!name) {
    exprs_.fail("expected a name or `*`");
    return out;
  }
  out.name = builder_.symbol(*name);
  out.target = scanner_.accept_word("as") ? exprs_.name() : builder_.name(*name);
  return out;
}

void InstructionParser::call(Instruction& out) {
  out.kind = InstructionKind::Call;
  out.value = exprs_.postfix(false);
  std::vector<CallArgument> given;
  std::vector<std::string> keywords;
  if (!exprs_.expect("(") || !exprs_.arguments(given, keywords)) return;
  Function& f = builder_.function();
  out.first_argument = static_cast<uint32_t>(f.arguments.size());
  out.argument_count = static_cast<uint32_t>(given.size());
  for (size_t i = 0; i < given.size(); ++i) {
    const bool keyword = given[i].kind == ArgumentKind::Keyword;
    f.arguments.push_back(
        {.kind = given[i].kind, .keyword = keyword ? builder_.symbol(keywords[i]) : Symbol{}, .value = given[i].value});
  }
}

// Whether a word that makes a value stands here; `unknown("...")` is an expression, `unknown "..."` is not.
bool InstructionParser::at_operation() {
  for (const std::string_view word : {"call", "await", "yield", "enter", "async", "catch"})
    if (scanner_.at_word(word)) return true;
  if (!scanner_.at_word("unknown")) return false;
  const size_t start = scanner_.position();
  scanner_.accept_word("unknown");
  const bool quoted = scanner_.peek_after_blanks() == '"';
  scanner_.go_back(start);
  return quoted;
}

Instruction InstructionParser::operation(ExprId target) {
  Instruction out{.kind = InstructionKind::Assign, .target = target};
  out.is_async = scanner_.accept_word("async");
  if (out.is_async || scanner_.at_word("enter")) {
    out.kind = InstructionKind::EnterWith;
    if (!scanner_.accept_word("enter")) exprs_.fail("expected `enter`");
    if (!failed()) out.value = exprs_.expr();
  } else if (scanner_.accept_word("call")) {
    call(out);
  } else if (scanner_.accept_word("await")) {
    out.kind = InstructionKind::Await;
    out.value = exprs_.expr();
  } else if (scanner_.accept_word("yield")) {
    const bool from = scanner_.accept_word("from");
    out.kind = from ? InstructionKind::YieldFrom : InstructionKind::Yield;
    out.value = from ? exprs_.expr() : optional_value();
  } else if (scanner_.accept_word("catch")) {
    out.kind = InstructionKind::Catch;
    out.value = optional_value();
  } else if (at_operation()) {
    out.kind = InstructionKind::Unknown;
    scanner_.accept_word("unknown");
    const std::optional<std::string> what = scanner_.quoted('"');
    if (what) out.symbol = builder_.symbol(*what);
    if (!what) exprs_.fail("the text between quotes has no end or an unknown escape");
    if (what) out.value = optional_value();
  } else {
    out.value = exprs_.expr();
  }
  return out;
}

std::optional<Instruction> InstructionParser::statement() {
  if (scanner_.accept_word("import")) return import();
  if (scanner_.accept_word("from")) return from_import();
  if (scanner_.accept_word("del")) return Instruction{.kind = InstructionKind::Delete, .target = exprs_.postfix(true)};
  if (scanner_.accept_word("assert")) return Instruction{.kind = InstructionKind::Assert, .value = exprs_.expr()};
  const size_t start = scanner_.position();
  const bool is_async = scanner_.accept_word("async");
  const bool leaves = scanner_.accept_word("leave");
  if (leaves || scanner_.accept_word("unwind"))
    return Instruction{
        .kind = InstructionKind::ExitWith, .is_async = is_async, .unwinds = !leaves, .value = exprs_.expr()};
  scanner_.go_back(start);
  return std::nullopt;
}

std::optional<Instruction> InstructionParser::instruction() {
  std::optional<Instruction> out = statement();
  if (!out) {
    const bool bare = at_operation();
    const ExprId target = bare ? ExprId{} : exprs_.postfix(true);
    if (bare || exprs_.expect("=")) out = operation(target);
  }
  if (out && !failed()) out->range = range();
  if (!expect_end()) return std::nullopt;
  return out;
}

}  // namespace ranklint::ir
