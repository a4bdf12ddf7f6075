// A JSON schema of ours, to ask what it accepts.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace ranklint::test {

class JsonSchema {
 public:
  explicit JsonSchema(const nlohmann::json& text) { valijson::SchemaParser().populateSchema(Adapter(text), schema_); }

  bool accepts(const nlohmann::json& file) const {
    valijson::Validator validator;
    return validator.validate(schema_, Adapter(file), nullptr);
  }
  // Of a text that is no JSON: no.
  bool accepts_text(std::string_view text) const {
    const nlohmann::json file = nlohmann::json::parse(text, nullptr, false);
    return !file.is_discarded() && accepts(file);
  }

 private:
  using Adapter = valijson::adapters::NlohmannJsonAdapter;
  valijson::Schema schema_;
};

}  // namespace ranklint::test
