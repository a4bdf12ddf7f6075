#include "frontends/python/kinds.h"

#include <algorithm>
#include <iterator>

namespace ranklint::python {

namespace {

struct KindName {
  std::string_view name;
  Kind kind;
};

constexpr KindName kNamed[] = {
    {"ERROR", Kind::Error},
    {"module", Kind::Module},
    {"block", Kind::Block},
    {"expression_statement", Kind::ExpressionStatement},
    {"assignment", Kind::Assignment},
    {"augmented_assignment", Kind::AugmentedAssignment},
    {"return_statement", Kind::ReturnStatement},
    {"delete_statement", Kind::DeleteStatement},
    {"raise_statement", Kind::RaiseStatement},
    {"pass_statement", Kind::PassStatement},
    {"break_statement", Kind::BreakStatement},
    {"continue_statement", Kind::ContinueStatement},
    {"global_statement", Kind::GlobalStatement},
    {"nonlocal_statement", Kind::NonlocalStatement},
    {"assert_statement", Kind::AssertStatement},
    {"print_statement", Kind::PrintStatement},
    {"exec_statement", Kind::ExecStatement},
    {"type_alias_statement", Kind::TypeAliasStatement},
    {"import_statement", Kind::ImportStatement},
    {"import_from_statement", Kind::ImportFromStatement},
    {"future_import_statement", Kind::FutureImportStatement},
    {"dotted_name", Kind::DottedName},
    {"aliased_import", Kind::AliasedImport},
    {"relative_import", Kind::RelativeImport},
    {"import_prefix", Kind::ImportPrefix},
    {"wildcard_import", Kind::WildcardImport},
    {"chevron", Kind::Chevron},
    {"if_statement", Kind::IfStatement},
    {"elif_clause", Kind::ElifClause},
    {"else_clause", Kind::ElseClause},
    {"for_statement", Kind::ForStatement},
    {"while_statement", Kind::WhileStatement},
    {"try_statement", Kind::TryStatement},
    {"except_clause", Kind::ExceptClause},
    {"finally_clause", Kind::FinallyClause},
    {"with_statement", Kind::WithStatement},
    {"with_clause", Kind::WithClause},
    {"with_item", Kind::WithItem},
    {"as_pattern", Kind::AsPattern},
    {"as_pattern_target", Kind::AsPatternTarget},
    {"function_definition", Kind::FunctionDefinition},
    {"class_definition", Kind::ClassDefinition},
    {"decorated_definition", Kind::DecoratedDefinition},
    {"decorator", Kind::Decorator},
    {"parameters", Kind::Parameters},
    {"lambda_parameters", Kind::LambdaParameters},
    {"default_parameter", Kind::DefaultParameter},
    {"typed_parameter", Kind::TypedParameter},
    {"typed_default_parameter", Kind::TypedDefaultParameter},
    {"list_splat_pattern", Kind::ListSplatPattern},
    {"dictionary_splat_pattern", Kind::DictionarySplatPattern},
    {"keyword_separator", Kind::KeywordSeparator},
    {"positional_separator", Kind::PositionalSeparator},
    {"tuple_pattern", Kind::TuplePattern},
    {"list_pattern", Kind::ListPattern},
    {"pattern_list", Kind::PatternList},
    {"match_statement", Kind::MatchStatement},
    {"case_clause", Kind::CaseClause},
    {"case_pattern", Kind::CasePattern},
    {"union_pattern", Kind::UnionPattern},
    {"dict_pattern", Kind::DictPattern},
    {"class_pattern", Kind::ClassPattern},
    {"keyword_pattern", Kind::KeywordPattern},
    {"splat_pattern", Kind::SplatPattern},
    {"complex_pattern", Kind::ComplexPattern},
    {"identifier", Kind::Identifier},
    {"attribute", Kind::Attribute},
    {"subscript", Kind::Subscript},
    {"slice", Kind::Slice},
    {"call", Kind::Call},
    {"argument_list", Kind::ArgumentList},
    {"keyword_argument", Kind::KeywordArgument},
    {"list_splat", Kind::ListSplat},
    {"dictionary_splat", Kind::DictionarySplat},
    {"binary_operator", Kind::BinaryOperator},
    {"unary_operator", Kind::UnaryOperator},
    {"not_operator", Kind::NotOperator},
    {"boolean_operator", Kind::BooleanOperator},
    {"comparison_operator", Kind::ComparisonOperator},
    {"conditional_expression", Kind::ConditionalExpression},
    {"named_expression", Kind::NamedExpression},
    {"lambda", Kind::Lambda},
    {"await", Kind::Await},
    {"yield", Kind::Yield},
    {"parenthesized_expression", Kind::ParenthesizedExpression},
    {"tuple", Kind::Tuple},
    {"expression_list", Kind::ExpressionList},
    {"list", Kind::List},
    {"set", Kind::Set},
    {"dictionary", Kind::Dictionary},
    {"pair", Kind::Pair},
    {"list_comprehension", Kind::ListComprehension},
    {"set_comprehension", Kind::SetComprehension},
    {"dictionary_comprehension", Kind::DictionaryComprehension},
    {"generator_expression", Kind::GeneratorExpression},
    {"for_in_clause", Kind::ForInClause},
    {"if_clause", Kind::IfClause},
    {"string", Kind::String},
    {"concatenated_string", Kind::ConcatenatedString},
    {"string_start", Kind::StringStart},
    {"string_content", Kind::StringContent},
    {"interpolation", Kind::Interpolation},
    {"format_specifier", Kind::FormatSpecifier},
    {"format_expression", Kind::FormatExpression},
    {"integer", Kind::Integer},
    {"float", Kind::Float},
    {"true", Kind::True},
    {"false", Kind::False},
    {"none", Kind::None},
    {"ellipsis", Kind::Ellipsis},
    {"type", Kind::Type},
    {"generic_type", Kind::GenericType},
    {"union_type", Kind::UnionType},
    {"constrained_type", Kind::ConstrainedType},
    {"member_type", Kind::MemberType},
    {"splat_type", Kind::SplatType},
    {"type_parameter", Kind::TypeParameter},
};

constexpr KindName kTokens[] = {
    {"+", Kind::Plus},
    {"-", Kind::Minus},
    {"*", Kind::Star},
    {"/", Kind::Slash},
    {"//", Kind::SlashSlash},
    {"%", Kind::Percent},
    {"**", Kind::StarStar},
    {"@", Kind::At},
    {"&", Kind::Ampersand},
    {"|", Kind::Bar},
    {"^", Kind::Caret},
    {"<<", Kind::ShiftLeft},
    {">>", Kind::ShiftRight},
    {"~", Kind::Tilde},
    {"==", Kind::EqualEqual},
    {"!=", Kind::BangEqual},
    {"<>", Kind::LessGreater},
    {"<", Kind::Less},
    {"<=", Kind::LessEqual},
    {">", Kind::Greater},
    {">=", Kind::GreaterEqual},
    {"in", Kind::In},
    {"not in", Kind::NotIn},
    {"is", Kind::Is},
    {"is not", Kind::IsNot},
    {"and", Kind::And},
    {"or", Kind::Or},
    {"+=", Kind::PlusEqual},
    {"-=", Kind::MinusEqual},
    {"*=", Kind::StarEqual},
    {"/=", Kind::SlashEqual},
    {"//=", Kind::SlashSlashEqual},
    {"%=", Kind::PercentEqual},
    {"**=", Kind::StarStarEqual},
    {"@=", Kind::AtEqual},
    {"&=", Kind::AmpersandEqual},
    {"|=", Kind::BarEqual},
    {"^=", Kind::CaretEqual},
    {"<<=", Kind::ShiftLeftEqual},
    {">>=", Kind::ShiftRightEqual},
    {"async", Kind::Async},
    {"from", Kind::From},
    {":", Kind::Colon},
};

struct FieldName {
  std::string_view name;
  Field field;
};

constexpr FieldName kFields[] = {
    {"alias", Field::Alias},
    {"alternative", Field::Alternative},
    {"argument", Field::Argument},
    {"arguments", Field::Arguments},
    {"attribute", Field::Attribute},
    {"body", Field::Body},
    {"cause", Field::Cause},
    {"code", Field::Code},
    {"condition", Field::Condition},
    {"consequence", Field::Consequence},
    {"definition", Field::Definition},
    {"expression", Field::Expression},
    {"function", Field::Function},
    {"guard", Field::Guard},
    {"key", Field::Key},
    {"left", Field::Left},
    {"module_name", Field::ModuleName},
    {"name", Field::Name},
    {"object", Field::Object},
    {"operator", Field::Operator},
    {"operators", Field::Operators},
    {"parameters", Field::Parameters},
    {"return_type", Field::ReturnType},
    {"right", Field::Right},
    {"subject", Field::Subject},
    {"subscript", Field::Subscript},
    {"superclasses", Field::Superclasses},
    {"type", Field::Type},
    {"type_parameters", Field::TypeParameters},
    {"value", Field::Value},
};

}  // namespace

bool kind_of(std::string_view name, bool named, Kind& kind) {
  const auto matches = [&](const KindName& entry) { return entry.name == name; };
  if (named) {
    const auto found = std::find_if(std::begin(kNamed), std::end(kNamed), matches);
    kind = found == std::end(kNamed) ? Kind::Other : found->kind;
    return true;
  }
  const auto found = std::find_if(std::begin(kTokens), std::end(kTokens), matches);
  if (found == std::end(kTokens)) return false;
  kind = found->kind;
  return true;
}

Field field_of(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kFields), std::end(kFields), [&](const FieldName& entry) { return entry.name == name; });
  return found == std::end(kFields) ? Field::None : found->field;
}

}  // namespace ranklint::python
