// SPDX-License-Identifier: Apache-2.0
// embed_as_cbor OUTPUT NAMESPACE FILE.json...: like embed.cmake, for JSON that the program reads at every start. In
// CBOR (RFC 8949) it is the same document, and read in a fifth of the time.
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>

int main(int count, char **words) {
  if (count < 4) {
    std::cerr << "embed_as_cbor OUTPUT NAMESPACE FILE.json...\n";
    return 64;
  }
  std::ofstream out(words[1]);
  out << "#include \"cmake/embedded_file.h\"\n\nnamespace gpucert::" << words[2] << " {\nnamespace {\n";
  std::string entries;
  for (int index = 3; index < count; ++index) {
    std::ifstream in(words[index]);
    const nlohmann::json document = nlohmann::json::parse(in, nullptr, false);
    if (document.is_discarded()) {
      std::cerr << words[index] << ": is no JSON\n";
      return 1;
    }
    const std::string name = std::filesystem::path(words[index]).stem().string();
    out << "constexpr unsigned char " << name << "[] = {";
    for (const std::uint8_t byte : nlohmann::json::to_cbor(document))
      out << static_cast<int>(byte) << ",";
    out << "};\n";
    entries += "    {\"" + name + "\", {reinterpret_cast<const char *>(" + name + "), sizeof " + name + "}},\n";
  }
  out << "} // namespace\nextern const std::vector<embedded_file> embedded_files;\n"
      << "const std::vector<embedded_file> embedded_files = {\n"
      << entries << "};\n} // namespace gpucert::" << words[2] << "\n";
  return out.flush() ? 0 : 1;
}
