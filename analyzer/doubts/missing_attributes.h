// Attributes that one rank alone makes, and that a step which every rank takes reads:
//
//     class Trained(LightningModule):
//         @rank_zero_only
//         def on_train_start(self): self.losses = []
//
//         def training_step(self, batch, i):
//             self.losses.append(self.loss(batch))     # on the other ranks there is no such attribute
//
//         @rank_zero_only
//         def on_train_epoch_end(self): ...             # so no other rank lives to see this
#pragma once

#include <optional>

#include "analyzer/summary/query.h"

namespace ranklint {

// Where a step of the function's object reads such an attribute on every way through it. Nothing: it does not.
std::optional<CodePlace> reads_what_some_made(const Query& query, FunctionKey f);

}  // namespace ranklint
