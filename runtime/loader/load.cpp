#include "runtime/loader/load.h"

#include <array>

#include "runtime/loader/agreement.h"
#include "runtime/loader/attempt.h"
#include "runtime/loader/load_job.h"

namespace ranklint::runtime {

std::string_view name_of(LoadStrategy strategy) {
  switch (strategy) {
    case LoadStrategy::RankZeroReads: return "rank 0 reads";
    case LoadStrategy::EveryRankReads: return "every rank reads";
    case LoadStrategy::EachReadsItsShard: return "each reads its shard";
  }
  return "";
}

// The broadcast of a bucket begins only when its reading has succeeded.
static Status receive_all(ProcessGroup& group, LoadJob& job, Device device, Site site) {
  Buckets buckets = job.buckets();
  while (const std::optional<Bucket> bucket = buckets.next()) {
    const Status read = group.rank() == 0 ? attempt([&] { return job.read_bucket(*bucket); }) : ok();
    if (Status agreed = agree(group, read, {}, device, site); !agreed) return agreed;
    group.broadcast(job.buffer_of(*bucket), group.global_rank(0), {.name = "loader: bucket"}, site);
    job.count_broadcast(*bucket);
    job.keep(*bucket);
  }
  return ok();
}

static Status read_alone(ProcessGroup& group, LoadJob& job, Device device, Site site) {
  return agree(group, attempt([&] { return job.read_all(); }), {}, device, site);
}

Result<Loaded> load(ProcessGroup& group, const std::string& path, std::span<const Wanted> wanted, LoadStrategy strategy,
                    const LoadOptions& options, Site site) {
  const bool one_reads = strategy == LoadStrategy::RankZeroReads;
  LoadJob job(path, wanted, strategy, options, !one_reads || group.rank() == 0);
  const Status opened = attempt([&] { return job.open(); });
  const std::array<Claim, 2> claims = {{{"list of tensors to load", job.request_fingerprint()},
                                        {"files to read", one_reads ? 0 : job.checkpoint_fingerprint()}}};
  if (Status agreed = agree(group, opened, claims, options.device, site); !agreed) return agreed.error();
  const Status allocated = attempt([&] { return job.allocate(); });
  if (Status agreed = agree(group, allocated, {}, options.device, site); !agreed) return agreed.error();
  const Status done =
      one_reads ? receive_all(group, job, options.device, site) : read_alone(group, job, options.device, site);
  if (!done) return done.error();
  return job.finish();
}

}  // namespace ranklint::runtime
