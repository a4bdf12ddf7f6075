// Addresses of places, and how objects get their first value.
#include <clang/AST/RecordLayout.h>

#include "frontends/cpp/steps.h"

namespace ranklint::cpp {

using machine::Scalar;
using machine::StepKind;

namespace {

void place_of_variable(StepScope& s, const clang::VarDecl& v) {
  const auto found = s.variables.find(&v);
  if (found != s.variables.end())
    emit(s, StepKind::Local, found->second);
  else if (v.hasGlobalStorage())
    emit(s, StepKind::Global, global_index(s.unit, v));
  else
    return unsupported(s, "a variable of another function");
  if (v.getType()->isReferenceType()) emit(s, StepKind::Load, 0, Scalar::Pointer);
}

void place_of_member(StepScope& s, const clang::MemberExpr& e) {
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(e.getMemberDecl());
  if (!field || field->isBitField()) {
    if (const auto* v = llvm::dyn_cast<clang::VarDecl>(e.getMemberDecl())) return place_of_variable(s, *v);
    return unsupported(s, "a member that is no plain field");
  }
  if (!has_layout(s.unit, s.unit.context.getRecordType(field->getParent())))
    return unsupported(s, "a record that could not be read");
  if (e.isArrow())
    value(s, e.getBase());
  else
    place_of_expression(s, e.getBase());
  emit(s, StepKind::Offset, static_cast<int64_t>(s.unit.context.getFieldOffset(field) / 8));
  if (field->getType()->isReferenceType()) emit(s, StepKind::Load, 0, Scalar::Pointer);
}

// `auto [a, b] = pair;`: a part of the object that has no name.
void place_of_binding(StepScope& s, const clang::BindingDecl& binding) {
  if (const clang::VarDecl* part = binding.getHoldingVar()) return place_of_variable(s, *part);
  if (const clang::Expr* part = binding.getBinding()) return place_of_expression(s, part);
  unsupported(s, "a name that is no variable");
}

void place_of_temporary(StepScope& s, const clang::Expr* init, clang::QualType type) {
  const uint32_t slot = add_variable(s, type, "");
  emit(s, StepKind::Fresh, slot);
  emit(s, StepKind::Local, slot);
  emit(s, StepKind::Duplicate);
  initialize(s, init, type);
}

void place_of_conditional(StepScope& s, const clang::ConditionalOperator& e) {
  value(s, e.getCond());
  const uint32_t branch = emit(s, StepKind::Branch);
  place_of_expression(s, e.getTrueExpr());
  const uint32_t over = emit(s, StepKind::Jump);
  const uint32_t target = next(s);
  place_of_expression(s, e.getFalseExpr());
  aim(s, over);
  aim_branch(s, branch, target, next(s));
}

void initialize_list(StepScope& s, const clang::InitListExpr& list, clang::QualType type) {
  const clang::ASTContext& context = s.unit.context;
  if (const int64_t size = size_of(s.unit, type)) {
    emit(s, StepKind::Duplicate);
    emit(s, StepKind::Zero, size);
  }
  auto part = [&](int64_t offset, const clang::Expr* init, clang::QualType of) {
    if (!init || llvm::isa<clang::ImplicitValueInitExpr>(init)) return;
    emit(s, StepKind::Duplicate);
    emit(s, StepKind::Offset, offset);
    initialize(s, init, of);
  };
  if (const clang::ArrayType* array = context.getAsArrayType(type)) {
    const int64_t element = size_of(s.unit, array->getElementType());
    for (unsigned i = 0; i < list.getNumInits(); ++i) part(i * element, list.getInit(i), array->getElementType());
  } else if (const clang::RecordDecl* record = type->getAsRecordDecl(); record && has_layout(s.unit, type)) {
    unsigned i = 0;
    for (const clang::FieldDecl* field : record->fields()) {
      if (field->isUnnamedBitField()) continue;
      if (record->isUnion() && field != list.getInitializedFieldInUnion()) continue;
      if (i < list.getNumInits() && !field->isBitField())
        part(static_cast<int64_t>(context.getFieldOffset(field) / 8), list.getInit(i), field->getType());
      ++i;
    }
  }
  emit(s, StepKind::Pop);
}

}  // namespace

void place_of_expression(StepScope& s, const clang::Expr* e) {
  e = e->IgnoreParens();
  if (e->containsErrors() || e->isInstantiationDependent()) return unsupported(s, "an expression that has no type");
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    if (const auto* v = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) return place_of_variable(s, *v);
    if (const auto* binding = llvm::dyn_cast<clang::BindingDecl>(reference->getDecl()))
      return place_of_binding(s, *binding);
    if (llvm::isa<clang::FunctionDecl>(reference->getDecl())) return value(s, e);
    return unsupported(s, "a name that is no variable");
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) return place_of_member(s, *member);
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    value(s, subscript->getBase());
    value(s, subscript->getIdx());
    if (!size_of(s.unit, e->getType())) return unsupported(s, "an element of unknown size");
    emit(s, StepKind::Index, size_of(s.unit, e->getType()));
    return;
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e); unary && unary->getOpcode() == clang::UO_Deref)
    return value(s, unary->getSubExpr());
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e); cast && cast->isGLValue())
    return place_of_expression(s, cast->getSubExpr());
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e); cast && cast->getCastKind() == clang::CK_NoOp)
    return place_of_expression(s, cast->getSubExpr());
  if (const auto* text = llvm::dyn_cast<clang::StringLiteral>(e)) {
    emit(s, StepKind::Text, text_index(s.unit, text->getCharByteWidth() == 1 ? text->getString().str() : ""));
    return;
  }
  if (llvm::isa<clang::PredefinedExpr>(e)) {
    emit(s, StepKind::Text, text_index(s.unit, ""));
    return;
  }
  if (const auto* compound = llvm::dyn_cast<clang::CompoundLiteralExpr>(e))
    return place_of_temporary(s, compound->getInitializer(), e->getType());
  if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
    return place_of_temporary(s, temporary->getSubExpr(), e->getType());
  if (const auto* clean = llvm::dyn_cast<clang::ExprWithCleanups>(e))
    return place_of_expression(s, clean->getSubExpr());
  if (const auto* conditional = llvm::dyn_cast<clang::ConditionalOperator>(e))
    return place_of_conditional(s, *conditional);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e); binary && binary->getOpcode() == clang::BO_Comma) {
    value(s, binary->getLHS());
    emit(s, StepKind::Pop);
    return place_of_expression(s, binary->getRHS());
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e);
      unary && unary->isPrefix() && unary->isIncrementDecrementOp()) {
    value(s, e);
    emit(s, StepKind::Pop);
    return place_of_expression(s, unary->getSubExpr());
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e);
      binary && binary->isAssignmentOp() && e->isGLValue()) {
    value(s, e);
    emit(s, StepKind::Pop);
    return place_of_expression(s, binary->getLHS());
  }
  value(s, e);  // a record's value is its address
}

void initialize(StepScope& s, const clang::Expr* init, clang::QualType type) {
  const clang::Expr* e = init->IgnoreParens();
  if (const auto* clean = llvm::dyn_cast<clang::ExprWithCleanups>(e)) return initialize(s, clean->getSubExpr(), type);
  if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(e)) return initialize(s, constant->getSubExpr(), type);
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(e)) {
    if (list->getType()->isArrayType() && list->isStringLiteralInit()) return initialize(s, list->getInit(0), type);
    if (list->getType()->isScalarType() && list->getNumInits() == 1) return initialize(s, list->getInit(0), type);
    return initialize_list(s, *list, type);
  }
  if (llvm::isa<clang::ImplicitValueInitExpr, clang::CXXScalarValueInitExpr>(e)) {
    emit(s, StepKind::Zero, size_of(s.unit, type));
    return;
  }
  if (const auto* text = llvm::dyn_cast<clang::StringLiteral>(e)) {
    emit(s, StepKind::Duplicate);
    emit(s, StepKind::Zero, size_of(s.unit, type));
    place_of_expression(s, text);
    emit(s, StepKind::CopyRecord,
         std::min<int64_t>(size_of(s.unit, type), static_cast<int64_t>(text->getLength()) + 1));
    emit(s, StepKind::Pop);
    return;
  }
  if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(e)) {
    if (construct->getNumArgs() == 0 && construct->getConstructor()->isTrivial()) {
      emit(s, StepKind::Pop);
      return;
    }
    if (construct->getNumArgs() != 1 || !construct->getConstructor()->isCopyOrMoveConstructor() ||
        !construct->getConstructor()->isTrivial())
      return unsupported(s, "a constructor");
    place_of_expression(s, construct->getArg(0));
  } else {
    value(s, e);
  }
  assign_top(s, type);
  emit(s, StepKind::Pop);
}

}  // namespace ranklint::cpp
