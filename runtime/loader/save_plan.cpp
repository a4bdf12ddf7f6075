#include "runtime/loader/save_plan.h"

#include <algorithm>
#include <set>

#include "runtime/loader/header.h"
#include "runtime/loader/json_text.h"
#include "runtime/loader/text.h"

namespace ranklint::runtime {

using nlohmann::json;

std::string part_file_name(uint64_t generation, int rank) {
  return "part-" + std::to_string(generation) + "-" + std::to_string(rank) + ".safetensors";
}

static bool skip_number(std::string_view& text) {
  const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(end);
  return end > 0;
}

static bool skip(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

bool is_part_file_name(std::string_view name) {
  const bool begins = skip(name, "part-") && skip_number(name) && skip(name, "-") && skip_number(name);
  return begins && (name == ".safetensors" || name == ".safetensors.partial");
}

static Status check(const OwnPart& part, std::set<std::string_view>& names) {
  const auto refuse = [&](const std::string& what) {
    return tensor_error(ErrorKind::InvalidArgument, "saving", part.name, what);
  };
  if (const std::string flaw = flaw_of_name(part.name); !flaw.empty()) return refuse(flaw);
  if (!names.insert(part.name).second) return refuse("is given twice");
  if (!lies_within(part.part, part.shape))
    return refuse("part " + to_string(part.part) + " is no part of " + to_string(part.shape));
  if (part.local.shape() == part.part.sizes) return ok();
  return refuse("has elements of shape " + to_string(part.local.shape()) + " for part " + to_string(part.part));
}

Result<std::string> describe_parts(std::span<const OwnPart> parts) {
  std::set<std::string_view> names;
  json list = json::array();
  for (const OwnPart& part : parts) {
    if (Status status = check(part, names); !status) return status.error();
    list.push_back(
        {part.name, name_of(stored_type_of(part.local.dtype())), part.shape, part.part.offsets, part.part.sizes});
  }
  return list.dump();
}

namespace {

struct Described {
  std::string name;
  StoredType type;
  Shape shape;
  Box box;
};

std::vector<Described> parse(const std::string& description) {
  std::vector<Described> out;
  for (const json& part : json::parse(description))
    out.push_back({part[0].get<std::string>(),
                   stored_type_of(part[1].get<std::string>()).value(),
                   part[2].get<Shape>(),
                   {part[3].get<Shape>(), part[4].get<Shape>()}});
  return out;
}

}  // namespace

static Status check_cover(const Manifest& manifest, const std::string& folder) {
  for (const auto& [name, tensor] : manifest.tensors) {
    std::vector<Box> boxes;
    for (const ManifestChunk& chunk : tensor.chunks) boxes.push_back(chunk.box);
    if (const std::string flaw = flaw_of_cover(tensor.shape, boxes); !flaw.empty())
      return tensor_error(ErrorKind::InvalidArgument, folder, name, flaw);
  }
  return ok();
}

static bool has(const ManifestTensor& tensor, const Box& box) {
  return std::any_of(tensor.chunks.begin(), tensor.chunks.end(),
                     [&](const ManifestChunk& chunk) { return chunk.box == box; });
}

Result<SavePlan> plan_save(std::span<const std::string> descriptions, uint64_t generation, const std::string& folder) {
  SavePlan plan;
  plan.manifest.generation = generation;
  plan.writes.resize(descriptions.size());
  for (size_t rank = 0; rank < descriptions.size(); ++rank)
    for (Described& part : parse(descriptions[rank])) {
      const auto [found, is_new] =
          plan.manifest.tensors.try_emplace(part.name, ManifestTensor{part.type, part.shape, {}});
      ManifestTensor& tensor = found->second;
      if (tensor.type != part.type || tensor.shape != part.shape)
        return tensor_error(ErrorKind::Mismatch, folder, part.name,
                            "is " + std::string(name_of(part.type)) + to_string(part.shape) + " on member " +
                                std::to_string(rank) + " of the group, " + std::string(name_of(tensor.type)) +
                                to_string(tensor.shape) + " before it");
      if (is_empty(part.box) || has(tensor, part.box)) continue;
      const std::string file = part_file_name(generation, static_cast<int>(rank));
      plan.manifest.files.try_emplace(file);
      tensor.chunks.push_back({file, std::move(part.box)});
      plan.writes[rank].insert(part.name);
    }
  if (Status status = check_cover(plan.manifest, folder); !status) return status.error();
  return plan;
}

}  // namespace ranklint::runtime
