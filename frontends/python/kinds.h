// The words of the grammar that the lowering knows: kinds of syntax nodes, and the fields by which a node names
// its children.
#pragma once

#include <cstdint>
#include <string_view>

namespace ranklint::python {

// clang-format off: a line holds what belongs together.
enum class Kind : uint8_t {
  Other,  // named, but nothing that the lowering has a case for
  Error,  // text that fits nowhere, or the rest of a construct that is broken
  // Files and statements.
  Module, Block, ExpressionStatement, Assignment, AugmentedAssignment, ReturnStatement, DeleteStatement,
  RaiseStatement, PassStatement, BreakStatement, ContinueStatement, GlobalStatement, NonlocalStatement,
  AssertStatement, PrintStatement, ExecStatement, TypeAliasStatement, ImportStatement, ImportFromStatement,
  FutureImportStatement, DottedName, AliasedImport, RelativeImport, ImportPrefix, WildcardImport, Chevron,
  IfStatement, ElifClause, ElseClause, ForStatement, WhileStatement, TryStatement, ExceptClause, FinallyClause,
  WithStatement, WithClause, WithItem, AsPattern, AsPatternTarget,
  FunctionDefinition, ClassDefinition, DecoratedDefinition, Decorator, Parameters, LambdaParameters,
  DefaultParameter, TypedParameter, TypedDefaultParameter, ListSplatPattern, DictionarySplatPattern,
  KeywordSeparator, PositionalSeparator, TuplePattern, ListPattern, PatternList,
  // Patterns of `match`.
  MatchStatement, CaseClause, CasePattern, UnionPattern, DictPattern, ClassPattern, KeywordPattern, SplatPattern,
  ComplexPattern,
  // Expressions.
  Identifier, Attribute, Subscript, Slice, Call, ArgumentList, KeywordArgument, ListSplat, DictionarySplat,
  BinaryOperator, UnaryOperator, NotOperator, BooleanOperator, ComparisonOperator, ConditionalExpression,
  NamedExpression, Lambda, Await, Yield, ParenthesizedExpression, Tuple, ExpressionList, List, Set, Dictionary, Pair,
  ListComprehension, SetComprehension, DictionaryComprehension, GeneratorExpression, ForInClause, IfClause,
  String, ConcatenatedString, StringStart, StringContent, Interpolation, FormatSpecifier, FormatExpression,
  Integer, Float, True, False, None, Ellipsis,
  // Annotations.
  Type, GenericType, UnionType, ConstrainedType, MemberType, SplatType, TypeParameter,
  // Tokens that carry meaning; all from here on are unnamed.
  Plus, Minus, Star, Slash, SlashSlash, Percent, StarStar, At, Ampersand, Bar, Caret, ShiftLeft, ShiftRight, Tilde,
  EqualEqual, BangEqual, LessGreater, Less, LessEqual, Greater, GreaterEqual, In, NotIn, Is, IsNot, And, Or,
  PlusEqual, MinusEqual, StarEqual, SlashEqual, SlashSlashEqual, PercentEqual, StarStarEqual, AtEqual,
  AmpersandEqual, BarEqual, CaretEqual, ShiftLeftEqual, ShiftRightEqual,
  Async, From, Colon,
};

inline bool is_token(Kind kind) { return kind >= Kind::Plus; }

enum class Field : uint8_t {
  None, Alias, Alternative, Argument, Arguments, Attribute, Body, Cause, Code, Condition, Consequence, Definition,
  Expression, Function, Guard, Key, Left, ModuleName, Name, Object, Operator, Operators, Parameters, ReturnType,
  Right, Subject, Subscript, Superclasses, Type, TypeParameters, Value,
};
// clang-format on

// `Other` for a named node that has no kind of its own. Of unnamed nodes only those above are kept: false for the
// others, and for what only separates.
bool kind_of(std::string_view name, bool named, Kind& kind);
Field field_of(std::string_view name);

}  // namespace ranklint::python
