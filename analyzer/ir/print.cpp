#include "analyzer/ir/print.h"

#include <algorithm>

#include "analyzer/ir/builder.h"
#include "analyzer/ir/expr_printer.h"

namespace ranklint::ir {

static constexpr size_t kFactColumn = 62;

static std::string list(std::span<const std::string> items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
  return out;
}

static std::string range_text(const SourceRange& r) {
  return " @" + std::to_string(r.line) + ":" + std::to_string(r.column) + "-" + std::to_string(r.end_line) + ":" +
         std::to_string(r.end_column);
}

static std::string import_text(const Module& module, const ExprPrinter& exprs, const Instruction& i,
                               std::string_view target_name) {
  const std::string_view path = module.text(i.symbol);
  if (!i.name.valid()) {
    std::string out = "import " + path_text(path);
    return i.binds_leaf ? out + " as " + exprs.text(i.target, kPostfixLevel) : out;
  }
  const std::string_view name = module.text(i.name);
  std::string out = "from " + std::string(i.level, '.');
  if (!path.empty()) out += path_text(path);
  if (name == "*") return out + " import *";
  out += " import " + member_text(name);
  return target_name == name ? out : out + " as " + exprs.text(i.target, kPostfixLevel);
}

namespace {

class FunctionPrinter {
 public:
  FunctionPrinter(const References& references, FunctionId id, const PrintOptions& options)
      : references_(references),
        module_(references.module),
        id_(id),
        f_(module_.functions[id]),
        options_(options),
        exprs_(references, f_) {}

  std::string text() {
    header();
    attributes();
    for (uint32_t b = 0; b < f_.blocks.size(); ++b) block(BlockId{b});
    return out_ + "}\n";
  }

 private:
  void line(std::string text) { out_ += text + "\n"; }

  std::string located(const SourceRange& range) const {
    return options_.locations && range.known() ? range_text(range) : "";
  }

  void line_with_fact(std::string text, AnnotationPoint place) {
    if (const auto fact = options_.facts.find(place); fact != options_.facts.end()) {
      text.resize(std::max(text.size() + 1, kFactColumn), ' ');
      text += "; " + fact->second;
    }
    line(std::move(text));
  }

  std::string label(BlockId id) const {
    return "^" + (f_.blocks.contains(id) ? member_text(module_.text(f_.blocks[id].label)) : "<invalid>");
  }

  void header() {
    std::string out = f_.is_async ? "async func " : "func ";
    out += references_.function(id_) + "(" + parameters() + ")";
    if (f_.return_annotation.valid()) out += " -> " + exprs_.text(f_.return_annotation);
    // The second range is the name's; it cannot stand alone.
    if (options_.locations && (f_.range.known() || f_.name_range.known())) out += range_text(f_.range);
    line(out + located(f_.name_range) + " {");
  }

  std::string parameter(const Parameter& p) const {
    std::string out = p.kind == ParameterKind::Star ? "*" : p.kind == ParameterKind::DoubleStar ? "**" : "";
    out += member_text(module_.text(p.name));
    if (p.annotation.valid()) out += ": " + exprs_.text(p.annotation);
    if (p.default_value.valid()) out += " = " + exprs_.text(p.default_value);
    return out;
  }

  // `/` stands after the last positional-only parameter, `*` before keyword-only ones without a `*args`.
  std::string parameters() const {
    std::vector<std::string> items;
    ParameterKind before = ParameterKind::Positional;
    for (const Parameter& p : f_.parameters) {
      if (before == ParameterKind::PositionalOnly && p.kind != before) items.emplace_back("/");
      const bool star_before = before == ParameterKind::Star || before == ParameterKind::KeywordOnly;
      if (p.kind == ParameterKind::KeywordOnly && !star_before) items.emplace_back("*");
      items.push_back(parameter(p));
      before = p.kind;
    }
    if (before == ParameterKind::PositionalOnly) items.emplace_back("/");
    return list(items);
  }

  void attributes() {
    const std::string_view name = module_.text(f_.name);
    if (name != last_part(module_.text(f_.qualified_name))) line("  name " + member_text(name));
    if (f_.kind != default_kind(name)) line("  kind " + std::string(kind_words()[static_cast<size_t>(f_.kind)]));
    if (f_.is_generator) line("  generator");
    if (f_.parent.valid()) line("  parent " + references_.function(f_.parent));
    if (f_.owner.valid()) line("  owner " + references_.class_(f_.owner));
    for (const ExprId decorator : f_.decorators) line("  decorator " + exprs_.text(decorator));
    names("globals", f_.globals);
    names("nonlocals", f_.nonlocals);
  }

  void names(std::string_view word, std::span<const Symbol> symbols) {
    if (symbols.empty()) return;
    std::vector<std::string> texts;
    for (const Symbol s : symbols) texts.push_back(member_text(module_.text(s)));
    line("  " + std::string(word) + " " + list(texts));
  }

  void block(BlockId id) {
    const Block& b = f_.blocks[id];
    line(label(id) + ":" + (b.handler.valid() ? " handler " + label(b.handler) : ""));
    for (uint32_t i = 0; i < b.instructions.size(); ++i) {
      const Instruction& instruction = b.instructions[i];
      line_with_fact("  " + instruction_text(instruction) + located(instruction.range), {id_, id, i});
    }
    line_with_fact("  " + terminator_text(b.terminator) + located(b.terminator.range),
                   {id_, id, static_cast<uint32_t>(b.instructions.size())});
  }

  std::string target_prefix(const Instruction& i) const {
    return i.target.valid() ? exprs_.text(i.target, kPostfixLevel) + " = " : "";
  }

  std::string optional_value(std::string_view word, ExprId value) const {
    return std::string(word) + (value.valid() ? " " + exprs_.text(value) : "");
  }

  // A callee that is itself a call stands in parentheses: the last pair belongs to the instruction.
  std::string call_text(const Instruction& i) const {
    const bool nested = f_.exprs.contains(i.value) && f_.exprs[i.value].kind == ExprKind::Call;
    std::vector<std::string> items;
    if (uint64_t{i.first_argument} + i.argument_count > f_.arguments.size()) {
      items.emplace_back("<invalid>");
    } else {
      for (const Argument& a : arguments(f_, i)) items.push_back(exprs_.argument(a));
    }
    return "call " + exprs_.text(i.value, nested ? kPrimaryLevel : kPostfixLevel) + "(" + list(items) + ")";
  }

  std::string_view name_of(ExprId id) const {
    const bool name = f_.exprs.contains(id) && f_.exprs[id].kind == ExprKind::Name;
    return name ? module_.text(f_.exprs[id].symbol) : std::string_view("");
  }

  std::string instruction_text(const Instruction& i) const {
    const std::string async = i.is_async ? "async " : "";
    switch (i.kind) {
      case InstructionKind::Assign: return target_prefix(i) + exprs_.text(i.value);
      case InstructionKind::Call: return target_prefix(i) + call_text(i);
      case InstructionKind::Await: return target_prefix(i) + "await " + exprs_.text(i.value);
      case InstructionKind::Yield: return target_prefix(i) + optional_value("yield", i.value);
      case InstructionKind::YieldFrom: return target_prefix(i) + "yield from " + exprs_.text(i.value);
      case InstructionKind::EnterWith: return target_prefix(i) + async + "enter " + exprs_.text(i.value);
      case InstructionKind::ExitWith: return async + (i.unwinds ? "unwind " : "leave ") + exprs_.text(i.value);
      case InstructionKind::Import: return import_text(module_, exprs_, i, name_of(i.target));
      case InstructionKind::Delete: return "del " + exprs_.text(i.target, kPostfixLevel);
      case InstructionKind::Catch: return target_prefix(i) + optional_value("catch", i.value);
      case InstructionKind::Assert: return "assert " + exprs_.text(i.value);
      case InstructionKind::Unknown:
        return target_prefix(i) + optional_value("unknown " + ir::quoted(module_.text(i.symbol), '"'), i.value);
    }
    return "<invalid>";
  }

  std::string choice(const Terminator& t) const {
    return exprs_.text(t.value) + " ? " + label(t.successors[0]) + " : " + label(t.successors[1]);
  }

  std::string terminator_text(const Terminator& t) const {
    switch (t.kind) {
      case TerminatorKind::Jump: return "jump " + label(t.successors[0]);
      case TerminatorKind::Branch: return (t.is_loop ? "while " : "branch ") + choice(t);
      case TerminatorKind::Iterate: return "for " + exprs_.text(t.target, kPostfixLevel) + " in " + choice(t);
      case TerminatorKind::Return: return optional_value("return", t.value);
      case TerminatorKind::Raise: return optional_value("raise", t.value);
      case TerminatorKind::Except: return "except " + choice(t);
      case TerminatorKind::Unreachable: return "unreachable";
    }
    return "<invalid>";
  }

  const References& references_;
  const Module& module_;
  const FunctionId id_;
  const Function& f_;
  const PrintOptions& options_;
  const ExprPrinter exprs_;
  std::string out_;
};

class ModulePrinter {
 public:
  ModulePrinter(const Module& module, const PrintOptions& options)
      : module_(module), options_(options), references_(module) {}

  std::string text() {
    head();
    for (uint32_t c = 0; c < module_.classes.size(); ++c) class_(ClassId{c});
    for (uint32_t f = 0; f < module_.functions.size(); ++f)
      item(FunctionPrinter(references_, FunctionId{f}, options_).text());
    std::string annotations;
    for (const Annotation& a : module_.annotations) annotations += annotation(a);
    item(annotations);
    return out_;
  }

 private:
  // Items are separated by an empty line.
  void item(const std::string& text) {
    if (text.empty()) return;
    if (!out_.empty()) out_ += "\n";
    out_ += text;
  }

  std::string located(const SourceRange& range) const {
    return options_.locations && range.known() ? range_text(range) : "";
  }

  void head() {
    std::string out;
    const auto add = [&](std::string_view word, const std::string& value) {
      if (!value.empty()) out += std::string(word) + " " + ir::quoted(value, '"') + "\n";
    };
    add("module", module_.path);
    add("name", module_.name);
    std::string conventions;
    for (size_t c = 0; c < convention_words().size(); ++c)
      if (module_.has(static_cast<Convention>(c))) conventions += " " + std::string(convention_words()[c]);
    if (!module_.language.empty() || !conventions.empty())
      out += "language " + ir::quoted(module_.language, '"') + conventions + "\n";
    if (module_.unknown_count > 0) out += "unknowns " + std::to_string(module_.unknown_count) + "\n";
    for (const Pragma& p : module_.pragmas)
      out +=
          std::string(p.own_line ? "pragma own_line " : "pragma ") + ir::quoted(p.text, '"') + located(p.range) + "\n";
    for (const Start& s : module_.starts) {
      out += "start " + ir::quoted(s.script, '"');
      for (const std::string& word : s.words) out += " " + ir::quoted(word, '"');
      out += located(s.range) + "\n";
    }
    for (const Diagnostic& d : module_.diagnostics)
      out += "diagnostic " + ir::quoted(d.message, '"') + located(d.range) + "\n";
    item(out);
  }

  std::vector<FunctionId> owned_by(ClassId id) const {
    std::vector<FunctionId> out;
    for (uint32_t f = 0; f < module_.functions.size(); ++f)
      if (module_.functions[FunctionId{f}].owner == id) out.push_back(FunctionId{f});
    return out;
  }

  void class_(ClassId id) {
    const Function no_scope;
    const Class& c = module_.classes[id];
    const bool has_scope = module_.functions.contains(c.scope);
    const ExprPrinter exprs(references_, has_scope ? module_.functions[c.scope] : no_scope);
    std::vector<std::string> items;
    for (const ExprId base : c.bases) items.push_back(exprs.text(base, kStarredLevel));
    for (const Argument& keyword : c.keywords) items.push_back(exprs.argument(keyword));
    const std::string_view name = module_.text(c.name);

    std::string out = "class " + references_.class_(id) + "(" + list(items) + ")" + located(c.range) + " {\n";
    if (c.scope != FunctionId{0}) out += "  scope " + references_.function(c.scope) + "\n";
    if (name != last_part(module_.text(c.qualified_name))) out += "  name " + member_text(name) + "\n";
    if (c.body.valid()) out += "  body " + references_.function(c.body) + "\n";
    for (const ExprId decorator : c.decorators) out += "  decorator " + exprs.text(decorator) + "\n";
    if (c.methods != owned_by(id)) out += "  methods" + methods(c) + "\n";
    item(out + "}\n");
  }

  std::string methods(const Class& c) const {
    std::vector<std::string> items;
    for (const FunctionId method : c.methods) items.push_back(references_.function(method));
    return items.empty() ? "" : " " + list(items);
  }

  std::string annotation(const Annotation& a) const {
    const std::string where = "annotation " + references_.function(a.function) + ": ";
    if (!module_.functions.contains(a.function)) return where + "<invalid>\n";
    const ExprPrinter exprs(references_, module_.functions[a.function]);
    return where + exprs.text(a.target, kPostfixLevel) + ": " + exprs.text(a.annotation) + "\n";
  }

  const Module& module_;
  const PrintOptions& options_;
  const References references_;
  std::string out_;
};

}  // namespace

std::string print(const Module& module, const PrintOptions& options) { return ModulePrinter(module, options).text(); }

std::string print_function(const Module& module, FunctionId id, const PrintOptions& options) {
  return FunctionPrinter(References(module), id, options).text();
}

std::string print_expr(const Module& module, const Function& function, ExprId expr) {
  return ExprPrinter(References(module), function).text(expr);
}

}  // namespace ranklint::ir
