// SPDX-License-Identifier: Apache-2.0
// Check cuda_compat: does a forward-compatibility copy of libcuda stand in the way of the driver's own?
//
// NVIDIA's cuda-compat packages bring a newer libcuda for an older module: made for data-centre GPUs, and useless or
// harmful when it is older than the module, as after an upgrade of the host below an old container image.
#include "checks/message_evidence.h"
#include "checks/version_claims.h"

#include <algorithm>

namespace gpucert {
namespace {

bool names_compat(std::string_view path) { return path.find("/compat") != path.npos; }

/// The first place where a program finds libcuda, if it is a compatibility copy: {where read, path}.
std::optional<evidence_item> compat_in_front(const node_evidence &node) {
  const auto &environment = node.userspace.environment;
  if (environment.is_known())
    for (const std::string &folder : environment->library_folders())
      if (names_compat(folder))
        return evidence_item{environment.source, "LD_LIBRARY_PATH: " + folder};
  if (node.libraries.is_known())
    for (const driver_library &library : *node.libraries)
      if (library.soname == "libcuda.so.1" && !library.is_32_bit) {
        if (library.is_compat_copy())
          return evidence_item{node.libraries.source, library.path};
        return std::nullopt; // the driver's own is found first
      }
  return std::nullopt;
}

void judge_combination(const node_evidence &node, const std::vector<reported_message> &messages, judgement &result) {
  const auto compat = compat_in_front(node);
  const bool has_only_own = node.libraries.is_known() && !node.libraries->empty();
  if (!compat && has_only_own) {
    add_reported(result, "userspace.version-mismatch", messages)
        .expected("a libcuda of the module's release")
        .note("No compatibility copy is in the library path of this node; a container may have one of its own.");
    return;
  }
  finding &found = add_reported(result, "userspace.cuda-compat-conflict", messages)
                       .expected("the driver's own libcuda in front of any other");
  if (compat)
    found.read_from(compat->source, compat->text);
  else
    found.is_inferred_because("the library path of the program is not known; error 803 comes from a compatibility "
                              "copy, or from a libcuda of another release than the module");
}

/// Without any error yet: a copy that is older than the module cannot work with it.
void judge_older_copy(const node_evidence &node, judgement &result) {
  const auto loaded = claim_of_loaded_module(node);
  const auto compat = compat_in_front(node);
  if (!loaded || !compat || node.platform.has_gpu_off_pci() || !node.libraries.is_known())
    return;
  const auto copy = std::find_if(node.libraries->begin(), node.libraries->end(), [](const driver_library &library) {
    return library.soname == "libcuda.so.1" && library.is_compat_copy() && !library.is_32_bit && library.release;
  });
  if (copy == node.libraries->end() || *copy->release >= loaded->release)
    return;
  result.add("userspace.cuda-compat-conflict")
      .saw("compatibility libcuda {} in front of the driver's own, module {}", copy->release->text(),
           loaded->release.text())
      .expected("a compatibility copy that is newer than the module, or none")
      .read_from(compat->source, compat->text)
      .read_from(loaded->source, loaded->text);
}

void judge_cuda_compat(const node_evidence &node, const expectations &, judgement &result) {
  if (const auto messages = messages_of(node, {message_topic::compat_unsupported}); !messages.empty())
    add_reported(result, "userspace.cuda-compat-unsupported", messages)
        .expected("a driver that supports the program's CUDA by itself")
        .note("The program needs a newer CUDA than the driver offers, and the compatibility copy works on data-centre "
              "GPUs only.");
  const auto messages = messages_of(node, {message_topic::driver_combination});
  if (!messages.empty())
    judge_combination(node, messages, result);
  else
    judge_older_copy(node, result);
}

const check_registration registration{
    {"cuda_compat", "does a compatibility copy of libcuda fit the module?", false, judge_cuda_compat}};

} // namespace
} // namespace gpucert
