# SPDX-License-Identifier: Apache-2.0
# Writes a C++ source that holds text files: cmake -DOUTPUT= -DNAMESPACE= -DFILES=a|b -P embed.cmake
string(REPLACE "|" ";" FILES "${FILES}")
set(entries "")
foreach(path IN LISTS FILES)
  file(READ ${path} text)
  cmake_path(GET path STEM LAST_ONLY name)
  # GCC has no limit for a literal, but CMake's file(READ) would drop a semicolon list only if it were split: it is not.
  string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"cmake/embedded_file.h\"\n
namespace gpucert::${NAMESPACE} {
extern const std::vector<embedded_file> embedded_files;
const std::vector<embedded_file> embedded_files = {
${entries}};
} // namespace gpucert::${NAMESPACE}
")
