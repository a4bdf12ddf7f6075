#include "frontends/cpp/names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

namespace ranklint::cpp {

namespace {

void replace_colons(std::string& text) {
  for (size_t at = text.find("::"); at != std::string::npos; at = text.find("::", at)) text.replace(at, 2, ".");
}

// The dotted path of scopes, without template arguments, inline namespaces and enclosing functions.
std::string dotted(const clang::NamedDecl& decl) {
  std::string path;
  for (const clang::DeclContext* scope = decl.getDeclContext(); scope; scope = scope->getParent()) {
    const auto* named = llvm::dyn_cast<clang::NamedDecl>(scope);
    if (!named) continue;
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(named);
        space && (space->isInline() || space->isAnonymousNamespace()))
      continue;
    const std::string part = named->getNameAsString();
    if (!part.empty()) path = part + "." + path;
  }
  std::string name = decl.getNameAsString();
  if (const size_t angle = name.find('<');
      angle != std::string::npos && angle > 0 && name.find("operator") == std::string::npos)
    name.resize(angle);
  return path + name;
}

// "<Lapack, Dense>": the classes of the project among the arguments of a function template. Which methods it calls
// depends on them.
std::string project_classes_given(const clang::FunctionDecl& function) {
  const clang::TemplateArgumentList* arguments = function.getTemplateSpecializationArgs();
  std::string given;
  for (unsigned i = 0; arguments && i < arguments->size(); ++i) {
    const clang::TemplateArgument& argument = arguments->get(i);
    const clang::CXXRecordDecl* record =
        argument.getKind() == clang::TemplateArgument::Type ? argument.getAsType()->getAsCXXRecordDecl() : nullptr;
    if (record && !record->isLambda() && !is_external(*record)) given += (given.empty() ? "" : ", ") + dotted(*record);
  }
  return given.empty() ? given : "<" + given + ">";
}

std::string file_name(const clang::Decl& decl) {
  const clang::SourceManager& sources = decl.getASTContext().getSourceManager();
  const std::string path = sources.getFilename(sources.getExpansionLoc(decl.getLocation())).str();
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

bool is_external(const clang::Decl& decl) {
  const clang::SourceManager& sources = decl.getASTContext().getSourceManager();
  const clang::SourceLocation at = sources.getExpansionLoc(decl.getLocation());
  return at.isInvalid() || sources.isInSystemHeader(at);
}

const clang::FunctionDecl& pattern_of(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* pattern = function.getTemplateInstantiationPattern();
  const clang::FunctionDecl& of = pattern ? *pattern : function;
  return *of.getCanonicalDecl();
}

std::string entity_name(const clang::NamedDecl& decl) {
  std::string name = dotted(decl);
  if (decl.getFormalLinkage() == clang::Linkage::Internal && !is_external(decl)) name += "#" + file_name(decl);
  return name;
}

std::string function_name(const clang::FunctionDecl& function) {
  const clang::FunctionDecl& pattern = pattern_of(function);
  std::string name = dotted(pattern);
  if (is_external(pattern) || pattern.isExternC() || pattern.isMain() ||
      !pattern.getASTContext().getLangOpts().CPlusPlus) {
    if (pattern.getFormalLinkage() == clang::Linkage::Internal && !is_external(pattern))
      name += "#" + file_name(pattern);
    return name;
  }
  name += project_classes_given(function) + "(";
  clang::PrintingPolicy policy(pattern.getASTContext().getLangOpts());
  policy.SuppressTagKeyword = true;
  for (const clang::ParmVarDecl* p : pattern.parameters()) {
    if (name.back() != '(') name += ", ";
    std::string type = p->getType().getAsString(policy);
    replace_colons(type);
    name += type;
  }
  name += ")";
  if (pattern.getFormalLinkage() == clang::Linkage::Internal) name += "#" + file_name(pattern);
  return name;
}

bool is_out_parameter(const clang::QualType& type) {
  const clang::QualType canonical = type.getCanonicalType();
  if (!canonical->isPointerType() && !canonical->isLValueReferenceType()) return false;
  const clang::QualType pointee = canonical->getPointeeType();
  if (pointee.isConstQualified() || pointee->isFunctionType() || pointee->isRecordType()) return false;
  return !pointee->isCharType() && !pointee->isDependentType();
}

bool has_out_parameters(const clang::FunctionDecl& function) {
  return std::any_of(function.param_begin(), function.param_end(),
                     [](const clang::ParmVarDecl* p) { return is_out_parameter(p->getType()); });
}

}  // namespace ranklint::cpp
