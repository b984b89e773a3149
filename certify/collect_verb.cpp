// SPDX-License-Identifier: Apache-2.0
// gpucert collect: writes a capture of this node, for a ticket or as a test of this suite.
#include "certify/command_line.h"
#include "certify/standard_output.h"
#include "certify/verb.h"
#include "node/capture_writer.h"
#include "node/evidence.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <array>
#include <unistd.h>

namespace gpucert {
namespace {

/// The node's own names, which must not travel: from the system or, for a tree, from its /etc/hostname.
std::vector<std::string> host_names(host &node) {
  std::vector<std::string> names;
  std::array<char, 256> name{};
  if (node.is_live() && ::gethostname(name.data(), name.size() - 1) == 0)
    names.emplace_back(name.data());
  if (const fact<std::string> text = node.read_file("/etc/hostname"); text.is_known())
    names.emplace_back(trim(*text));
  for (std::size_t index = names.size(); index-- > 0;)
    names.push_back(names[index].substr(0, names[index].find('.')));
  return names;
}

exit_code run_collect(const std::vector<std::string> &arguments) {
  command_line line("collect");
  node_options chosen;
  std::string folder;
  line.options().add_option("folder", folder)->required()->check(not_empty());
  chosen.add_to(line.options());
  if (!line.parse(arguments))
    return exit_code::pass;
  chosen.is_deep = true; // a ticket wants everything; --deadline bounds it

  host asked(chosen.for_host());
  capture_writer writer(folder, personal_data(host_names(asked)));
  host::options options = chosen.for_host();
  options.record = &writer;
  host node(options);
  read_evidence(node, {chosen.is_deep, nvml_program_path()});
  const std::size_t files = writer.finish();
  print(fmt::format("{}: {} files; look through them before you publish them, then: gpucert check --root {}\n", folder,
                    files, folder));
  return exit_code::pass;
}

const verb_registration registration{{"collect", run_collect}};

} // namespace
} // namespace gpucert
