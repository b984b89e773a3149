// SPDX-License-Identifier: Apache-2.0
// Check cdi_specification: do the CDI specifications name files that exist, of the driver that is installed?
#include "checks/message_evidence.h"
#include "checks/version_claims.h"

#include <algorithm>

namespace gpucert {
namespace {

/// Sockets of daemons come and go; libraries, programs and device files must be there.
bool must_exist(std::string_view path) {
  return path.find(".so") != path.npos || path.starts_with("/dev/nvidia") || path.find("/bin/nvidia-") != path.npos;
}

void judge_one(const node_evidence &node, const cdi_specification &specification, judgement &result) {
  std::string absent;
  for (const std::string &path : specification.absent)
    if (must_exist(path))
      absent += path + "\n";
  const auto userspace = claim_of_userspace(node);
  const auto installed = userspace ? userspace : claim_of_loaded_module(node);
  const auto other =
      std::find_if(specification.releases.begin(), specification.releases.end(), [&](const driver_release &release) {
        return installed && !may_be_same(*installed, {release, "", "", false});
      });
  const bool is_other = !specification.knows_absent && other != specification.releases.end();
  if (absent.empty() && !is_other)
    return;
  finding &found = result.add("container.cdi-spec-stale").expected("a specification of the installed driver");
  if (is_other)
    found.saw("{} names driver {}, installed is {}", specification.path, other->text(), installed->release.text())
        .read_from(specification.path, other->text())
        .read_from(installed->source, installed->text);
  else
    found.saw("{} names files that do not exist", specification.path).read_from(specification.path, absent);
}

void judge_cdi_specification(const node_evidence &node, const expectations &, judgement &result) {
  const auto messages = messages_of(node, {message_topic::cdi_unresolvable, message_topic::cdi_path_missing});
  if (!messages.empty())
    add_reported(result, "container.cdi-spec-stale", messages).expected("a specification of the installed driver");
  if (node.userspace.cdi.is_known())
    for (const cdi_specification &specification : *node.userspace.cdi)
      judge_one(node, specification, result);
}

const check_registration registration{
    {"cdi_specification", "do CDI specifications name files of this driver?", false, judge_cdi_specification}};

} // namespace
} // namespace gpucert
