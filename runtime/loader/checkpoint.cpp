#include "runtime/loader/checkpoint.h"

#include <sys/stat.h>

#include <filesystem>

#include "runtime/base/fingerprint.h"
#include "runtime/loader/attempt.h"
#include "runtime/loader/manifest.h"
#include "runtime/loader/shard_index.h"
#include "runtime/loader/text.h"

namespace ranklint::runtime {

namespace fs = std::filesystem;

static std::string in_folder_of(const std::string& path, const std::string& name) {
  return (fs::path(path).parent_path() / name).string();
}

static bool exists(const std::string& path) {
  struct stat found{};
  return ::stat(path.c_str(), &found) == 0;
}

static Result<std::string> find_in_folder(const std::string& folder) {
  for (const char* name : {kManifestName, "model.safetensors.index.json", "model.safetensors"})
    if (std::string path = (fs::path(folder) / name).string(); exists(path)) return path;
  return file_error(ErrorKind::Missing, folder,
                    "holds no checkpoint.json, model.safetensors.index.json or model.safetensors");
}

Result<Checkpoint> Checkpoint::open(const std::string& path, const OpenOptions& options) {
  Checkpoint out;
  const auto open = [&]() -> Status {
    Result<Checkpoint> opened = open_any(path, options);
    if (!opened) return opened.error();
    out = std::move(*opened);
    return ok();
  };
  if (Status status = attempt(open); !status) return status.error();
  return out;
}

Result<Checkpoint> Checkpoint::open_any(const std::string& path, const OpenOptions& options) {
  if (Status status = check_path(path); !status) return status.error();
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    const Result<std::string> found = find_in_folder(path);
    if (!found) return found.error();
    return open_any(*found, options);
  }
  const std::string name = fs::path(path).filename().string();
  if (name == kManifestName) return open_manifest(path, options);
  if (name.ends_with(".json")) return open_index(path, options);
  return open_file(path, options);
}

const StoredTensor* Checkpoint::find(std::string_view name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

const std::string& Checkpoint::file_of(const StoredTensor& tensor) const {
  return tensor.chunks.empty() ? path_ : files_[tensor.chunks.front().file].path();
}

Status Checkpoint::add_file(const std::string& path, const OpenOptions& options) {
  Result<SafeTensors> file = SafeTensors::open(path, options);
  if (!file) return file.error();
  const std::string name = fs::path(path).filename().string();
  fingerprint_ = Fingerprint().add(fingerprint_).add(name).add(file->fingerprint()).value();
  files_.push_back(std::move(*file));
  return ok();
}

void Checkpoint::add_whole(size_t file, const TensorInfo& info) {
  tensors_[info.name] = {info.name, info.type, info.shape, {{file, &info, whole_of(info.shape)}}};
}

Result<Checkpoint> Checkpoint::open_file(const std::string& path, const OpenOptions& options) {
  Checkpoint out;
  out.path_ = path;
  if (Status status = out.add_file(path, options); !status) return status.error();
  for (const TensorInfo& info : out.files_[0].tensors()) out.add_whole(0, info);
  return out;
}

// The files that an index names, each once, in the order of their names.
static std::map<std::string, size_t> files_of(const ShardIndex& index) {
  std::map<std::string, size_t> files;
  for (const auto& [tensor, file] : index.weight_map) files.emplace(file, 0);
  size_t number = 0;
  for (auto& [name, place] : files) place = number++;
  return files;
}

static Error missing_for(const Error& missing, const std::string& file, const ShardIndex& index,
                         const std::string& path) {
  for (const auto& [tensor, holder] : index.weight_map)
    if (holder == file)
      return {missing.kind, missing.message + " (" + path + " names it for tensor " + in_quotes(tensor) + ")"};
  return missing;
}

Result<Checkpoint> Checkpoint::open_index(const std::string& path, const OpenOptions& options) {
  const Result<ShardIndex> index = read_shard_index(path);
  if (!index) return index.error();
  Checkpoint out;
  out.path_ = path;
  const std::map<std::string, size_t> numbers = files_of(*index);
  for (const auto& [name, number] : numbers)
    if (Status status = out.add_file(in_folder_of(path, name), options); !status)
      return status.error().kind == ErrorKind::Missing ? missing_for(status.error(), name, *index, path)
                                                       : status.error();

  for (const auto& [tensor, file] : index->weight_map) {
    const SafeTensors& holder = out.files_[numbers.at(file)];
    const TensorInfo* info = holder.find(tensor);
    if (!info)
      return tensor_error(ErrorKind::Missing, holder.path(), tensor,
                          "is not in the file that " + path + " names for it");
    out.add_whole(numbers.at(file), *info);
  }
  for (size_t file = 0; file < out.files_.size(); ++file)
    if (Status status = out.check_against_index(file); !status) return status.error();
  out.check_total_size(index->total_size_bytes);
  return out;
}

// A tensor in two files would be one thing to the index and another to whoever reads all files.
Status Checkpoint::check_against_index(size_t file) {
  for (const TensorInfo& info : files_[file].tensors()) {
    const StoredTensor* indexed = find(info.name);
    if (!indexed) {
      warnings_.push_back(files_[file].path() + ": tensor " + in_quotes(info.name) + " is not in the index");
    } else if (indexed->chunks[0].file != file) {
      return tensor_error(ErrorKind::Format, files_[file].path(), info.name, "is also in " + file_of(*indexed));
    }
  }
  return ok();
}

void Checkpoint::check_total_size(std::optional<uint64_t> claimed_bytes) {
  uint64_t bytes = 0;
  for (const SafeTensors& file : files_)
    for (const TensorInfo& info : file.tensors()) bytes += info.size_bytes();
  if (!claimed_bytes || *claimed_bytes == bytes) return;
  warnings_.push_back(path_ + ": total_size is " + std::to_string(*claimed_bytes) + ", the files hold " +
                      std::to_string(bytes) + " bytes");
}

static Status check_chunk(const SafeTensors& file, const TensorInfo* info, const std::string& name,
                          const ManifestTensor& tensor, const Box& box) {
  if (!info)
    return tensor_error(ErrorKind::Missing, file.path(), name, "is not in the file that the manifest names for it");
  if (info->type == tensor.type && info->shape == box.sizes) return ok();
  return tensor_error(ErrorKind::Format, file.path(), name,
                      "is " + std::string(name_of(info->type)) + to_string(info->shape) + ", the manifest says " +
                          std::string(name_of(tensor.type)) + to_string(box.sizes));
}

Result<Checkpoint> Checkpoint::open_manifest(const std::string& path, const OpenOptions& options) {
  const Result<Manifest> manifest = read_manifest(path);
  if (!manifest) return manifest.error();
  Checkpoint out;
  out.path_ = path;
  std::map<std::string, size_t> numbers;
  for (const auto& [name, file] : manifest->files) {
    numbers.emplace(name, out.files_.size());
    if (Status status = out.add_file(in_folder_of(path, name), options); !status) return status.error();
    if (out.files_.back().fingerprint() != file.fingerprint)
      return file_error(ErrorKind::Format, out.files_.back().path(),
                        "is not the file that " + path + " was written with");
  }
  for (const auto& [name, tensor] : manifest->tensors) {
    StoredTensor& stored = out.tensors_[name];
    stored = {name, tensor.type, tensor.shape, {}};
    for (const ManifestChunk& chunk : tensor.chunks) {
      const SafeTensors& file = out.files_[numbers.at(chunk.file)];
      const TensorInfo* info = file.find(name);
      if (Status status = check_chunk(file, info, name, tensor, chunk.box); !status) return status.error();
      stored.chunks.push_back({numbers.at(chunk.file), info, chunk.box});
    }
  }
  return out;
}

Status Checkpoint::read(const StoredTensor& tensor, const Box& part, const Box& destination, std::byte* out) const {
  for (const StoredChunk& chunk : tensor.chunks) {
    const Box shared = intersection(part, chunk.box);
    if (is_empty(shared)) continue;
    if (Status status = files_[chunk.file].read_into(*chunk.info, chunk.box, shared, destination, out); !status)
      return status;
  }
  return ok();
}

uint64_t Checkpoint::scratch_bytes_for(const StoredTensor& tensor, const Box& part, const Box& destination) const {
  uint64_t most = 0;
  for (const StoredChunk& chunk : tensor.chunks) {
    const Box shared = intersection(part, chunk.box);
    if (is_empty(shared)) continue;
    most = std::max(most, files_[chunk.file].scratch_bytes_for(*chunk.info, chunk.box, shared, destination));
  }
  return most;
}

}  // namespace ranklint::runtime
