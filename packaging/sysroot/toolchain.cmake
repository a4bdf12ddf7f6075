# CMake's toolchain for a package: Clang, for the machine and with the sysroot that bring.sh made.
#
#     cmake --preset package -DRANKLINT_MACHINE=aarch64 -DRANKLINT_SYSROOT=/folder/of/aarch64 -DRANKLINT_LIBC=/folder/of/its/libc
#
# What the build itself runs is emulated where it is for another machine, with the C library in RANKLINT_LIBC.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RANKLINT_MACHINE RANKLINT_SYSROOT RANKLINT_LIBC)
if(NOT RANKLINT_MACHINE STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR ${RANKLINT_MACHINE})
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${RANKLINT_MACHINE}-static -L ${RANKLINT_LIBC})
endif()
set(CMAKE_SYSROOT ${RANKLINT_SYSROOT})
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET ${RANKLINT_MACHINE}-linux-gnu)
endforeach()
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_STRIP /usr/bin/llvm-strip-19)  # GNU's knows only the machine that it runs on
set(CMAKE_LIBRARY_ARCHITECTURE ${RANKLINT_MACHINE}-linux-gnu)
foreach(kind EXE MODULE SHARED)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-fuse-ld=lld-19 -static-libgcc")
endforeach()

# Libraries and headers are those of the sysroot, programs those of the machine that builds.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
