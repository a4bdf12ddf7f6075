# link_llvm_statically(TARGET): LLVM's own static libraries in place of libLLVM.so.
#
# Debian's targets for Clang's static libraries name the shared LLVM, which itself needs seven more libraries. A package
# runs where none of them is installed, so each of the targets is told to forget it, and the static ones stand in.
function(link_llvm_statically target)
  set(left ${clang_libraries})
  set(seen "")
  while(left)
    list(POP_FRONT left library)
    if(library IN_LIST seen OR NOT TARGET ${library})
      continue()
    endif()
    list(APPEND seen ${library})
    get_target_property(needs ${library} INTERFACE_LINK_LIBRARIES)
    list(REMOVE_ITEM needs LLVM)
    set_target_properties(${library} PROPERTIES INTERFACE_LINK_LIBRARIES "${needs}")
    list(APPEND left ${needs})
  endwhile()

  llvm_map_components_to_libnames(llvm Support Option Core MC MCParser BitReader BitstreamReader BinaryFormat ProfileData
                                  TargetParser FrontendOpenMP FrontendOffloading WindowsDriver Object Demangle)
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "rt;dl;m;${RANKLINT_ZLIB};${RANKLINT_ZSTD};LLVMDemangle")
  target_link_libraries(${target} INTERFACE ${llvm})
endfunction()
