// What a process prints goes through a pipe to the launcher, and a launcher that takes a job down may drop what it has
// not read yet.
#pragma once

namespace ranklint::runtime {

// Returns when the launcher has read all that this process has printed, as far as the system tells; after a second at
// most.
void wait_until_read();

}  // namespace ranklint::runtime
