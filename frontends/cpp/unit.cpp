// Declarations, classes, files: what of a translation unit is lowered, and into which module.
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/Support/Path.h>

#include <optional>
#include <set>

#include "analyzer/base/contain.h"
#include "analyzer/ir/quotes.h"
#include "frontends/cpp/conventions.h"
#include "frontends/cpp/frontend.h"
#include "frontends/cpp/invocation.h"
#include "frontends/cpp/lowering.h"
#include "frontends/cpp/names.h"
#include "frontends/cpp/pragmas.h"
#include "frontends/cpp/steps.h"

namespace ranklint::cpp {

SourceRange range_of(const clang::SourceManager& sources, const clang::LangOptions& language,
                     clang::SourceRange range) {
  if (range.isInvalid()) return {};
  // Inside a macro: the argument as written, else the macro's use. `MPI_CHECK(MPI_Barrier(comm))` is the barrier.
  const clang::SourceLocation begin = sources.getFileLoc(range.getBegin());
  clang::SourceLocation end = range.getEnd();
  if (end.isMacroID()) {
    const clang::SourceLocation spelled = sources.getFileLoc(end);
    end = sources.isMacroArgExpansion(end) ? spelled : sources.getExpansionRange(end).getEnd();
    if (end.isMacroID()) end = sources.getFileLoc(end);
  }
  end = clang::Lexer::getLocForEndOfToken(end, 0, sources, language);
  SourceRange out;
  out.line = sources.getSpellingLineNumber(begin);
  out.column = sources.getSpellingColumnNumber(begin);
  if (end.isInvalid() || sources.getFileID(end) != sources.getFileID(begin)) end = begin;
  out.end_line = sources.getSpellingLineNumber(end);
  out.end_column = sources.getSpellingColumnNumber(end);
  if (out.end_line < out.line || (out.end_line == out.line && out.end_column < out.column)) {
    out.end_line = out.line;
    out.end_column = out.column;
  }
  return out;
}

// A header's path as the project's files are shown: relative to where the run started when it lies below, else
// absolute.
std::string shown_path(const CompileCommand& command, llvm::StringRef name) {
  llvm::SmallString<256> path(name);
  if (!llvm::sys::path::is_absolute(path) && !command.directory.empty()) {
    path = command.directory;
    llvm::sys::path::append(path, name);
  }
  llvm::sys::path::remove_dots(path, true);
  const std::string& from = command.shown_from;
  if (!from.empty() && path.starts_with(from) && path.size() > from.size() && path[from.size()] == '/')
    return path.substr(from.size() + 1).str();
  return path.str().str();
}

FileModule* file_of(Unit& unit, const clang::Decl& decl) {
  const clang::SourceManager& sources = unit.sources();
  const clang::SourceLocation at = sources.getExpansionLoc(decl.getLocation());
  if (at.isInvalid() || sources.isInSystemHeader(at)) return nullptr;
  const clang::FileID id = sources.getFileID(at);
  if (auto found = unit.by_id.find(id); found != unit.by_id.end()) return found->second;
  const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(id);
  if (!entry) return unit.by_id[id] = nullptr;
  const std::string path = shown_path(unit.command, entry->getName());
  for (auto& file : unit.files)
    if (file->module.path == path) return unit.by_id[id] = file.get();
  auto file = std::make_unique<FileModule>();
  file->module.path = path;
  file->module.language = "cpp";
  file->module.conventions = kCppConventions;
  file->top = std::make_unique<ir::FunctionBuilder>(
      file->module, ir::add_function(file->module, "<module>", ir::FunctionKind::Module));
  unit.files.push_back(std::move(file));
  return unit.by_id[id] = unit.files.back().get();
}

ir::ClassId class_of(Unit& unit, FileModule& file, const clang::CXXRecordDecl& record) {
  const clang::CXXRecordDecl* pattern = record.getTemplateInstantiationPattern();
  const clang::CXXRecordDecl& of = pattern ? *pattern : record;
  const std::string name = entity_name(of);
  if (auto found = file.classes.find(name); found != file.classes.end()) return found->second;
  ir::FunctionBuilder& top = *file.top;
  const SourceRange range = range_of(unit.sources(), unit.context.getLangOpts(), of.getSourceRange());
  ir::Class c{.name = top.symbol(of.getNameAsString()),
              .qualified_name = top.symbol(name),
              .scope = ir::FunctionId{0},
              .range = range};
  if (of.hasDefinition())
    for (const clang::CXXBaseSpecifier& base : of.bases())
      if (const clang::CXXRecordDecl* b = base.getType()->getAsCXXRecordDecl())
        c.bases.push_back(top.name(entity_name(*b)));
  const ir::ClassId id = file.module.classes.push_back(c);
  file.classes[name] = id;
  top.assign(top.name(name), top.class_ref(id), range);
  return id;
}

namespace {

// Functions with bodies, global variables and classes of the project's files, in the order in which they stand.
class Finder : public clang::RecursiveASTVisitor<Finder> {
 public:
  explicit Finder(Unit& unit) : unit_(unit) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(clang::Decl* decl) {
    // System headers are most of a unit; nothing in them is lowered.
    if (decl && !llvm::isa<clang::TranslationUnitDecl>(decl) && is_external(*decl)) return true;
    return RecursiveASTVisitor::TraverseDecl(decl);
  }

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    const bool is_body = function->isThisDeclarationADefinition() && function->hasBody();
    if ((!is_body && !(function->isPureVirtual() && !function->hasBody())) || function->isDependentContext())
      return true;
    if (function->isDefaulted() || is_lambda(*function)) return true;
    if (FileModule* file = file_of(unit_, *function)) lower_function(unit_, *file, *function, nullptr);
    return true;
  }

  bool VisitCXXRecordDecl(clang::CXXRecordDecl* record) {
    if (!record->isThisDeclarationADefinition() || record->isLambda() || record->isDependentContext()) return true;
    if (FileModule* file = file_of(unit_, *record)) class_of(unit_, *file, *record);
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* v) {
    if (!v->hasGlobalStorage() || v->isStaticLocal() || v->getDeclContext()->isDependentContext()) return true;
    if (FileModule* file = file_of(unit_, *v)) globals_.emplace_back(file, v);
    return true;
  }

  // Behind the functions, so that a table of them finds its entries.
  void lower_globals() {
    for (const auto& [file, v] : globals_) {
      ir::FunctionBuilder& top = *file->top;
      const clang::Expr* init = v->getInit();
      ir::ExprId value;
      clang::Expr::EvalResult result;
      if (init && !init->isValueDependent() && init->getType()->isIntegralOrEnumerationType() &&
          init->EvaluateAsInt(result, unit_.context))
        value = integer(top, result.Val.getInt());
      else if (init)
        value = table(top, init);
      else if (v->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly)
        value = top.none();  // nothing is known of it before somebody writes it
      else
        continue;
      top.assign(top.name(entity_name(*v)), value,
                 range_of(unit_.sources(), unit_.context.getLangOpts(), v->getSourceRange()));
    }
  }

 private:
  static bool is_lambda(const clang::FunctionDecl& function) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    return method && method->getParent()->isLambda();
  }

  // A list of functions, or of lists of them; anything else is unknown.
  static ir::ExprId table(ir::FunctionBuilder& top, const clang::Expr* init) {
    init = init->IgnoreParenImpCasts();
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(init))
      init = unary->getSubExpr()->IgnoreParenImpCasts();
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(init))
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()))
        return top.name(function_name(*function));
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(init)) {
      std::vector<ir::ExprId> parts;
      for (const clang::Expr* part : list->inits()) parts.push_back(table(top, part));
      return top.sequence(ir::ExprKind::List, parts);
    }
    return top.unknown("initializer");
  }

  Unit& unit_;
  std::vector<std::pair<FileModule*, const clang::VarDecl*>> globals_;
};

}  // namespace

std::vector<std::string> included_by(clang::ASTContext& context, const CompileCommand& command) {
  const clang::SourceManager& sources = context.getSourceManager();
  std::set<std::string> paths;
  for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
    const clang::SrcMgr::SLocEntry& entry = sources.getLocalSLocEntry(i);
    if (!entry.isFile() || clang::SrcMgr::isSystem(entry.getFile().getFileCharacteristic())) continue;
    const clang::OptionalFileEntryRef file = entry.getFile().getContentCache().OrigEntry;
    if (file && &file->getFileEntry() != sources.getFileEntryForID(sources.getMainFileID()))
      paths.insert(shown_path(command, file->getName()));
  }
  return {paths.begin(), paths.end()};
}

std::vector<ir::Module> lower_unit(clang::ASTContext& context, const std::string& path, const CompileCommand& command) {
  Unit unit{.context = context, .command = command};
  auto main = std::make_unique<FileModule>();
  main->module.path = path;
  main->module.language = "cpp";
  main->module.conventions = kCppConventions;
  main->top = std::make_unique<ir::FunctionBuilder>(
      main->module, ir::add_function(main->module, "<module>", ir::FunctionKind::Module));
  unit.files.push_back(std::move(main));
  unit.by_id[unit.sources().getMainFileID()] = unit.files.front().get();
  Finder finder(unit);
  finder.TraverseDecl(context.getTranslationUnitDecl());
  finder.lower_globals();
  for (const auto& [id, file] : unit.by_id)
    if (file && file->module.quotes.empty())
      ir::quote_conditions(file->module, std::string_view(unit.sources().getBufferData(id)));
  std::vector<ir::Module> modules;
  for (auto& file : unit.files) {
    file->top->return_({}, {});
    ir::shrink_to_fit(file->module);
    if (modules.empty() || file->module.functions.size() > 1) modules.push_back(std::move(file->module));
  }
  return modules;
}

}  // namespace ranklint::cpp

#ifdef RANKLINT_SANITIZED
// LLVM's allocator marks what it has not given out yet where it is compiled with the sanitizer, as it is here, and
// gives it out unmarked where it is not, as in Clang's own libraries.
extern "C" const char* __asan_default_options() { return "allow_user_poisoning=0"; }
#endif

namespace ranklint {

CppUnit lower_cpp(const std::string& path, std::string_view bytes, const CompileCommand& command) {
  CppUnit unit;
  bool is_whole = false;
  // A command starts in a folder of its own: the file goes by its absolute path there.
  const bool relative = !path.starts_with('/') && !command.directory.empty() && !command.shown_from.empty();
  cpp::ParseNotes notes = cpp::parse_unit(relative ? command.shown_from + "/" + path : path, bytes, command,
                                          [&](clang::ASTContext& context, const cpp::ParseNotes& so_far) {
                                            // Here, because Clang is built without exceptions: none may pass through
                                            // it.
                                            std::optional<std::string> broken = contain([&] {
                                              unit.modules = cpp::lower_unit(context, path, command);
                                              unit.included = cpp::included_by(context, command);
                                              is_whole = true;
                                              unit.program = cpp::lower_steps(context, path, command, so_far);
                                            });
                                            if (broken) unit.broken = std::move(*broken);
                                          });
  if ((notes.crashed || !unit.broken.empty()) && !is_whole) unit.modules.clear();
  if (unit.modules.empty()) {
    ir::Module module;
    module.path = path;
    module.language = "cpp";
    module.conventions = kCppConventions;
    ir::FunctionBuilder top(module, ir::add_function(module, "<module>", ir::FunctionKind::Module));
    top.return_({}, {});
    notes.diagnostics.push_back({.range = {1, 1, 1, 1}, .message = "the file could not be read as C or C++"});
    unit.modules.push_back(std::move(module));
  }
  unit.modules.front().diagnostics = std::move(notes.diagnostics);
  unit.seen = std::move(notes.seen);
  for (ir::Module& module : unit.modules) module.incomplete = notes.misses_headers;
  unit.modules.front().pragmas = cpp::find_pragmas(bytes);
  return unit;
}

}  // namespace ranklint
