// Reading models is a table: a key, and the member of Model that it fills. What a value must look like is said
// where it is read, so that the error can say what was expected and what was found.
#include "analyzer/resolve/model_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include "analyzer/base/library_requirement.h"
#include "analyzer/resolve/model_json.h"
#include "analyzer/resolve/model_words.h"

namespace ranklint {

using namespace model_json;

namespace {

// An axis: a word in small letters, for it is shown in messages and written in the IR.
bool is_axis(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

// "a.b", "*.B.c" or "?.c": no empty part, a pattern's sign only in front and with something after it.
bool is_name(std::string_view text) {
  if (text.starts_with("?.")) return text.size() > 2 && text.find('.', 2) == std::string_view::npos;
  if (text.starts_with("*.")) text.remove_prefix(2);
  return !text.empty() && text.front() != '.' && text.back() != '.' && text.find("..") == std::string_view::npos &&
         text.find_first_of("*? \t\n") == std::string_view::npos;
}

// "loader", "*loader", "train_*", "*rank*", "<tp>".
bool is_word_pattern(std::string_view text) {
  if (text.starts_with('<') && text.ends_with('>')) return is_axis(text.substr(1, text.size() - 2));
  if (text.starts_with('*')) text.remove_prefix(1);
  if (text.ends_with('*')) text.remove_suffix(1);
  // The words of a path stand between `/`.
  std::string word(text);
  std::erase(word, '/');
  return is_axis(word);
}

bool is_word_without_star(std::string_view text) { return is_word_pattern(text) && text.find('*') == text.npos; }

// Whether names of the meaning say of which axes they are.
bool is_about_axes(NameMeaning meaning) {
  return meaning == NameMeaning::OwnRank || meaning == NameMeaning::FirstRank || meaning == NameMeaning::Axis ||
         meaning == NameMeaning::ShortAxis;
}

// Reads one file.
class ModelReader {
 public:
  explicit ModelReader(const std::string& path) : json_("model", path) {}

  bool read_file(const Json& file, ModelFile& out);
  const Reading& reading() const { return json_; }

 private:
  using Setter = bool (*)(ModelReader&, const JsonNode&, Model&);
  struct Field {
    std::string_view key;
    Setter set;
  };
  static std::span<const Field> fields();

  bool read_name(const JsonNode& place, std::string& out);
  bool read_words(const JsonNode& place, bool (*accepts)(std::string_view), const std::string& what,
                  std::vector<std::string>& out);

  bool read_axes(const JsonNode& place, std::vector<std::string>& out);
  bool read_keywords(const JsonNode& place, std::vector<ArgumentCondition::Keyword>& out);
  bool read_group(const JsonNode& place, GroupSpec& out);
  bool read_condition(const JsonNode& place, ArgumentCondition& out);
  bool read_conditions(const JsonNode& place, std::vector<ArgumentCondition>& out);
  bool read_model(const JsonNode& place, NamedModel& out);
  bool check_model(const JsonNode& place, const Model& model);
  bool read_modules(const JsonNode& place);
  bool read_prefixes(const JsonNode& place);
  bool read_function(const JsonNode& place, std::string& out);
  bool read_role(const JsonNode& place, RoleEntry entry, ModelFile& out);
  bool read_roles(const JsonNode& place, ModelFile& out);
  bool read_prior(const JsonNode& place, NamePrior prior, ModelFile& out);
  bool read_names(const JsonNode& place, ModelFile& out);
  void add_other_names(const std::string& name, std::vector<std::string>& aliases) const;

  Reading json_;
  std::map<std::string, std::vector<std::string>> modules_;   // a module and the others its names can be had from
  std::map<std::string, std::vector<std::string>> prefixes_;  // what names begin with, and other ways to begin them
};

bool ModelReader::read_name(const JsonNode& place, std::string& out) {
  if (!place.value.is_string() || !is_name(place.value.get_ref<const std::string&>()))
    return json_.fail(place, "expected a qualified name, or a pattern that begins with `*.` or `?.`");
  out = place.value.get_ref<const std::string&>();
  return true;
}

bool ModelReader::read_words(const JsonNode& place, bool (*accepts)(std::string_view), const std::string& what,
                             std::vector<std::string>& out) {
  if (!place.value.is_array() || place.value.empty()) return json_.fail(place, "expected a list of " + what);
  for (size_t i = 0; i < place.value.size(); ++i) {
    const JsonNode word = place.at(i);
    if (!word.value.is_string() || !accepts(word.value.get_ref<const std::string&>()))
      return json_.fail(word, "expected one of " + what);
    out.push_back(word.value.get_ref<const std::string&>());
  }
  return true;
}

bool ModelReader::read_axes(const JsonNode& place, std::vector<std::string>& out) {
  return read_words(place, is_axis, "axes: words of small letters, digits and `_`", out);
}

// "world", "receiver", "of-receiver", "unknown", or {"argument": ..., "otherwise": ...} or {"argument": ..., "axes":
// [...]}.
bool ModelReader::read_group(const JsonNode& place, GroupSpec& out) {
  constexpr std::array<std::string_view, 4> kKeys{"argument", "or", "otherwise", "axes"};
  if (place.value.is_string()) return json_.read_enum(place, kOtherwise, out.otherwise);
  if (!json_.object_with(place, kKeys)) return false;
  if (place.value.contains("argument") && !json_.read_argument(place.at("argument"), out.argument)) return false;
  if (place.value.contains("or") && !json_.read_argument(place.at("or"), out.or_argument)) return false;
  if (!place.value.contains("axes"))
    return !place.value.contains("otherwise") || json_.read_enum(place.at("otherwise"), kOtherwise, out.otherwise);
  if (place.value.contains("otherwise")) return json_.fail(place, "expected `axes` or `otherwise`, not both");
  out.otherwise = GroupSpec::Otherwise::Axes;
  return read_axes(place.at("axes"), out.axes);
}

bool ModelReader::read_condition(const JsonNode& place, ArgumentCondition& out) {
  constexpr std::array<std::string_view, 6> kKeys{"argument", "maker", "made_with", "equals", "not_equals", "default"};
  if (!json_.object_with(place, kKeys)) return false;
  if (!place.value.contains("argument") && !place.value.contains("made_with"))
    return json_.fail(place, "expected the key `argument`, or `made_with`");
  if (place.value.contains("made_with") != place.value.contains("maker"))
    return json_.fail(place, "expected `made_with` and `maker` together");
  if (place.value.contains("equals") == place.value.contains("not_equals"))
    return json_.fail(place, "expected either `equals` or `not_equals`");
  return (!place.value.contains("argument") || json_.read_argument(place.at("argument"), out.argument)) &&
         (!place.value.contains("maker") || json_.read_text(place.at("maker"), out.maker)) &&
         (!place.value.contains("made_with") || read_keywords(place.at("made_with"), out.made_with)) &&
         (!place.value.contains("equals") || json_.read_text(place.at("equals"), out.equals)) &&
         (!place.value.contains("not_equals") || json_.read_text(place.at("not_equals"), out.not_equals)) &&
         (!place.value.contains("default") || json_.read_text(place.at("default"), out.default_value));
}

// {"full_state_dict": "false"}
bool ModelReader::read_keywords(const JsonNode& place, std::vector<ArgumentCondition::Keyword>& out) {
  if (!place.value.is_object() || place.value.empty())
    return json_.fail(place, "expected keywords, each with what it means where it is not given");
  for (const auto& item : place.value.items())
    if (!json_.read_text(place.at(item.key()), out.emplace_back(item.key()).default_value)) return false;
  return true;
}

bool ModelReader::read_conditions(const JsonNode& place, std::vector<ArgumentCondition>& out) {
  if (!place.value.is_array() || place.value.empty()) return json_.fail(place, "expected a list of conditions");
  for (size_t i = 0; i < place.value.size(); ++i)
    if (!read_condition(place.at(i), out.emplace_back())) return false;
  return true;
}

std::span<const ModelReader::Field> ModelReader::fields() {
  using R = ModelReader;
  static constexpr std::array<Field, 39> kFields{{
      {"name", [](R& r, const JsonNode& p, Model& m) { return r.read_name(p, m.name); }},
      {"aliases", [](R&, const JsonNode&, Model&) { return true; }},  // read_model
      {"kind", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_enum(p, kKinds, m.kind); }},
      {"op", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_text(p, m.op); }},
      {"group", [](R& r, const JsonNode& p, Model& m) { return r.read_group(p, m.group); }},
      {"axes", [](R& r, const JsonNode& p, Model& m) { return r.read_axes(p, m.axes); }},
      {"root", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_argument(p, m.root); }},
      {"root_is_group_rank",
       [](R& r, const JsonNode& p, Model& m) { return r.json_.read_flag(p, m.root_is_group_rank); }},
      {"reduce_op", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_argument(p, m.reduce_op); }},
      {"handle", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_argument(p, m.handle); }},
      {"async", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_argument(p, m.async); }},
      {"ranks", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_argument(p, m.ranks); }},
      {"color", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_argument(p, m.color); }},
      {"same_members", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_flag(p, m.same_members); }},
      {"tensor", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_argument(p, m.tensor); }},
      {"input", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_argument(p, m.input); }},
      {"result", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_argument(p, m.result); }},
      {"result_uniform", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_flag(p, m.result_uniform); }},
      {"fills_tensor", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_flag(p, m.fills_tensor); }},
      {"matched_by_name", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_flag(p, m.matched_by_name); }},
      {"same_shape", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_flag(p, m.same_shape); }},
      {"sizes", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_enum(p, kSizes, m.sizes); }},
      {"conditional", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_flag(p, m.conditional); }},
      {"if_sharded", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_flag(p, m.if_sharded); }},
      {"needs", [](R& r, const JsonNode& p,
                   Model& m) { return r.read_words(p, is_first_version, "first versions: torch>=2.2", m.needs); }},
      {"several_collectives",
       [](R& r, const JsonNode& p, Model& m) { return r.json_.read_flag(p, m.several_collectives); }},
      {"implicit", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_flag(p, m.implicit); }},
      {"gives_nothing", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_flag(p, m.gives_nothing); }},
      {"about", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_enum(p, kAbouts, m.about); }},
      {"when", [](R& r, const JsonNode& p, Model& m) { return r.read_conditions(p, m.when); }},
      {"predicate", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_enum(p, kPredicates, m.predicate); }},
      {"direction", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_enum(p, kDirections, m.direction); }},
      {"shape", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_enum(p, kShapes, m.shape); }},
      {"instance", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_text(p, m.instance); }},
      {"receivers",
       [](R& r, const JsonNode& p, Model& m) { return r.read_words(p, is_name, "names of receivers", m.receivers); }},
      {"mention", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_text(p, m.mention); }},
      {"confidence",
       [](R& r, const JsonNode& p, Model& m) { return r.json_.read_enum(p, kConfidenceWords, m.confidence); }},
      {"note", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_text(p, m.note); }},
      {"library", [](R& r, const JsonNode& p, Model& m) { return r.json_.read_text(p, m.library); }},
  }};
  return kFields;
}

bool ModelReader::read_model(const JsonNode& place, NamedModel& out) {
  if (!place.value.is_object()) return json_.fail(place, "expected a model, an object");
  for (std::string required : {"name", "kind"})
    if (!place.value.contains(required)) return json_.fail(place, "expected the key `" + required + "`");
  if (!read_name(place.at("name"), out.model.name)) return false;
  json_.begin(out.model.name);

  for (const auto& item : place.value.items()) {
    const JsonNode value{item.value(), &place, item.key()};
    const auto field = std::ranges::find(fields(), item.key(), &Field::key);
    if (field == fields().end()) {
      std::vector<std::string_view> keys;
      for (const Field& known : fields()) keys.push_back(known.key);
      return json_.unknown_key(value, keys);
    }
    if (!field->set(*this, value, out.model)) return false;
  }
  if (place.value.contains("aliases") &&
      !read_words(place.at("aliases"), is_name, "qualified names or patterns", out.aliases))
    return false;
  return check_model(place, out.model);
}

// What a model of a kind cannot do without.
bool ModelReader::check_model(const JsonNode& place, const Model& model) {
  const auto need = [&](bool given, const std::string& key) {
    return given || json_.fail(place, "expected the key `" + key + "` in a model of this kind");
  };
  const bool has_group = place.value.contains("group");
  switch (model.kind) {
    case ModelKind::Collective:
    case ModelKind::PointToPoint:
    case ModelKind::Setup:
    case ModelKind::LocalSource: return need(!model.op.empty(), "op");
    case ModelKind::GroupSource:
    case ModelKind::RankSource:
    case ModelKind::SizeSource:
    case ModelKind::RootSource:
    case ModelKind::RankPredicate:
    case ModelKind::GuardDecorator: return need(!model.axes.empty() || has_group, "axes");
    case ModelKind::GuardContext:
      return need(!model.axes.empty() || has_group, "axes") && need(model.shape != GuardShape::None, "shape");
    case ModelKind::Class: return need(!model.instance.empty(), "instance");
    case ModelKind::GroupCreate:
    case ModelKind::Uniformizer:
    case ModelKind::Initialized:
    case ModelKind::Wait:
    case ModelKind::Teardown:
    case ModelKind::Environment:
    case ModelKind::Pure: return true;
  }
  return true;
}

bool ModelReader::read_modules(const JsonNode& place) {
  if (!place.value.is_object()) return json_.fail(place, "expected an object of modules and their other names");
  for (const auto& item : place.value.items())
    if (!read_words(place.at(item.key()), is_name, "names of modules", modules_[item.key()])) return false;
  return true;
}

bool ModelReader::read_prefixes(const JsonNode& place) {
  if (!place.value.is_object()) return json_.fail(place, "expected an object of what names begin with");
  for (const auto& item : place.value.items()) {
    if (item.key().empty()) return json_.fail(place, "expected what names begin with, and not an empty text");
    if (!read_words(place.at(item.key()), is_name, "what names begin with", prefixes_[item.key()])) return false;
  }
  return true;
}

// The part of a name after a module, if it is the module's own: a function, a class or a class's member, but
// not what a submodule holds.
std::string_view own_part(std::string_view name, std::string_view module) {
  if (!name.starts_with(module) || name.size() <= module.size() + 1 || name[module.size()] != '.') return {};
  const std::string_view part = name.substr(module.size() + 1);
  const bool in_submodule = part.front() >= 'a' && part.front() <= 'z' && part.find('.') != std::string_view::npos;
  return in_submodule ? std::string_view() : part;
}

void ModelReader::add_other_names(const std::string& name, std::vector<std::string>& aliases) const {
  for (const auto& [module, others] : modules_)
    if (const std::string_view part = own_part(name, module); !part.empty())
      for (const std::string& other : others) aliases.push_back(other + "." + std::string(part));
  for (const auto& [prefix, others] : prefixes_)
    if (name.starts_with(prefix))
      for (const std::string& other : others) aliases.push_back(other + name.substr(prefix.size()));
}

// "torch.load", "*.load" or "torch.nn.*"; "!*.own.load": not that one.
bool ModelReader::read_function(const JsonNode& place, std::string& out) {
  const std::string* const text = place.value.get_ptr<const std::string*>();
  const bool excepts = text && text->starts_with("!*.");
  const std::string_view name = text ? std::string_view(*text).substr(excepts ? 1 : 0) : std::string_view();
  const bool of_owner = name.ends_with(".*");
  if (!text || name.starts_with("?.") || (of_owner && name.starts_with("*.")) ||
      !is_name(name.substr(0, name.size() - (of_owner ? 2 : 0))))
    return json_.fail(place, "expected a qualified name, or a pattern with `*.` in front or `.*` at the end");
  out = *text;
  return true;
}

// "torch.load", or {"name": "torch.load", "argument": [0, "f"]}.
bool ModelReader::read_role(const JsonNode& place, RoleEntry entry, ModelFile& out) {
  constexpr std::array<std::string_view, 3> kKeys{"name", "argument", "note"};
  if (place.value.is_string()) {
    if (!read_function(place, entry.name)) return false;
  } else {
    if (!json_.object_with(place, kKeys)) return false;
    if (!place.value.contains("name")) return json_.fail(place, "expected the key `name`");
    if (!read_function(place.at("name"), entry.name)) return false;
    if (place.value.contains("argument") && !json_.read_argument(place.at("argument"), entry.argument)) return false;
    if (place.value.contains("note") && !json_.read_text(place.at("note"), entry.note)) return false;
  }
  std::vector<std::string> names{entry.name};
  add_other_names(entry.name, names);
  for (std::string& name : names) {
    entry.name = std::move(name);
    out.roles.push_back(entry);
  }
  return true;
}

bool ModelReader::read_roles(const JsonNode& place, ModelFile& out) {
  if (!place.value.is_object()) return json_.fail(place, "expected an object of roles and the functions in them");
  for (const auto& item : place.value.items()) {
    const JsonNode list = place.at(item.key());
    RoleEntry entry;
    if (!json_.read_key(list, kRoleWords, entry.role)) return false;
    if (!list.value.is_array() || list.value.empty()) return json_.fail(list, "expected a list of functions");
    for (size_t i = 0; i < list.value.size(); ++i)
      if (!read_role(list.at(i), entry, out)) return false;
  }
  return true;
}

// "*loader"; where the meaning is about axes, {"axes": ["tp"], "words": ["tp_rank"]}.
bool ModelReader::read_prior(const JsonNode& place, NamePrior prior, ModelFile& out) {
  constexpr std::array<std::string_view, 2> kKeys{"axes", "words"};
  if (!is_about_axes(prior.meaning)) {
    const std::string* const text = place.value.get_ptr<const std::string*>();
    if (!text || !is_word_pattern(*text))
      return json_.fail(place,
                        "expected one of words in small letters, with `*` in front or at the end, or in `<` and `>`");
    prior.pattern = *text;
    out.names.push_back(std::move(prior));
    return true;
  }
  if (!place.value.is_object()) return json_.fail(place, "expected an object with the keys `axes` and `words`");
  if (!json_.object_with(place, kKeys)) return false;
  for (const std::string_view key : kKeys)
    if (!place.value.contains(key)) return json_.fail(place, "expected the key `" + std::string(key) + "`");
  std::vector<std::string> patterns;
  if (!read_axes(place.at("axes"), prior.axes) ||
      !read_words(place.at("words"), is_word_without_star, "words in small letters, which may stand in `<` and `>`",
                  patterns))
    return false;
  for (std::string& pattern : patterns) {
    prior.pattern = std::move(pattern);
    out.names.push_back(prior);
  }
  return true;
}

bool ModelReader::read_names(const JsonNode& place, ModelFile& out) {
  if (!place.value.is_object()) return json_.fail(place, "expected an object of meanings and the names that have them");
  for (const auto& item : place.value.items()) {
    const JsonNode list = place.at(item.key());
    NamePrior prior;
    if (!json_.read_key(list, kMeanings, prior.meaning)) return false;
    if (!list.value.is_array() || list.value.empty()) return json_.fail(list, "expected a list of words");
    for (size_t i = 0; i < list.value.size(); ++i)
      if (!read_prior(list.at(i), prior, out)) return false;
  }
  return true;
}

bool ModelReader::read_file(const Json& file, ModelFile& out) {
  constexpr std::array<std::string_view, 8> kKeys{"$schema",  "library", "note",  "modules",
                                                  "prefixes", "models",  "roles", "names"};
  const JsonNode root{file};
  if (!json_.object_with(root, kKeys)) return false;
  const bool has_models = file.contains("models");
  if (has_models ? !file["models"].is_array() : !file.contains("roles") && !file.contains("names"))
    return json_.fail(root, "expected the key `models` with a list of models");
  std::string library;
  if (file.contains("library") && !json_.read_text(root.at("library"), library)) return false;
  if (file.contains("modules") && !read_modules(root.at("modules"))) return false;
  if (file.contains("prefixes") && !read_prefixes(root.at("prefixes"))) return false;

  for (size_t i = 0; has_models && i < file["models"].size(); ++i) {
    NamedModel& named = out.models.emplace_back();
    named.model.library = library;
    json_.begin({});
    if (!read_model(root.at("models").at(i), named)) return false;
    std::vector<std::string> names{named.model.name};
    names.insert(names.end(), named.aliases.begin(), named.aliases.end());
    for (const std::string& name : names) add_other_names(name, named.aliases);
  }
  json_.begin({});
  return (!file.contains("roles") || read_roles(root.at("roles"), out)) &&
         (!file.contains("names") || read_names(root.at("names"), out));
}

}  // namespace

std::string_view word_of(ModelKind kind) { return std::ranges::find(kKinds, kind, &Word<ModelKind>::meaning)->text; }
std::string_view word_of(NameMeaning meaning) {
  return std::ranges::find(kMeanings, meaning, &Word<NameMeaning>::meaning)->text;
}
std::string_view word_of(Role role) { return std::ranges::find(kRoleWords, role, &Word<Role>::meaning)->text; }
std::optional<Role> role_named(std::string_view word) {
  const auto* const found = std::ranges::find(kRoleWords, word, &Word<Role>::text);
  return found == kRoleWords.end() ? std::nullopt : std::optional(found->meaning);
}

Result<ModelFile> read_models(std::string_view json, const std::string& path) {
  const Json file = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (file.is_discarded()) return syntax_error(json, path);
  ModelReader reader(path);
  ModelFile out;
  if (!reader.read_file(file, out)) return with_position(reader.reading().error(), json, reader.reading().failed_at());
  return out;
}

}  // namespace ranklint
