# SPDX-License-Identifier: Apache-2.0
# Writes a C++ source that holds text files: cmake -DOUTPUT= -DNAMESPACE= -DFILES=a|b -P embed.cmake
# Texts are only ever used quoted here: unquoted, CMake would take their semicolons and brackets for a list.
string(REPLACE "|" ";" FILES "${FILES}")
list(SORT FILES)
set(entries "")
foreach(path IN LISTS FILES)
  file(READ ${path} text)
  string(FIND "${text}" ")embedded\"" end_of_literal)
  if(NOT end_of_literal EQUAL -1)
    message(FATAL_ERROR "${path} holds )embedded\", which would end its C++ literal")
  endif()
  cmake_path(GET path STEM LAST_ONLY name)
  string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
# GCC has no limit for a literal; Clang warns above the 65536 characters that the standard promises.
file(WRITE ${OUTPUT} "#include \"cmake/embedded_file.h\"\n
#ifdef __clang__
#pragma clang diagnostic ignored \"-Woverlength-strings\"
#endif\n
namespace gpucert::${NAMESPACE} {
extern const std::vector<embedded_file> embedded_files;
const std::vector<embedded_file> embedded_files = {
${entries}};
} // namespace gpucert::${NAMESPACE}
")
