#include "app/cache/source_store.h"

#include <algorithm>

namespace ranklint::app {

namespace {

bool may_be_kept(const KeptSource& kept) {
  const auto is_good = [](const ir::Module& module) { return module.broken.empty() && !module.met_time_limit; };
  const auto is_unrepeatable = [](const Observation& seen) { return seen.kind == Observation::Kind::Unrepeatable; };
  return kept.source.broken.empty() && std::ranges::all_of(kept.source.modules, is_good) &&
         std::ranges::none_of(kept.seen, is_unrepeatable);
}

}  // namespace

std::optional<LoweredSource> SourceStore::find(const Digest& key) const {
  std::optional<LoweredSource> found = find_in(store_, key);
  for (const Store& other : others_)
    if (!found) found = find_in(other, key);
  return found;
}

std::optional<LoweredSource> SourceStore::find_in(const Store& store, const Digest& key) const {
  const std::optional<std::string> bytes = store.get(key_of(key));
  if (!bytes) return std::nullopt;
  std::optional<KeptSource> kept = unpack_source(*bytes);
  if (!kept || kept->source.modules.empty()) return std::nullopt;
  for (const Observation& seen : kept->seen)
    if (!files_->sees(seen)) return std::nullopt;
  return std::move(kept->source);
}

void SourceStore::keep(const Digest& key, const KeptSource& kept) const {
  if (!store_.is_off() && may_be_kept(kept)) store_.put(key_of(key), pack_source(kept));
}

}  // namespace ranklint::app
