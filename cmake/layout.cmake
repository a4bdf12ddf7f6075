# What the program and its C++ module have in common is C++ types. RANKLINT_LAYOUT tells whether both were built with the same ones: a
# hash over the headers that define them.
file(GLOB headers CONFIGURE_DEPENDS analyzer/base/*.h analyzer/ir/*.h analyzer/machine/*.h frontends/cpp/*.h frontends/cpp/module/*.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
set(hashes "")
foreach(header IN LISTS headers)
  file(SHA256 ${header} hash)
  string(APPEND hashes ${hash})
endforeach()
string(SHA256 RANKLINT_LAYOUT "${hashes}")
string(SUBSTRING ${RANKLINT_LAYOUT} 0 16 RANKLINT_LAYOUT)
