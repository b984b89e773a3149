// SPDX-License-Identifier: Apache-2.0
#include "certify/pasted_report.h"

#include "certify/pasted_text.h"
#include "node/evidence.h"
#include "node/host.h"
#include "node/scratch_folder.h"
#include "node/wrong_input.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace gpucert {

stack_report judge_pasted(std::string_view text) {
  const scratch_folder folder("gpucert-explain");
  for (const auto &[name, content] : sort_pasted_text(text)) {
    const std::filesystem::path place = folder.path() / name;
    std::filesystem::create_directories(place.parent_path());
    std::ofstream file(place, std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    file.close(); // so that a full disk shows
    if (!file)
      throw unreadable_input(fmt::format("{}: cannot be written", place.string()),
                             "set TMPDIR to a folder with more space");
  }
  host::options options;
  options.kind = host_kind::capture;
  options.folder = folder.path();
  host node(options);
  stack_report stack = judge_stack(read_evidence(node, {}), {}, catalogue::built_in());
  stack.unknown.clear(); // a text lacks nearly every fact of a node: nothing worth saying
  return stack;
}

} // namespace gpucert
