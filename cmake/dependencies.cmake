# Libraries from outside. All that are missing are named at once, with the way out.
set(missing "")
set(packages "")

# ranklint_need(IS_HERE NAME DEBIAN_PACKAGE)
function(ranklint_need is_here name package)
  if(NOT is_here)
    set(missing ${missing} ${name} PARENT_SCOPE)
    set(packages ${packages} ${package} PARENT_SCOPE)
  endif()
endfunction()

find_package(nlohmann_json 3.11 QUIET)
ranklint_need("${nlohmann_json_FOUND}" "nlohmann-json 3.11" nlohmann-json3-dev)
find_package(CLI11 QUIET)
ranklint_need("${CLI11_FOUND}" "CLI11" libcli11-dev)
find_package(tomlplusplus QUIET)
ranklint_need("${tomlplusplus_FOUND}" "toml++" libtomlplusplus-dev)
# yaml-cpp's archive is preferred, so that the program runs where the library is not installed.
find_path(RANKLINT_YAML_HEADERS yaml-cpp/yaml.h)
find_library(RANKLINT_YAML_CPP NAMES libyaml-cpp.a yaml-cpp)
ranklint_need("${RANKLINT_YAML_CPP}" "yaml-cpp" libyaml-cpp-dev)
find_path(RANKLINT_XXHASH_HEADER xxhash.h)  # its functions are compiled in
ranklint_need("${RANKLINT_XXHASH_HEADER}" "xxHash 0.8" libxxhash-dev)
# Sanitizers allocate by themselves.
if(RANKLINT_ALLOCATOR AND NOT RANKLINT_SANITIZE)
  find_library(RANKLINT_ALLOCATOR_LIBRARY NAMES lib${RANKLINT_ALLOCATOR}_pic.a lib${RANKLINT_ALLOCATOR}.a ${RANKLINT_ALLOCATOR})
  ranklint_need("${RANKLINT_ALLOCATOR_LIBRARY}" ${RANKLINT_ALLOCATOR} lib${RANKLINT_ALLOCATOR}-dev)
endif()
if(RANKLINT_PACKAGE AND RANKLINT_CPP)
  # What LLVM compresses with; it is the compiler's own profile formats that need it.
  find_library(RANKLINT_ZLIB libz.a)
  ranklint_need("${RANKLINT_ZLIB}" "zlib, as a static library" zlib1g-dev)
  find_library(RANKLINT_ZSTD libzstd.a)
  ranklint_need("${RANKLINT_ZSTD}" "zstd, as a static library" libzstd-dev)
endif()

if(missing)
  list(JOIN missing ", " missing)
  list(JOIN packages " " packages)
  message(FATAL_ERROR "ranklint is built with these libraries, which are not here: ${missing}.\n"
                      "On Debian: apt-get install ${packages}")
endif()
