// The classes whose objects are process groups, communicators and meshes, by which models name their members: what is
// known as a group need not be known as one library's object.
#pragma once

#include <array>
#include <string_view>

namespace ranklint {

inline constexpr std::array<std::string_view, 4> kGroupClasses{"x.GroupCoordinator", "torch.distributed.ProcessGroup",
                                                               "torch.distributed.device_mesh.DeviceMesh",
                                                               "mpi4py.MPI.Comm"};

}  // namespace ranklint
