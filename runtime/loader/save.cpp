#include "runtime/loader/save.h"

#include <filesystem>
#include <set>
#include <vector>

#include "runtime/loader/agreement.h"
#include "runtime/loader/attempt.h"
#include "runtime/loader/output_file.h"
#include "runtime/loader/safetensors.h"
#include "runtime/loader/save_plan.h"
#include "runtime/loader/text.h"
#include "runtime/loader/writer.h"

namespace ranklint::runtime {

namespace fs = std::filesystem;

namespace {

// One rank's save; its public functions are the steps, each of them agreed on before the next begins.
class SaveJob {
 public:
  SaveJob(ProcessGroup& group, const std::string& folder, std::span<const OwnPart> parts, Device device, Site site)
      : group_(group), folder_(folder), parts_(parts), device_(device), site_(site) {}

  Result<SaveReport> run();

 private:
  Status describe();
  Status begin();
  void share_generation();
  void exchange();
  Status plan();
  Status write_part();
  Status read_fingerprint();
  void share_fingerprints();
  Status check_manifest();
  Status commit() const;
  Error withdrawn(const Status& failed) const;
  void remove_older() const;

  Status agreed(const Status& mine) { return agree(group_, mine, {}, device_, site_); }
  std::vector<uint64_t> gather(uint64_t mine);
  std::string in_folder(const std::string& name) const { return (fs::path(folder_) / name).string(); }
  std::string own_file() const { return part_file_name(report_.generation, group_.rank()); }

  ProcessGroup& group_;
  const std::string& folder_;
  std::span<const OwnPart> parts_;
  Device device_;
  Site site_;

  std::string description_;
  std::vector<std::string> descriptions_;
  SavePlan plan_;
  bool wrote_ = false;  // this rank's part
  std::string manifest_text_;
  ManifestFile own_;
  SaveReport report_;
};

Result<SaveReport> SaveJob::run() {
  Status status = attempt([&] { return describe(); });
  if (group_.rank() == 0 && status) status = attempt([&] { return begin(); });
  if (status = agreed(status); !status) return status.error();
  share_generation();
  exchange();
  if (status = agreed(attempt([&] { return plan(); })); !status) return status.error();
  if (status = agreed(attempt([&] { return write_part(); })); !status) return withdrawn(status);
  share_fingerprints();
  if (status = agreed(group_.rank() == 0 ? attempt([&] { return check_manifest(); }) : ok()); !status)
    return withdrawn(status);
  if (status = agreed(group_.rank() == 0 ? attempt([&] { return commit(); }) : ok()); !status) return status.error();
  if (group_.rank() == 0) (void)attempt([&] { remove_older(); });
  return report_;
}

Status SaveJob::describe() {
  Result<std::string> text = describe_parts(parts_);
  if (!text) return text.error();
  description_ = std::move(*text);
  return ok();
}

// Of rank 0: the folder, and which save into it this is.
Status SaveJob::begin() {
  if (Status status = check_path(folder_); !status) return status;
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) return system_error(folder_, "create", failed.value());
  report_.generation = 1;
  if (!fs::exists(in_folder(kManifestName))) return ok();
  const Result<Manifest> older = read_manifest(in_folder(kManifestName));
  if (!older) return older.error();
  report_.generation = older->generation + 1;
  return ok();
}

std::vector<uint64_t> SaveJob::gather(uint64_t mine) {
  const Tensor all = Tensor::empty({group_.size()}, DType::I64, device_);
  group_.all_gather_into_tensor(all, Tensor::from<int64_t>({static_cast<int64_t>(mine)}, {1}, device_),
                                {.name = "saver: number"}, site_);
  return {all.as<int64_t>().begin(), all.as<int64_t>().end()};
}

void SaveJob::share_generation() { report_.generation = gather(report_.generation)[0]; }

// Every rank learns every rank's description.
void SaveJob::exchange() {
  std::vector<Tensor> out;
  for (const uint64_t size : gather(description_.size()))
    out.push_back(Tensor::empty({static_cast<int64_t>(size)}, DType::U8, device_));
  const Tensor mine = Tensor::from<uint8_t>({description_.begin(), description_.end()},
                                            {static_cast<int64_t>(description_.size())}, device_);
  group_.all_gather(out, mine, {.name = "saver: parts"}, site_);
  for (const Tensor& text : out) descriptions_.emplace_back(text.as<uint8_t>().begin(), text.as<uint8_t>().end());
}

Status SaveJob::plan() {
  Result<SavePlan> plan = plan_save(descriptions_, report_.generation, folder_);
  if (!plan) return plan.error();
  plan_ = std::move(*plan);
  return ok();
}

Status SaveJob::write_part() {
  const std::set<std::string>& names = plan_.writes[static_cast<size_t>(group_.rank())];
  if (names.empty()) return ok();
  std::vector<NamedBytes> tensors;
  for (const OwnPart& part : parts_) {
    if (!names.contains(part.name)) continue;
    tensors.push_back(named_bytes(part.name, part.local));
    report_.written_bytes += part.local.size_bytes();
  }
  if (Status status = write_safetensors(in_folder(own_file()), tensors); !status) return status;
  wrote_ = true;
  return read_fingerprint();
}

// Reads back what was written, as far as opening does.
Status SaveJob::read_fingerprint() {
  const Result<SafeTensors> file = SafeTensors::open(in_folder(own_file()), {.read = {.mode = ReadMode::Pread}});
  if (!file) return file.error();
  own_ = {fs::file_size(in_folder(own_file())), file->fingerprint()};
  return ok();
}

void SaveJob::share_fingerprints() {
  const std::vector<uint64_t> sizes = gather(own_.size_bytes), fingerprints = gather(own_.fingerprint);
  for (int rank = 0; rank < group_.size(); ++rank) {
    const auto file = plan_.manifest.files.find(part_file_name(report_.generation, rank));
    if (file == plan_.manifest.files.end()) continue;
    file->second = {sizes[static_cast<size_t>(rank)], fingerprints[static_cast<size_t>(rank)]};
  }
}

// Once the manifest has replaced the older one there is no way back, so our own reader judges it before.
Status SaveJob::check_manifest() {
  manifest_text_ = to_json(plan_.manifest);
  const Result<Manifest> readable = parse_manifest(manifest_text_, in_folder(kManifestName));
  if (!readable) return Error{ErrorKind::InvalidArgument, readable.error().message};
  return ok();
}

// From here on the parts stay whatever happens: a manifest that can not be brought to the disk may be there all the
// same.
Status SaveJob::commit() const { return write_file(in_folder(kManifestName), manifest_text_); }

// The save has failed before there was a manifest that names this rank's part.
Error SaveJob::withdrawn(const Status& failed) const {
  std::error_code ignored;
  if (wrote_) fs::remove(in_folder(own_file()), ignored);
  return failed.error();
}

// The new checkpoint is complete, so a file that can not be removed is no failure of the save.
void SaveJob::remove_older() const {
  std::vector<fs::path> older;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (is_part_file_name(name) && !plan_.manifest.files.contains(name)) older.push_back(entry.path());
  }
  std::error_code ignored;
  for (const fs::path& path : older) fs::remove(path, ignored);
}

}  // namespace

Result<SaveReport> save_sharded(ProcessGroup& group, const std::string& folder, std::span<const OwnPart> parts,
                                Device device, Site site) {
  return SaveJob(group, folder, parts, device, site).run();
}

}  // namespace ranklint::runtime
