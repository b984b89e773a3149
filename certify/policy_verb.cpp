// SPDX-License-Identifier: Apache-2.0
// gpucert policy: prints a configuration that keeps the installed driver packages where they are.
#include "certify/command_line.h"
#include "certify/standard_output.h"
#include "certify/verb.h"
#include "checks/update_protection.h"
#include "node/evidence.h"
#include "node/wrong_input.h"

namespace gpucert {
namespace {

policy_format format_named(const std::string &name) {
  return name == "apt-hold"  ? policy_format::apt_hold
         : name == "apt-pin" ? policy_format::apt_pins
         : name == "dnf"     ? policy_format::dnf
                             : policy_format::apt_configuration;
}

exit_code run_policy(const std::vector<std::string> &arguments) {
  command_line line("policy");
  node_options chosen;
  std::string format = "auto";
  chosen.add_to(line.options());
  add_format_option(line.options(), format, {"auto", "apt", "apt-hold", "apt-pin", "dnf"});
  if (!line.parse(arguments))
    return exit_code::pass;
  host node(chosen.for_host());
  const node_evidence evidence =
      read_evidence(node, {chosen.is_deep || format == "dnf" || format == "auto", nvml_program_path()});
  if (format == "auto") // rpm is asked for its list where a node has its database
    format = evidence.packages.source.find("rpm") != std::string::npos ? "dnf" : "apt";
  const auto packages = installed_driver_packages(evidence);
  if (packages.empty())
    throw unreadable_input(evidence.packages.is_known() ? "no driver package is installed"
                                                        : "the list of installed packages is not known",
                           "nothing is printed");
  print(write_update_policy(packages, format_named(format)));
  return exit_code::pass;
}

const verb_registration registration{{"policy", run_policy}};

} // namespace
} // namespace gpucert
