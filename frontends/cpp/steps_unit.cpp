// Functions, globals, places: the program around the steps.
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include "frontends/cpp/lowering.h"
#include "frontends/cpp/names.h"
#include "frontends/cpp/steps.h"

namespace ranklint::cpp {

using machine::Scalar;
using machine::StepKind;

namespace {

constexpr size_t kMostFunctions = 2000;
constexpr size_t kMostSteps = 1'000'000;  // of a unit: 24 MB

bool is_too_large(const StepUnit& unit) {
  return unit.program.functions.size() > kMostFunctions || unit.step_count > kMostSteps;
}

uint32_t file_index(StepUnit& unit, clang::FileID id) {
  auto [it, is_new] = unit.files.try_emplace(id, static_cast<uint32_t>(unit.program.files.size()));
  if (is_new) {
    const clang::OptionalFileEntryRef entry = unit.context.getSourceManager().getFileEntryRefForID(id);
    const bool is_own = id == unit.context.getSourceManager().getMainFileID();
    unit.program.files.push_back(is_own  ? unit.path
                                 : entry ? shown_path(unit.command, entry->getName())
                                         : std::string());
  }
  return it->second;
}

// The functions that other units may call.
void export_functions(StepUnit& unit, const clang::DeclContext& scope) {
  const clang::SourceManager& sources = unit.context.getSourceManager();
  for (const clang::Decl* decl : scope.decls()) {
    if (!sources.isInMainFile(sources.getExpansionLoc(decl->getLocation()))) continue;
    if (const auto* inner = llvm::dyn_cast<clang::DeclContext>(decl);
        inner && llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(decl))
      export_functions(unit, *inner);
    const auto* f = llvm::dyn_cast<clang::FunctionDecl>(decl);
    if (f && !llvm::isa<clang::CXXMethodDecl>(f) && f->isThisDeclarationADefinition() && f->hasBody() &&
        f->isExternallyVisible() && !f->isDependentContext())
      function_index(unit, *f);
    // A variable that others declare is set here.
    const auto* v = llvm::dyn_cast<clang::VarDecl>(decl);
    if (v && v->isExternallyVisible() && v->isThisDeclarationADefinition() && !v->getType()->isDependentType())
      global_index(unit, *v);
  }
}

// Objects that live before and after `main`, even if no code names them: what their constructors and destructors do is
// part of the program.
void take_in_objects(StepUnit& unit, const clang::DeclContext& scope) {
  for (const clang::Decl* decl : scope.decls()) {
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(decl))
      take_in_objects(unit, *llvm::cast<clang::DeclContext>(decl));
    const auto* v = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!v || !v->isThisDeclarationADefinition() || v->getType()->isDependentType()) continue;
    const clang::CXXRecordDecl* record = unit.context.getBaseElementType(v->getType())->getAsCXXRecordDecl();
    if (!record || unit.context.getSourceManager().isInSystemHeader(record->getLocation())) continue;
    const auto* made =
        llvm::dyn_cast_or_null<clang::CXXConstructExpr>(v->getInit() ? v->getInit()->IgnoreImplicit() : nullptr);
    if (record->hasNonTrivialDestructor() ||
        (made && !made->getConstructor()->isTrivial() && !made->getConstructor()->isConstexpr()))
      global_index(unit, *v);
  }
}

const clang::FunctionDecl* find_main(clang::ASTContext& context) {
  for (const clang::Decl* decl : context.getTranslationUnitDecl()->decls())
    if (const auto* f = llvm::dyn_cast<clang::FunctionDecl>(decl);
        f && f->isMain() && f->isThisDeclarationADefinition())
      return f;
  return nullptr;
}

// Whether Clang found something there that it did not understand.
bool is_broken(const StepUnit& unit, clang::SourceRange range) {
  const clang::SourceManager& sources = unit.context.getSourceManager();
  const uint32_t begin = sources.getFileLoc(range.getBegin()).getRawEncoding(),
                 end = sources.getFileLoc(range.getEnd()).getRawEncoding();
  return std::any_of(unit.notes.broken_places.begin(), unit.notes.broken_places.end(),
                     [&](uint32_t at) { return begin <= at && at <= end; });
}

// Takes the place of a function whose effect is unknown.
void replace_body(StepScope& s, const std::string& why) {
  s.function.steps.clear();
  unsupported(s, why);
}

void lower_body(StepUnit& unit, const clang::FunctionDecl& decl, uint32_t index) {
  StepScope s{.unit = unit};
  s.function.name = decl.getQualifiedNameAsString();
  if (decl.isExternallyVisible() && !decl.isMain()) s.function.exported = s.function.name;
  s.returns_reference = decl.getReturnType()->isReferenceType();
  s.place = place_of(unit, decl.getNameInfo().getSourceRange());
  s.function.place = s.place;
  for (const clang::ParmVarDecl* p : decl.parameters())
    s.variables[p] = add_variable(s, p->getType(), p->getNameAsString());
  s.function.parameter_count = static_cast<uint32_t>(decl.getNumParams());
  if (llvm::isa<clang::CXXMethodDecl>(decl)) unsupported(s, "a member function");
  unit.met_broken_type = false;
  lower_statement(s, decl.getBody());
  for (const auto& [step, label] : s.gotos)
    if (auto at = s.labels.find(label); at != s.labels.end()) s.function.steps[step].number = at->second;
  s.place = place_of(unit, clang::SourceRange(decl.getBodyRBrace()));
  if (decl.isMain()) {
    emit(s, StepKind::Int, 0);
    emit(s, StepKind::Return);
  } else {
    emit(s, StepKind::ReturnNothing);
  }
  if (unit.met_broken_type || is_broken(unit, decl.getSourceRange())) replace_body(s, "code that could not be read");
  unit.step_count += s.function.steps.size();
  unit.program.functions[index] = std::move(s.function);
}

void lower_globals(StepUnit& unit) {
  StepScope s{.unit = unit};
  s.function.name = "<globals>";
  while ((!unit.uninitialized.empty() || !unit.waiting.empty()) && !is_too_large(unit)) {
    while (!unit.uninitialized.empty()) {
      const clang::VarDecl* v = unit.uninitialized.back();
      unit.uninitialized.pop_back();
      if (v->needsDestruction(unit.context) == clang::QualType::DK_cxx_destructor) {
        unsupported(s, "an object with a destructor");
        continue;
      }
      const clang::VarDecl* with_init = nullptr;
      const clang::Expr* init = v->getAnyInitializer(with_init);
      if (!init || !has_layout(unit, v->getType()) || is_broken(unit, v->getSourceRange())) continue;
      emit(s, StepKind::Global, global_index(unit, *v));
      initialize(s, init, v->getType());
    }
    while (!unit.waiting.empty() && !is_too_large(unit)) {
      const clang::FunctionDecl* f = unit.waiting.back();
      unit.waiting.pop_back();
      lower_body(unit, *f, unit.functions[f]);
    }
  }
  emit(s, StepKind::ReturnNothing);
  unit.program.functions[0] = std::move(s.function);
}

}  // namespace

uint32_t text_index(StepUnit& unit, const std::string& text) {
  auto [it, is_new] = unit.texts.try_emplace(text, static_cast<uint32_t>(unit.program.texts.size()));
  if (is_new) unit.program.texts.push_back(text);
  return it->second;
}

uint32_t external_index(StepUnit& unit, const clang::FunctionDecl& decl) {
  const std::string name = decl.getQualifiedNameAsString();
  if (name.starts_with("MPI_") && decl.isImplicit()) unit.misses_mpi = true;
  auto [it, is_new] = unit.externals.try_emplace(name, static_cast<uint32_t>(unit.program.externals.size()));
  if (is_new) {
    unit.program.externals.push_back(name);
    unit.program.is_library.push_back(is_external(decl));
  }
  return it->second;
}

uint32_t function_index(StepUnit& unit, const clang::FunctionDecl& definition) {
  auto [it, is_new] = unit.functions.try_emplace(&definition, static_cast<uint32_t>(unit.program.functions.size()));
  if (is_new) {
    unit.program.functions.emplace_back();
    unit.waiting.push_back(&definition);
  }
  return it->second;
}

uint32_t global_index(StepUnit& unit, const clang::VarDecl& v) {
  const clang::VarDecl* key = v.getCanonicalDecl();
  auto [it, is_new] = unit.globals.try_emplace(key, static_cast<uint32_t>(unit.program.globals.size()));
  if (!is_new) return it->second;
  const clang::VarDecl* definition = v.getDefinition(unit.context);
  if (!definition) definition = key->getActingDefinition();
  machine::Variable variable{.name = v.getNameAsString()};
  if (v.isExternallyVisible()) variable.exported = v.getQualifiedNameAsString();
  if (definition) {
    variable.size_bytes = static_cast<uint64_t>(size_of(unit, definition->getType()));
    variable.element = element_of(unit.context, definition->getType());
    variable.place = place_of(unit, definition->getSourceRange());
    unit.uninitialized.push_back(definition);
  }
  unit.program.globals.push_back(std::move(variable));
  return it->second;
}

uint32_t place_of(StepUnit& unit, clang::SourceRange range) {
  const clang::SourceManager& sources = unit.context.getSourceManager();
  const SourceRange r = range_of(sources, unit.context.getLangOpts(), range);
  if (!r.known()) return 0;
  const std::pair key{range.getBegin().getRawEncoding(), range.getEnd().getRawEncoding()};
  auto [it, is_new] = unit.places.try_emplace(key, static_cast<uint32_t>(unit.program.places.size()));
  if (is_new)
    unit.program.places.push_back({file_index(unit, sources.getFileID(sources.getFileLoc(range.getBegin()))), r});
  return it->second;
}

Scalar scalar_of(const clang::ASTContext& context, clang::QualType type) {
  if (type.isNull() || type->isDependentType()) return Scalar::None;  // an expression that Clang could not type
  const clang::QualType t = type.getCanonicalType().getUnqualifiedType();
  if (t->isAnyPointerType() || t->isReferenceType() || t->isFunctionType() || t->isNullPtrType() ||
      t->isBlockPointerType())
    return Scalar::Pointer;
  if (t->isBooleanType()) return Scalar::Bool;
  if (t->isIntegralOrEnumerationType()) {
    const bool is_signed = t->isSignedIntegerOrEnumerationType();
    switch (context.getTypeSize(t)) {
      case 8: return is_signed ? Scalar::I8 : Scalar::U8;
      case 16: return is_signed ? Scalar::I16 : Scalar::U16;
      case 32: return is_signed ? Scalar::I32 : Scalar::U32;
      case 64: return is_signed ? Scalar::I64 : Scalar::U64;
      default: return Scalar::None;
    }
  }
  if (!t->isRealFloatingType()) return Scalar::None;
  switch (context.getTypeSize(t)) {
    case 32: return Scalar::F32;
    case 64: return Scalar::F64;
    case 128: return Scalar::F80;
    default: return Scalar::None;
  }
}

Scalar element_of(const clang::ASTContext& context, clang::QualType type) {
  clang::QualType t = type;
  if (t.isNull()) return Scalar::None;
  while (const clang::ArrayType* array = context.getAsArrayType(t)) t = array->getElementType();
  return scalar_of(context, t);
}

// Types of code that could not be read: `auto` of an unknown type, and records with such members.
bool has_layout(StepUnit& unit, clang::QualType type) {
  const clang::QualType element = unit.context.getBaseElementType(type);
  const clang::RecordDecl* record = element->getAsRecordDecl();
  const bool is_broken =
      element->isUndeducedType() || element->isPlaceholderType() || (record && record->isInvalidDecl());
  unit.met_broken_type |= is_broken;
  return !is_broken;
}

int64_t size_of(StepUnit& unit, clang::QualType type) {
  if (type.isNull()) return 0;
  if (type->isReferenceType()) return 8;
  if (type->isVoidType() || type->isFunctionType()) return 1;
  if (type->isIncompleteType() || type->isDependentType() || type->isVariableArrayType()) return 0;
  return has_layout(unit, type) ? unit.context.getTypeSizeInChars(type).getQuantity() : 0;
}

uint32_t add_variable(StepScope& s, clang::QualType type, const std::string& name) {
  s.function.variables.push_back({.name = name,
                                  .size_bytes = static_cast<uint64_t>(size_of(s.unit, type)),
                                  .element = element_of(s.unit.context, type),
                                  .place = s.place});
  return static_cast<uint32_t>(s.function.variables.size() - 1);
}

uint32_t emit(StepScope& s, StepKind kind, int64_t number, Scalar scalar, uint8_t detail) {
  s.function.steps.push_back({.kind = kind, .scalar = scalar, .detail = detail, .place = s.place, .number = number});
  return static_cast<uint32_t>(s.function.steps.size() - 1);
}

void aim(StepScope& s, uint32_t step) { s.function.steps[step].number = next(s); }

void aim_branch(StepScope& s, uint32_t step, uint32_t target, uint32_t join) {
  s.function.steps[step].number = machine::branch_number(target, join);
}

uint32_t next(const StepScope& s) { return static_cast<uint32_t>(s.function.steps.size()); }

void unsupported(StepScope& s, const std::string& what) { emit(s, StepKind::Unsupported, text_index(s.unit, what)); }

std::shared_ptr<const machine::Program> lower_steps(clang::ASTContext& context, const std::string& path,
                                                    const CompileCommand& command, const ParseNotes& notes) {
  const clang::FunctionDecl* main = find_main(context);
  StepUnit unit{.context = context, .path = path, .command = command, .notes = notes};
  unit.program.unit = path;
  unit.program.main = machine::Program::kNoMain;
  unit.program.functions.emplace_back();
  if (main && main->getBody()) {
    unit.program.main = function_index(unit, *main);
    unit.program.main_parameters = main->getNumParams();
    if (context.getLangOpts().CPlusPlus) take_in_objects(unit, *context.getTranslationUnitDecl());
  } else {
    export_functions(unit, *context.getTranslationUnitDecl());
  }
  lower_globals(unit);
  // Without MPI's header Clang leaves out the statements that name a communicator, and what is left is another program.
  if (unit.misses_mpi) return nullptr;
  const bool calls_others =
      std::any_of(unit.program.externals.begin(), unit.program.externals.end(),
                  [](const std::string& name) { return name.starts_with("MPI_"); }) ||
      std::find(unit.program.is_library.begin(), unit.program.is_library.end(), false) != unit.program.is_library.end();
  const bool is_of_use =
      unit.program.has_main() ? calls_others : unit.program.functions.size() > 1 || !unit.program.globals.empty();
  if (!is_of_use || is_too_large(unit)) return nullptr;
  return std::make_shared<const machine::Program>(std::move(unit.program));
}

}  // namespace ranklint::cpp
