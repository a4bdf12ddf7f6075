// Reading rules is a table, as reading models is: a key, and what it fills.
#include "rules/declarative/reader.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "analyzer/base/library_requirement.h"
#include "analyzer/resolve/model_json.h"
#include "analyzer/resolve/model_reader.h"
#include "analyzer/resolve/model_words.h"
#include "rules/severity_words.h"

namespace ranklint {
namespace declarative {  // here a place is one in a text of JSON, and not one in a program

using model_json::Json;
using model_json::JsonNode;
using model_json::listed;
using model_json::Reading;

namespace {

constexpr std::array kGuards{
    Word<GuardTest>{"rank-dependent", GuardTest::RankDependent}, Word<GuardTest>{"local", GuardTest::Local},
    Word<GuardTest>{"divergent", GuardTest::Divergent}, Word<GuardTest>{"divergent-choice", GuardTest::DivergentChoice},
    Word<GuardTest>{"none", GuardTest::None}};
constexpr std::array kTests{
    Word<ValueTest>{"given", ValueTest::Given},       Word<ValueTest>{"absent", ValueTest::Absent},
    Word<ValueTest>{"none", ValueTest::None},         Word<ValueTest>{"not-none", ValueTest::NotNone},
    Word<ValueTest>{"constant", ValueTest::Constant}, Word<ValueTest>{"string", ValueTest::String},
    Word<ValueTest>{"integer", ValueTest::Integer},   Word<ValueTest>{"known", ValueTest::Known},
    Word<ValueTest>{"unknown", ValueTest::Unknown},   Word<ValueTest>{"rank-dependent", ValueTest::RankDependent},
    Word<ValueTest>{"local", ValueTest::Local},       Word<ValueTest>{"divergent", ValueTest::Divergent},
    Word<ValueTest>{"uniform", ValueTest::Uniform},
};

bool is_id(std::string_view text) {
  return !text.empty() && text.front() >= 'a' && text.front() <= 'z' && text.back() != '-' &&
         text.find("--") == text.npos &&
         std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

bool is_code(std::string_view text) {
  const size_t digits = std::min(text.find_first_of("0123456789"), text.size());
  return digits >= 1 && digits <= 8 && text.size() > digits && text.size() - digits <= 5 &&
         std::ranges::all_of(text.substr(0, digits), [](char c) { return c >= 'A' && c <= 'Z'; }) &&
         text.find_first_not_of("0123456789", digits) == text.npos;
}

// As in models; or a kind of model: "<collective>".
bool is_call_pattern(std::string_view text) {
  if (text.starts_with("*.") || text.starts_with("?.")) text.remove_prefix(2);
  return !text.empty() && text.front() != '.' && text.back() != '.' && text.find("..") == text.npos &&
         text.find_first_of("*?<> \t\n") == text.npos;
}

bool is_pattern(std::string_view text) { return !text.empty(); }

class RuleReader {
 public:
  RuleReader(const std::string& path, RuleOrigin origin) : json_("rule", path), origin_(origin) {}

  bool read_file(const Json& file, std::vector<DeclaredRule>& rules) {
    const JsonNode root{file};
    if (!file.is_object()) return json_.fail(root, "expected a rule, or an object with `rules`");
    if (!file.contains("rules")) return read_rule(root, rules.emplace_back());
    constexpr std::array<std::string_view, 3> kKeys{"$schema", "note", "rules"};
    if (!json_.object_with(root, kKeys)) return false;
    const JsonNode list = root.at("rules");
    if (!list.value.is_array()) return json_.fail(list, "expected a list of rules");
    for (size_t i = 0; i < list.value.size(); ++i)
      if (!read_rule(list.at(i), rules.emplace_back())) return false;
    return true;
  }
  const Reading& reading() const { return json_; }

 private:
  using Texts = std::vector<std::string>;
  struct Field {
    std::string_view key;
    bool (*set)(RuleReader&, const JsonNode&, DeclaredRule&);
  };

  bool read_checked(const JsonNode& place, bool (*accepts)(std::string_view), const std::string& what,
                    std::string& out) {
    if (!place.value.is_string() || !accepts(place.value.get_ref<const std::string&>()))
      return json_.fail(place, "expected " + what);
    out = place.value.get_ref<const std::string&>();
    return true;
  }

  // One, or a list of them.
  bool read_texts(const JsonNode& place, bool (*accepts)(std::string_view), const std::string& what, Texts& out) {
    if (place.value.is_string()) return read_checked(place, accepts, what, out.emplace_back());
    if (!place.value.is_array() || place.value.empty())
      return json_.fail(place, "expected " + what + ", or a list of such");
    for (size_t i = 0; i < place.value.size(); ++i)
      if (!read_checked(place.at(i), accepts, what, out.emplace_back())) return false;
    return true;
  }

  bool read_calls(const JsonNode& place, Texts& out) {
    if (!place.value.is_object())
      return read_texts(place, is_call_pattern, "the name of a call, or a pattern that begins with `*.` or `?.`", out);
    constexpr std::array<std::string_view, 1> kKeys{"kind"};
    if (!json_.object_with(place, kKeys)) return false;
    if (!place.value.contains("kind")) return json_.fail(place, "expected the key `kind`");
    const JsonNode kind = place.at("kind");
    for (int k = 0; k <= static_cast<int>(ModelKind::Class); ++k)
      if (kind.value == word_of(static_cast<ModelKind>(k))) {
        out.push_back("<" + kind.value.get<std::string>() + ">");
        return true;
      }
    return json_.fail(kind, "expected a kind of model, as docs/models.md lists them");
  }

  bool read_names(const JsonNode& place, Texts& out) {
    return read_texts(place, is_call_pattern, "the name of a call", out);
  }
  bool read_patterns(const JsonNode& place, Texts& out) { return read_texts(place, is_pattern, "a pattern", out); }

  bool read_literal(const JsonNode& place, Literal& out) {
    const Json& value = place.value;
    if (value.is_structured()) return json_.fail(place, "expected null, true, false, a number or a string");
    if (value.is_null()) out.kind = Literal::Kind::None;
    if (value.is_boolean()) out = {Literal::Kind::Bool, value.get<bool>(), {}};
    if (value.is_number_integer()) out = {Literal::Kind::Integer, value.get<int64_t>(), {}};
    if (value.is_number_float()) out = {Literal::Kind::Text, 0, value.dump()};
    if (value.is_string()) out = {Literal::Kind::Text, 0, value.get<std::string>()};
    return true;
  }

  bool read_literals(const JsonNode& place, std::vector<Literal>& out) {
    if (!place.value.is_array()) return read_literal(place, out.emplace_back());
    if (place.value.empty()) return json_.fail(place, "expected a value, or a list of them");
    for (size_t i = 0; i < place.value.size(); ++i)
      if (!read_literal(place.at(i), out.emplace_back())) return false;
    return true;
  }

  bool read_tests(const JsonNode& place, std::vector<ValueTest>& out) {
    if (!place.value.is_array()) return json_.read_enum(place, kTests, out.emplace_back());
    if (place.value.empty()) return json_.fail(place, "expected a word, or a list of them");
    for (size_t i = 0; i < place.value.size(); ++i)
      if (!json_.read_enum(place.at(i), kTests, out.emplace_back())) return false;
    return true;
  }

  bool read_integer(const JsonNode& place, std::optional<int64_t>& out) {
    if (!place.value.is_number_integer()) return json_.fail(place, "expected an integer");
    out = place.value.get<int64_t>();
    return true;
  }

  bool read_argument_test(const JsonNode& place, ArgumentTest& out) {
    constexpr std::array<std::string_view, 8> kKeys{"argument", "equals",    "not_equals",   "matches",
                                                    "is",       "less_than", "greater_than", "default"};
    if (!json_.object_with(place, kKeys)) return false;
    const auto has = [&](const char* key) { return place.value.contains(key); };
    if (!has("argument")) return json_.fail(place, "expected the key `argument`");
    if (place.value.size() < (has("default") ? 3u : 2u))
      return json_.fail(place,
                        "expected what must hold of the argument: `equals`, `not_equals`, `matches`, `is`, `less_than` "
                        "or `greater_than`");
    return json_.read_argument(place.at("argument"), out.argument) &&
           (!has("equals") || read_literals(place.at("equals"), out.one_of)) &&
           (!has("not_equals") || read_literals(place.at("not_equals"), out.none_of)) &&
           (!has("matches") || read_patterns(place.at("matches"), out.matches)) &&
           (!has("is") || read_tests(place.at("is"), out.is)) &&
           (!has("less_than") || read_integer(place.at("less_than"), out.less_than)) &&
           (!has("greater_than") || read_integer(place.at("greater_than"), out.greater_than)) &&
           (!has("default") || read_literal(place.at("default"), out.default_value.emplace()));
  }

  bool read_arguments(const JsonNode& place, std::vector<ArgumentTest>& out) {
    if (!place.value.is_array() || place.value.empty()) return json_.fail(place, "expected a list of arguments");
    for (size_t i = 0; i < place.value.size(); ++i)
      if (!read_argument_test(place.at(i), out.emplace_back())) return false;
    return true;
  }

  bool read_surroundings(const JsonNode& place, Surroundings& out) {
    constexpr std::array<std::string_view, 6> kKeys{"function", "class", "file", "decorator", "context", "loop"};
    if (!json_.object_with(place, kKeys)) return false;
    if (place.value.empty()) return json_.fail(place, "expected one of " + listed(kKeys));
    const auto patterns = [&](const char* key, Texts& texts) {
      return !place.value.contains(key) || read_patterns(place.at(key), texts);
    };
    return patterns("function", out.function) && patterns("class", out.klass) && patterns("file", out.file) &&
           patterns("decorator", out.decorator) && patterns("context", out.context) &&
           (!place.value.contains("loop") || json_.read_flag(place.at("loop"), out.loop.emplace()));
  }

  // A message with a placeholder that nothing will fill is a mistake that is better reported now.
  bool read_message(const JsonNode& place, std::string& out) {
    if (!json_.read_text(place, out)) return false;
    for (size_t open = out.find('{'); open != out.npos; open = out.find('{', open + 1)) {
      const size_t close = out.find('}', open);
      const std::string_view word =
          std::string_view(out).substr(open + 1, close == out.npos ? close : close - open - 1);
      if (close == out.npos || !(std::ranges::find(kPlaceholders, word) != std::end(kPlaceholders) ||
                                 (word.starts_with("argument:") && word.size() > 9)))
        return json_.fail(place, "expected a text whose placeholders are {argument:NAME} and " + listed(kPlaceholders));
    }
    return true;
  }

  bool read_code(const JsonNode& place, std::string& out) {
    if (!read_checked(place, is_code, "a code: capital letters and a number, as in `TEAM12`", out)) return false;
    return origin_ == RuleOrigin::BuiltIn || !out.starts_with("RL") ||
           json_.fail(place, "expected a code that does not begin with `RL`, which ranklint's own have");
  }

  static std::span<const Field> fields() {
    using R = RuleReader;
    using D = DeclaredRule;
    static constexpr std::array<Field, 26> kFields{{
        {"$schema", [](R&, const JsonNode&, D&) { return true; }},
        {"id", [](R&, const JsonNode&, D&) { return true; }},  // read_rule
        {"code", [](R& r, const JsonNode& p, D& d) { return r.read_code(p, d.code); }},
        {"summary", [](R& r, const JsonNode& p, D& d) { return r.json_.read_text(p, d.summary); }},
        {"since", [](R& r, const JsonNode& p, D& d) { return r.json_.read_text(p, d.since); }},
        {"needs",
         [](R& r, const JsonNode& p, D& d) {
           return r.read_texts(p, is_first_version, "a requirement that names the first version, as in torch>=2.2",
                               d.needs);
         }},
        {"severity", [](R& r, const JsonNode& p, D& d) { return r.json_.read_enum(p, kSeverityWords, d.severity); }},
        {"confidence",
         [](R& r, const JsonNode& p, D& d) { return r.json_.read_enum(p, kConfidenceWords, d.confidence); }},
        {"premise", [](R& r, const JsonNode& p, D& d) { return r.json_.read_text(p, d.premise); }},
        {"default", [](R& r, const JsonNode& p, D& d) { return r.json_.read_flag(p, d.default_on); }},
        {"call", [](R& r, const JsonNode& p, D& d) { return r.read_calls(p, d.calls); }},
        {"arguments", [](R& r, const JsonNode& p, D& d) { return r.read_arguments(p, d.arguments); }},
        {"guard", [](R& r, const JsonNode& p, D& d) { return r.json_.read_enum(p, kGuards, d.guard.emplace()); }},
        {"inside", [](R& r, const JsonNode& p, D& d) { return r.read_surroundings(p, d.inside); }},
        {"outside", [](R& r, const JsonNode& p, D& d) { return r.read_surroundings(p, d.outside); }},
        {"after", [](R& r, const JsonNode& p, D& d) { return r.read_names(p, d.order.after); }},
        {"before", [](R& r, const JsonNode& p, D& d) { return r.read_names(p, d.order.before); }},
        {"not_after", [](R& r, const JsonNode& p, D& d) { return r.read_names(p, d.order.not_after); }},
        {"not_before", [](R& r, const JsonNode& p, D& d) { return r.read_names(p, d.order.not_before); }},
        {"nowhere", [](R& r, const JsonNode& p, D& d) { return r.read_names(p, d.order.nowhere); }},
        {"message", [](R& r, const JsonNode& p, D& d) { return r.read_message(p, d.message); }},
        {"help", [](R& r, const JsonNode& p, D& d) { return r.read_message(p, d.help); }},
        {"waits_in", [](R& r, const JsonNode& p, D& d) { return r.json_.read_text(p, d.waits_in); }},
        {"page", [](R& r, const JsonNode& p, D& d) { return r.json_.read_text(p, d.page); }},
        {"note",
         [](R& r, const JsonNode& p, D&) {
           std::string note;
           return r.json_.read_text(p, note);
         }},
        {"references",
         [](R& r, const JsonNode& p, D&) {
           Texts texts;
           return r.read_texts(p, is_pattern, "a reference", texts);
         }},
    }};
    return kFields;
  }

  bool read_rule(const JsonNode& place, DeclaredRule& out) {
    json_.begin({});
    if (!place.value.is_object()) return json_.fail(place, "expected a rule, an object");
    for (std::string required : {"id", "code", "summary", "call", "message"})
      if (!place.value.contains(required)) return json_.fail(place, "expected the key `" + required + "`");
    if (!read_checked(place.at("id"), is_id, "an id: words of small letters and digits joined by `-`", out.id))
      return false;
    json_.begin(out.id);
    for (const auto& item : place.value.items()) {
      const JsonNode value{item.value(), &place, item.key()};
      const auto field = std::ranges::find(fields(), item.key(), &Field::key);
      if (field == fields().end()) {
        std::vector<std::string_view> keys;
        for (const Field& known : fields()) keys.push_back(known.key);
        return json_.unknown_key(value, keys);
      }
      if (!field->set(*this, value, out)) return false;
    }
    return (ids_.insert(out.id).second ||
            json_.fail(place.at("id"), "expected an id that no other rule of the file has")) &&
           (ids_.insert(out.code).second ||
            json_.fail(place.at("code"), "expected a code that no other rule of the file has"));
  }

  Reading json_;
  RuleOrigin origin_;
  std::set<std::string> ids_;  // and codes
};

}  // namespace

static Result<std::vector<DeclaredRule>> read(std::string_view json, const std::string& path, RuleOrigin origin) {
  const Json file = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (file.is_discarded()) return model_json::syntax_error(json, path);
  RuleReader reader(path, origin);
  std::vector<DeclaredRule> rules;
  if (!reader.read_file(file, rules))
    return model_json::with_position(reader.reading().error(), json, reader.reading().failed_at());
  return rules;
}

}  // namespace declarative

Result<std::vector<DeclaredRule>> read_rules(std::string_view json, const std::string& path, RuleOrigin origin) {
  return declarative::read(json, path, origin);
}

}  // namespace ranklint
