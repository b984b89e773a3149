# SPDX-License-Identifier: Apache-2.0
# The kinds of target in this tree, one function each.

# Standards and warnings of everything that is ours. Device code has C++17: cuda.cmake. As a compile feature of the target,
# which cannot depend on the language, C++20 would be asked of nvcc as well.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
add_library(gpucert_options INTERFACE)
set(gpucert_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  -Wimplicit-fallthrough)
if(GPUCERT_WERROR)
  list(APPEND gpucert_warnings -Werror)
endif()
target_compile_options(gpucert_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${gpucert_warnings}>")
target_include_directories(gpucert_options INTERFACE ${PROJECT_SOURCE_DIR})
if(GPUCERT_SANITIZE)
  target_compile_options(gpucert_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${GPUCERT_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  target_link_options(gpucert_options INTERFACE -fsanitize=${GPUCERT_SANITIZE})
else()
  # What ships carries its own C++ runtime, so that one tarball runs from Ubuntu 22.04 and RHEL 9 on. Not libgcc, which
  # every Linux has: a static one asks for _dl_find_object of glibc 2.35; and unused parts of libstdc++ for arc4random.
  target_link_options(gpucert_options INTERFACE -static-libstdc++ -Wl,--gc-sections)
endif()

# gpucert_units(TARGET [DEPENDS targets...] [FOLDERS folders...] [EXCEPT files...]): an object library of every .cpp of
# this folder, and of folders in it. Object files are all
# linked, so a unit registers itself by a static object and no list names it.
function(gpucert_units target)
  cmake_parse_arguments(arg "" "" "DEPENDS;EXCEPT;FOLDERS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(folder IN LISTS arg_FOLDERS)
    file(GLOB more CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
    list(APPEND sources ${more})
  endforeach()
  foreach(name IN LISTS arg_EXCEPT)
    list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  endforeach()
  add_library(${target} OBJECT ${sources})
  target_link_libraries(${target} PUBLIC gpucert_options ${arg_DEPENDS})
endfunction()

# gpucert_calculates(TARGET): what calculates in place of a GPU, or to compare with one, is optimised under the sanitizers
# as well: without it a run on the simulated node takes four times as long.
function(gpucert_calculates target)
  if(GPUCERT_SANITIZE)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1>)
  endif()
endfunction()

# gpucert_embed(TARGET NAMESPACE file...): adds the files' text to TARGET as  NAMESPACE::embedded_files, sorted by name.
function(gpucert_embed target namespace)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${namespace}_embedded.cpp)
  string(REPLACE ";" "|" files "${ARGN}")
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAMESPACE=${namespace} "-DFILES=${files}"
      -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

# gpucert_embed_json(TARGET NAMESPACE file...): the same for JSON that the program reads at every start, as CBOR.
function(gpucert_embed_json target namespace)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${namespace}_embedded.cpp)
  add_custom_command(OUTPUT ${output} COMMAND gpucert_embed_as_cbor ${output} ${namespace} ${ARGN}
    DEPENDS ${ARGN} gpucert_embed_as_cbor VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
add_executable(gpucert_embed_as_cbor EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/embed_as_cbor.cpp)
target_link_libraries(gpucert_embed_as_cbor PRIVATE gpucert_options nlohmann_json::nlohmann_json)

# fmt, static; see fmt_static.cpp.
add_library(gpucert_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/fmt_static.cpp)
target_include_directories(gpucert_fmt SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
target_link_libraries(gpucert_fmt PRIVATE gpucert_options)
set_target_properties(gpucert_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON)
