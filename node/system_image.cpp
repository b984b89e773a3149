// SPDX-License-Identifier: Apache-2.0
#include "node/system_image.h"

#include "node/host.h"
#include "node/text_lines.h"

#include <array>
#include <utility>

namespace gpucert {
namespace {

/// The first line that shows a deployment.
std::string first_deployment(std::string_view text) {
  while (!text.empty())
    if (const std::string_view line = trim(take_line(text));
        line.find(':') != line.npos && line.find("://") != line.npos)
      return std::string(line);
  return "has deployments";
}

bool is_nix_generation(const fact<std::string> &links) {
  return links.is_known() && (links->find("/run/booted-system") != std::string::npos ||
                              links->find("/run/current-system") != std::string::npos);
}

} // namespace

fact<system_image> read_system_image(host &node) {
  using image = fact<system_image>;
  if (node.kind() == host_kind::capture) {
    const fact<std::string> status = node.read_document("commands/rpm_ostree_status.txt");
    if (status.is_known())
      return image::known({"rpm-ostree", first_deployment(*status)}, status.source);
    if (const fact<std::string> links = node.read_document("commands/readlink.txt"); is_nix_generation(links))
      return image::known({"NixOS", "/run/current-system"}, links.source);
  }
  // Files that only such systems have: ostree(1), NixOS, transactional-update(8) of SUSE.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> marks{
      {{"/run/ostree-booted", "rpm-ostree"},
       {"/etc/NIXOS", "NixOS"},
       {"/etc/transactional-update.conf", "transactional-update"}}};
  bool knows = node.kind() != host_kind::capture;
  for (const auto &[path, kind] : marks) {
    if (node.exists(path)) {
      node.read_file(path, 4096); // for the record: an empty file
      return image::known({std::string(kind), std::string(path)}, std::string(path));
    }
  }
  return knows ? image::absent("/run/ostree-booted") : image::unknown("/run/ostree-booted", "not in the capture");
}

} // namespace gpucert
