// Values: constants, operators, conversions, calls.
#include "frontends/cpp/names.h"
#include "frontends/cpp/steps.h"

namespace ranklint::cpp {

using machine::Arithmetic;
using machine::Scalar;
using machine::StepKind;

namespace {

uint8_t code(Arithmetic op) { return static_cast<uint8_t>(op); }

Arithmetic arithmetic_of(clang::BinaryOperatorKind op) {
  switch (op) {
    case clang::BO_Add:
    case clang::BO_AddAssign: return Arithmetic::Add;
    case clang::BO_Sub:
    case clang::BO_SubAssign: return Arithmetic::Subtract;
    case clang::BO_Mul:
    case clang::BO_MulAssign: return Arithmetic::Multiply;
    case clang::BO_Div:
    case clang::BO_DivAssign: return Arithmetic::Divide;
    case clang::BO_Rem:
    case clang::BO_RemAssign: return Arithmetic::Remainder;
    case clang::BO_Shl:
    case clang::BO_ShlAssign: return Arithmetic::ShiftLeft;
    case clang::BO_Shr:
    case clang::BO_ShrAssign: return Arithmetic::ShiftRight;
    case clang::BO_And:
    case clang::BO_AndAssign: return Arithmetic::And;
    case clang::BO_Or:
    case clang::BO_OrAssign: return Arithmetic::Or;
    case clang::BO_Xor:
    case clang::BO_XorAssign: return Arithmetic::Xor;
    case clang::BO_EQ: return Arithmetic::Equal;
    case clang::BO_NE: return Arithmetic::NotEqual;
    case clang::BO_LT: return Arithmetic::Less;
    case clang::BO_LE: return Arithmetic::LessEqual;
    case clang::BO_GT: return Arithmetic::Greater;
    default: return Arithmetic::GreaterEqual;
  }
}

int64_t pointee_size(StepScope& s, clang::QualType pointer) { return size_of(s.unit, pointer->getPointeeType()); }

Scalar scalar(StepScope& s, const clang::Expr* e) { return scalar_of(s.unit.context, e->getType()); }

// The operands are on the stack: an integer moves a pointer.
void move_pointer(StepScope& s, clang::QualType pointer, bool back) {
  if (back) emit(s, StepKind::Unary, 0, Scalar::I64, code(Arithmetic::Negate));
  emit(s, StepKind::Index, pointee_size(s, pointer));
}

void additive(StepScope& s, const clang::BinaryOperator& e) {
  const bool left = e.getLHS()->getType()->isPointerType(), right = e.getRHS()->getType()->isPointerType();
  if (!left && right) {
    value(s, e.getRHS());
    value(s, e.getLHS());
    return move_pointer(s, e.getRHS()->getType(), false);
  }
  value(s, e.getLHS());
  value(s, e.getRHS());
  if (left && right)
    emit(s, StepKind::Distance, pointee_size(s, e.getLHS()->getType()));
  else if (left)
    move_pointer(s, e.getLHS()->getType(), e.getOpcode() == clang::BO_Sub);
  else
    emit(s, StepKind::Binary, 0, scalar(s, &e), code(arithmetic_of(e.getOpcode())));
}

void compound(StepScope& s, const clang::CompoundAssignOperator& e) {
  const Scalar kept = scalar(s, e.getLHS());
  if (kept == Scalar::None) return unsupported(s, "arithmetic on a type of its own");
  place_of_expression(s, e.getLHS());
  emit(s, StepKind::Duplicate);
  emit(s, StepKind::Load, 0, kept);
  if (kept == Scalar::Pointer) {
    value(s, e.getRHS());
    move_pointer(s, e.getLHS()->getType(), e.getOpcode() == clang::BO_SubAssign);
  } else {
    const Scalar computed = scalar_of(s.unit.context, e.getComputationLHSType());
    emit(s, StepKind::Convert, 0, computed);
    value(s, e.getRHS());
    emit(s, StepKind::Binary, 0, computed, code(arithmetic_of(e.getOpcode())));
    emit(s, StepKind::Convert, 0, kept);
  }
  s.place = place_of(s.unit, e.getSourceRange());
  emit(s, StepKind::Store, 0, kept);
}

void logical(StepScope& s, const clang::BinaryOperator& e) {
  value(s, e.getLHS());
  emit(s, StepKind::Convert, 0, Scalar::Bool);
  const uint32_t over = emit(s, e.getOpcode() == clang::BO_LAnd ? StepKind::AndElse : StepKind::OrElse);
  value(s, e.getRHS());
  emit(s, StepKind::Convert, 0, Scalar::Bool);
  aim(s, over);
}

void binary_value(StepScope& s, const clang::BinaryOperator& e) {
  if (e.isLogicalOp()) return logical(s, e);
  if (e.getOpcode() == clang::BO_Comma) {
    value(s, e.getLHS());
    emit(s, StepKind::Pop);
    return value(s, e.getRHS());
  }
  if (e.getOpcode() == clang::BO_Assign) {
    place_of_expression(s, e.getLHS());
    value(s, e.getRHS());
    s.place = place_of(s.unit, e.getSourceRange());
    return assign_top(s, e.getLHS()->getType());
  }
  if (const auto* assign = llvm::dyn_cast<clang::CompoundAssignOperator>(&e)) return compound(s, *assign);
  if (e.isAdditiveOp()) return additive(s, e);
  value(s, e.getLHS());
  value(s, e.getRHS());
  emit(s, StepKind::Binary, 0, scalar(s, e.getLHS()), code(arithmetic_of(e.getOpcode())));
}

void unary_value(StepScope& s, const clang::UnaryOperator& e) {
  switch (e.getOpcode()) {
    case clang::UO_AddrOf: return place_of_expression(s, e.getSubExpr());
    case clang::UO_Deref:
      value(s, e.getSubExpr());
      if (!e.getType()->isRecordType() && !e.getType()->isFunctionType()) emit(s, StepKind::Load, 0, scalar(s, &e));
      return;
    case clang::UO_Plus:
    case clang::UO_Extension: return value(s, e.getSubExpr());
    case clang::UO_Minus:
    case clang::UO_Not:
    case clang::UO_LNot:
      value(s, e.getSubExpr());
      emit(s, StepKind::Unary, 0, scalar(s, &e),
           code(e.getOpcode() == clang::UO_Minus ? Arithmetic::Negate
                : e.getOpcode() == clang::UO_Not ? Arithmetic::Invert
                                                 : Arithmetic::Not));
      return;
    case clang::UO_PreInc:
    case clang::UO_PreDec:
    case clang::UO_PostInc:
    case clang::UO_PostDec: {
      const Scalar kept = scalar(s, e.getSubExpr());
      if (kept == Scalar::None) return unsupported(s, "arithmetic on a type of its own");
      place_of_expression(s, e.getSubExpr());
      s.place = place_of(s.unit, e.getSourceRange());
      const int64_t by = kept == Scalar::Pointer ? pointee_size(s, e.getSubExpr()->getType()) : 1;
      emit(s, StepKind::Add, e.isIncrementOp() ? by : -by, kept, e.isPostfix());
      return;
    }
    default: return unsupported(s, "an operator");
  }
}

// Memory from malloc gets the type as which it is first seen.
void element_of_cast(StepScope& s, const clang::CastExpr& e) {
  if (!e.getType()->isPointerType() || !e.getSubExpr()->getType()->isVoidPointerType()) return;
  if (!llvm::isa<clang::CallExpr>(e.getSubExpr()->IgnoreParenCasts())) return;
  const Scalar element = element_of(s.unit.context, e.getType()->getPointeeType());
  if (element != Scalar::None) emit(s, StepKind::Element, 0, element);
}

void cast_value(StepScope& s, const clang::CastExpr& e) {
  const clang::Expr* sub = e.getSubExpr();
  switch (e.getCastKind()) {
    case clang::CK_LValueToRValue:
      place_of_expression(s, sub);
      if (e.getType()->isRecordType()) return;
      if (scalar(s, &e) == Scalar::None) return unsupported(s, "a value of a type of its own");
      s.place = place_of(s.unit, sub->getSourceRange());
      emit(s, StepKind::Load, 0, scalar(s, &e));
      return;
    case clang::CK_ArrayToPointerDecay:
    case clang::CK_FunctionToPointerDecay: return place_of_expression(s, sub);
    case clang::CK_NullToPointer: emit(s, StepKind::Null); return;
    case clang::CK_BitCast:
    case clang::CK_NoOp: value(s, sub); return element_of_cast(s, e);
    case clang::CK_IntegralCast:
    case clang::CK_FloatingCast:
    case clang::CK_IntegralToFloating:
    case clang::CK_FloatingToIntegral:
    case clang::CK_IntegralToBoolean:
    case clang::CK_FloatingToBoolean:
    case clang::CK_PointerToBoolean:
    case clang::CK_IntegralToPointer:
    case clang::CK_PointerToIntegral:
    case clang::CK_BooleanToSignedIntegral:
      value(s, sub);
      emit(s, StepKind::Convert, 0, scalar(s, &e));
      return;
    case clang::CK_ToVoid: return value(s, sub);
    case clang::CK_BuiltinFnToFnPtr: return place_of_expression(s, sub);
    default: return unsupported(s, std::string("a conversion ") + e.getCastKindName());
  }
}

void conditional_value(StepScope& s, const clang::ConditionalOperator& e) {
  value(s, e.getCond());
  const uint32_t branch = emit(s, StepKind::Branch);
  value(s, e.getTrueExpr());
  const uint32_t over = emit(s, StepKind::Jump);
  const uint32_t target = next(s);
  value(s, e.getFalseExpr());
  aim(s, over);
  aim_branch(s, branch, target, next(s));
}

void argument(StepScope& s, const clang::Expr* e, clang::QualType parameter) {
  if (!parameter.isNull() && parameter->isReferenceType()) return place_of_expression(s, e);
  value(s, e);
}

void call_value(StepScope& s, const clang::CallExpr& call) {
  if (llvm::isa<clang::CXXMemberCallExpr, clang::CXXOperatorCallExpr>(call))
    return unsupported(s, "a call of a member");
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!callee) value(s, call.getCallee());
  if (call.getNumArgs() > 250) return unsupported(s, "a call with many arguments");
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const bool named = callee && i < callee->getNumParams();
    argument(s, call.getArg(i), named ? callee->getParamDecl(i)->getType() : clang::QualType());
  }
  s.place = place_of(s.unit, call.getSourceRange());
  const auto count = static_cast<uint8_t>(call.getNumArgs());
  const clang::FunctionDecl* definition = nullptr;
  if (!callee)
    emit(s, StepKind::CallPointer, 0, Scalar::None, count);
  else if (callee->hasBody(definition) && !is_external(*definition))
    emit(s, StepKind::Call, function_index(s.unit, *definition), Scalar::None, count);
  else
    emit(s, StepKind::CallExternal, external_index(s.unit, *callee), Scalar::None, count);
  if (callee && callee->getReturnType()->isReferenceType() && !call.isGLValue())
    emit(s, StepKind::Load, 0, scalar(s, &call));
}

bool constant_value(StepScope& s, const clang::Expr* e) {
  if (e->isValueDependent() || !e->getType()->isIntegralOrEnumerationType()) return false;
  clang::Expr::EvalResult result;
  if (!e->EvaluateAsInt(result, s.unit.context) || result.HasSideEffects ||
      result.Val.getInt().getSignificantBits() > 64)
    return false;
  emit(s, StepKind::Int, static_cast<int64_t>(result.Val.getInt().extOrTrunc(64).getZExtValue()));
  return true;
}

void real_value(StepScope& s, const clang::FloatingLiteral& e) {
  emit(s, StepKind::Real, std::bit_cast<int64_t>(e.getValueAsApproximateDouble()));
}

// `sizeof` of an array whose length is only known at run time.
void size_value(StepScope& s, const clang::UnaryExprOrTypeTraitExpr& e) {
  clang::QualType type = e.getTypeOfArgument();
  int count = 0;
  while (const auto* array = s.unit.context.getAsVariableArrayType(type)) {
    value(s, array->getSizeExpr());
    if (count++) emit(s, StepKind::Binary, 0, Scalar::I64, code(Arithmetic::Multiply));
    type = array->getElementType();
  }
  if (!count) return unsupported(s, "an unknown size");
  emit(s, StepKind::Int, size_of(s.unit, type));
  emit(s, StepKind::Binary, 0, Scalar::I64, code(Arithmetic::Multiply));
}

void statement_value(StepScope& s, const clang::StmtExpr& e) {
  const clang::CompoundStmt* body = e.getSubStmt();
  const clang::Stmt* last = body->body_empty() ? nullptr : body->body_back();
  for (const clang::Stmt* part : body->body())
    if (part != last) lower_statement(s, part);
  const auto* result = llvm::dyn_cast_or_null<clang::Expr>(last);
  if (result && !e.getType()->isVoidType()) return value(s, result);
  lower_statement(s, last);
  emit(s, StepKind::Int, 0);
}

}  // namespace

void assign_top(StepScope& s, clang::QualType type) {
  const Scalar kept = scalar_of(s.unit.context, type);
  if (type->isRecordType() || type->isArrayType() || type->isAnyComplexType())
    emit(s, StepKind::CopyRecord, size_of(s.unit, type));
  else if (kept == Scalar::None)
    unsupported(s, "a value of a type of its own");
  else
    emit(s, StepKind::Store, 0, kept);
}

void value(StepScope& s, const clang::Expr* e) {
  e = e->IgnoreParens();
  if (e->containsErrors() || e->isInstantiationDependent()) return unsupported(s, "an expression that has no type");
  if (constant_value(s, e)) return;
  if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(e)) return value(s, constant->getSubExpr());
  if (const auto* clean = llvm::dyn_cast<clang::ExprWithCleanups>(e)) return value(s, clean->getSubExpr());
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) return cast_value(s, *cast);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e)) return binary_value(s, *binary);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e)) return unary_value(s, *unary);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e)) return call_value(s, *call);
  if (const auto* conditional = llvm::dyn_cast<clang::ConditionalOperator>(e))
    return conditional_value(s, *conditional);
  if (const auto* number = llvm::dyn_cast<clang::FloatingLiteral>(e)) return real_value(s, *number);
  if (const auto* size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(e)) return size_value(s, *size);
  if (const auto* statement = llvm::dyn_cast<clang::StmtExpr>(e)) return statement_value(s, *statement);
  if (const auto* standard = llvm::dyn_cast<clang::CXXDefaultArgExpr>(e)) return value(s, standard->getExpr());
  if (llvm::isa<clang::ImplicitValueInitExpr, clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr,
                clang::CXXScalarValueInitExpr>(e)) {
    emit(s, e->getType()->isPointerType() ? StepKind::Null : StepKind::Int);
    return;
  }
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(e))
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl())) {
      const clang::FunctionDecl* definition = nullptr;
      if (function->hasBody(definition) && !is_external(*definition))
        emit(s, StepKind::FunctionAddress, function_index(s.unit, *definition));
      else
        emit(s, StepKind::ExternalAddress, external_index(s.unit, *function));
      return;
    }
  if (e->isGLValue() && !llvm::isa<clang::CXXThisExpr>(e)) {
    if (llvm::isa<clang::DeclRefExpr, clang::MemberExpr, clang::ArraySubscriptExpr, clang::StringLiteral,
                  clang::CompoundLiteralExpr, clang::MaterializeTemporaryExpr, clang::PredefinedExpr>(e))
      return place_of_expression(s, e);
  }
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(e);
      list && list->getNumInits() == 1 && e->getType()->isScalarType())
    return value(s, list->getInit(0));
  unsupported(s, std::string("an expression of class ") + e->getStmtClassName());
}

}  // namespace ranklint::cpp
