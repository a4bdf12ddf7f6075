#include "runtime/loader/shard_index.h"

#include "runtime/loader/json_text.h"
#include "runtime/loader/text.h"

namespace ranklint::runtime {

using nlohmann::json;

bool is_plain_file_name(std::string_view name) {
  if (name.empty() || name == "." || name == "..") return false;
  return name.find('/') == name.npos && name.find('\\') == name.npos && name.find('\0') == name.npos;
}

static Status add(ShardIndex& index, const std::string& tensor, const json& file, const std::string& path) {
  if (!file.is_string()) return tensor_error(ErrorKind::Format, path, tensor, "its file is not a string");
  const std::string& name = file.get_ref<const std::string&>();
  if (!is_plain_file_name(name))
    return tensor_error(ErrorKind::Format, path, tensor, "its file " + in_quotes(name) + " is not a plain file name");
  index.weight_map.emplace(tensor, name);
  return ok();
}

static std::optional<uint64_t> total_size(const json& document) {
  const auto metadata = document.find("metadata");
  if (metadata == document.end() || !metadata->is_object()) return std::nullopt;
  const auto size = metadata->find("total_size");
  if (size == metadata->end() || !size->is_number_unsigned()) return std::nullopt;
  return size->get<uint64_t>();
}

Result<ShardIndex> read_shard_index(const std::string& path) {
  const Result<json> document = read_json(path);
  if (!document) return document.error();
  if (!document->is_object() || !document->contains("weight_map") || !(*document)["weight_map"].is_object())
    return file_error(ErrorKind::Format, path, "has no object `weight_map`");
  ShardIndex index;
  for (const auto& [tensor, file] : (*document)["weight_map"].items())
    if (Status status = add(index, tensor, file, path); !status) return status.error();
  index.total_size_bytes = total_size(*document);
  return index;
}

}  // namespace ranklint::runtime
