#include "frontends/cpp/containers.h"

#include <algorithm>
#include <array>

#include "frontends/cpp/names.h"

namespace ranklint::cpp {

namespace {

enum class Use : uint8_t { Other, Size, IsEmpty, Grow, Clear, Look };

Use use_of(const clang::CXXMethodDecl& method) {
  static constexpr std::array<std::pair<std::string_view, Use>, 21> kUses{{
      {"size", Use::Size},         {"length", Use::Size},     {"empty", Use::IsEmpty}, {"push_back", Use::Grow},
      {"emplace_back", Use::Grow}, {"push_front", Use::Grow}, {"insert", Use::Grow},   {"emplace", Use::Grow},
      {"push", Use::Grow},         {"clear", Use::Clear},     {"data", Use::Look},     {"begin", Use::Look},
      {"end", Use::Look},          {"rbegin", Use::Look},     {"rend", Use::Look},     {"front", Use::Look},
      {"back", Use::Look},         {"at", Use::Look},         {"find", Use::Look},     {"reserve", Use::Look},
      {"top", Use::Look},
  }};
  const std::string name = method.getNameAsString();
  for (const auto& [known, use] : kUses)
    if (known == name) return use;
  return method.isConst() || method.isOverloadedOperator() ? Use::Look : Use::Other;
}

// The container that a call is a method of; null: of none.
const clang::Expr* container_of(const clang::CallExpr& call) {
  const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
  if (!member || !member->getMethodDecl() || !member->getImplicitObjectArgument()) return nullptr;
  const clang::CXXRecordDecl* owner = member->getMethodDecl()->getParent();
  if (!owner || !owner->isInStdNamespace()) return nullptr;
  const clang::Expr* object = member->getImplicitObjectArgument();
  return is_container(object->getType()) ? object : nullptr;
}

// Only what has a name is followed.
void assign_if_named(FunctionScope& s, const clang::Expr* e, ir::ExprId value, SourceRange range) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
  const auto* v = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  if (v && v->hasLocalStorage()) assign(s, variable(s, *v), value, range);
}

bool may_write(clang::QualType parameter) {
  const clang::QualType t = parameter.getCanonicalType();
  return (t->isLValueReferenceType() || t->isPointerType()) && !t->getPointeeType().isConstQualified();
}

const clang::Expr* without_address(const clang::Expr* e) {
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(e->IgnoreParenImpCasts());
  return address && address->getOpcode() == clang::UO_AddrOf ? address->getSubExpr() : e;
}

}  // namespace

bool is_container(clang::QualType type) {
  static constexpr std::array<std::string_view, 14> kNames{"array",         "basic_string",  "deque",  "list", "map",
                                                           "multimap",      "multiset",      "queue",  "set",  "stack",
                                                           "unordered_map", "unordered_set", "vector", "span"};
  if (type.isNull()) return false;
  clang::QualType t = type.getNonReferenceType();
  if (t->isPointerType()) t = t->getPointeeType();
  const clang::CXXRecordDecl* record = t->getAsCXXRecordDecl();
  if (!record || !record->isInStdNamespace() || !record->getIdentifier()) return false;
  return std::find(kNames.begin(), kNames.end(), std::string_view(record->getName())) != kNames.end();
}

bool reads_size(const clang::CallExpr& call) {
  if (!container_of(call)) return false;
  const Use use = use_of(*llvm::cast<clang::CXXMemberCallExpr>(call).getMethodDecl());
  return use == Use::Size || use == Use::IsEmpty;
}

bool lower_container_call(FunctionScope& s, const clang::CallExpr& call) {
  const clang::Expr* object = container_of(call);
  if (!object) return false;
  const SourceRange range = s.range(call.getSourceRange());
  switch (use_of(*llvm::cast<clang::CXXMemberCallExpr>(call).getMethodDecl())) {
    case Use::Size: s.done[&call] = s.ir.call(s.ir.name("len"), {{.value = tree(s, object)}}, range); return true;
    case Use::IsEmpty: {
      const ir::ExprId length = s.ir.call(s.ir.name("len"), {{.value = tree(s, object)}}, range);
      s.done[&call] = s.ir.binary(ir::Operator::Equal, length, s.ir.integer(0));
      return true;
    }
    case Use::Grow:
      if (call.getNumArgs() != 1) {
        assign_if_named(s, object, s.ir.unknown("grown"), range);
        return false;
      }
      s.done[&call] = s.ir.call(s.ir.attribute(tree(s, object), "append"), {{.value = tree(s, call.getArg(0))}}, range);
      return true;
    case Use::Clear: assign_if_named(s, object, s.ir.sequence(ir::ExprKind::List, {}), range); return false;
    case Use::Other: assign_if_named(s, object, s.ir.unknown("written"), range); return false;
    case Use::Look: return false;
  }
  return false;
}

ir::ExprId container_made(FunctionScope& s, const clang::CXXConstructExpr& e) {
  if (!is_container(e.getType()) || e.getType()->isPointerType()) return {};
  std::vector<const clang::Expr*> given;
  for (const clang::Expr* argument : e.arguments())
    if (!llvm::isa<clang::CXXDefaultArgExpr>(argument)) given.push_back(argument);
  if (given.empty()) return s.ir.sequence(ir::ExprKind::List, {});
  const clang::QualType type = given[0]->getType();
  const bool is_whole = e.isStdInitListInitialization() || is_container(type) || type->isArrayType() ||
                        (type->isPointerType() && type->getPointeeType()->isAnyCharacterType());
  return given.size() == 1 && is_whole ? tree(s, given[0]) : s.ir.unknown("container");
}

void forget_written(FunctionScope& s, const clang::CallExpr& call) {
  const clang::FunctionDecl* f = call.getDirectCallee();
  const bool shifted = llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa_and_nonnull<clang::CXXMethodDecl>(f);
  for (unsigned i = shifted; i < call.getNumArgs(); ++i) {
    const unsigned p = shifted ? i - 1 : i;
    const clang::Expr* argument = without_address(call.getArg(i));
    if (!is_container(argument->getType()) || argument->getType()->isPointerType()) continue;
    if (!f || (p < f->getNumParams() && may_write(f->getParamDecl(p)->getType())))
      assign_if_named(s, argument, s.ir.unknown("written"), s.range(call.getSourceRange()));
  }
}

void forget_captured(FunctionScope& s, const clang::LambdaExpr& e) {
  for (const clang::LambdaCapture& capture : e.captures()) {
    if (!capture.capturesVariable() || capture.getCaptureKind() != clang::LCK_ByRef) continue;
    const auto* v = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar());
    if (v && v->hasLocalStorage() && !v->getType().isConstQualified() && is_container(v->getType()))
      assign(s, variable(s, *v), s.ir.unknown("captured"), s.range(e.getSourceRange()));
  }
}

}  // namespace ranklint::cpp
