// SPDX-License-Identifier: Apache-2.0
#include "simulator/node/node_files.h"

#include "simulator/node/node_versions.h"

#include <cctype>

namespace gpucert::simulator {
namespace {

using node_files = std::map<std::string, std::string>;

constexpr const char *kernel_release = "5.15.0-157-generic";
constexpr const char *package_revision = "-0ubuntu0.22.04.1";

std::string branch_of(const std::string &version) { return version.substr(0, version.find('.')); }

void add_system(node_files &files) {
  files["root/etc/os-release"] =
      "PRETTY_NAME=\"Ubuntu 22.04.5 LTS\"\nNAME=\"Ubuntu\"\nVERSION_ID=\"22.04\"\nID=ubuntu\n"
      "ID_LIKE=debian\n";
  files["root/proc/sys/kernel/osrelease"] = std::string(kernel_release) + "\n";
  files["root/boot.list"] = std::string("/boot/vmlinuz-") + kernel_release + " *\n";
  files["root/etc/apt/apt.conf.d/50unattended-upgrades"] = "Unattended-Upgrade::Package-Blacklist {\n"
                                                           "    \"nvidia-.*\";\n"
                                                           "    \"libnvidia-.*\";\n"
                                                           "    \"linux-.*\";\n"
                                                           "};\n";
}

void add_loaded_modules(node_files &files, const std::string &version) {
  files["root/proc/driver/nvidia/version"] = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  " + version +
                                             "  Release Build  (dvs-builder@U22)  Tue Sep 23 10:11:16 UTC 2025\n"
                                             "GCC version:  gcc version 11.4.0 (Ubuntu 11.4.0-1ubuntu1~22.04.2)\n";
  files["root/proc/modules"] = "nvidia_uvm 2031616 0 - Live 0x0000000000000000 (OE)\n"
                               "nvidia_drm 131072 0 - Live 0x0000000000000000 (OE)\n"
                               "nvidia_modeset 1564672 1 nvidia_drm, Live 0x0000000000000000 (OE)\n"
                               "nvidia 11583488 2 nvidia_uvm,nvidia_modeset, Live 0x0000000000000000 (OE)\n";
  for (const char *module : {"nvidia", "nvidia_uvm", "nvidia_drm", "nvidia_modeset"})
    files[std::string("root/sys/module/") + module + "/version"] = version + "\n";
}

void add_device_files(node_files &files, const simulation &what, bool is_loaded) {
  std::string list;
  if (is_loaded) {
    for (int device = 0; device < what.devices; ++device) // a lost GPU keeps its file
      list += "/dev/nvidia" + std::to_string(device) + " c 195:" + std::to_string(device) + " 0666\n";
    list += "/dev/nvidiactl c 195:255 0666\n/dev/nvidia-uvm c 511:0 0666\n/dev/nvidia-uvm-tools c 511:1 0666\n";
    files["root/proc/devices"] = "Character devices:\n  1 mem\n195 nvidia\n195 nvidiactl\n511 nvidia-uvm\n";
  }
  files["root/dev.list"] = list;
}

void add_pci(node_files &files, const simulation &what, bool is_loaded) {
  const auto &pci = what.gpu.source.at("pci");
  for (int device = 0; device < what.devices; ++device) {
    const std::string folder = "root/sys/bus/pci/devices/" + what.pci_address(device) + "/";
    files[folder + "vendor"] = "0x10de\n";
    files[folder + "device"] = pci.at("device").get<std::string>() + "\n";
    files[folder + "class"] = "0x030200\n"; // 3D controller
    files[folder + "current_link_width"] = files[folder + "max_link_width"] = "16\n";
    files[folder + "current_link_speed"] = files[folder + "max_link_speed"] =
        pci.at("link_speed").get<std::string>() + "\n";
    if (is_loaded)
      files[folder + "driver.txt"] = "nvidia\n";
  }
}

std::string package_entry(const std::string &name, const std::string &version) {
  return "Package: " + name + "\nStatus: hold ok installed\nArchitecture: amd64\nVersion: " + version + "\n\n";
}

void add_packages(node_files &files, const simulation &what, const std::string &version) {
  const std::string branch = branch_of(version);
  const std::string full = version + package_revision;
  std::string status;
  for (const std::string &name : {"nvidia-driver-" + branch + "-server-open", "nvidia-dkms-" + branch + "-server-open",
                                  "nvidia-kernel-source-" + branch + "-server-open",
                                  "nvidia-utils-" + branch + "-server", "libnvidia-compute-" + branch + "-server",
                                  "libnvidia-cfg1-" + branch + "-server", "nvidia-compute-utils-" + branch + "-server"})
    status += package_entry(name, full);
  if (what.gpu.source.at("pci").at("has_nvswitch").get<bool>() && what.devices > 1)
    status += package_entry("nvidia-fabricmanager-" + branch, version + "-1");
  files["root/var/lib/dpkg/status"] = status;
}

/// An unattended upgrade replaced the user space under a module that stayed loaded.
void add_upgrade(node_files &files, const std::string &from, const std::string &to) {
  const auto change = [&](const std::string &stem) {
    return stem + ":amd64 (" + from + package_revision + ", " + to + package_revision + ")";
  };
  files["root/var/log/apt/history.log"] = "\nStart-Date: 2025-11-12  06:14:07\n"
                                          "Commandline: /usr/bin/unattended-upgrade\n"
                                          "Upgrade: " +
                                          change("libnvidia-compute-" + branch_of(to) + "-server") + ", " +
                                          change("nvidia-utils-" + branch_of(to) + "-server") +
                                          "\nEnd-Date: 2025-11-12  06:16:31\n";
}

void add_module_on_disk(node_files &files, const std::string &version) {
  files["commands/modinfo_nvidia.txt"] =
      std::string("filename:       /lib/modules/") + kernel_release +
      "/updates/dkms/nvidia.ko\n"
      "firmware:       nvidia/" +
      version + "/gsp_tu10x.bin\nfirmware:       nvidia/" + version + "/gsp_ga10x.bin\nversion:        " + version +
      "\nlicense:        Dual MIT/GPL\nvermagic:       " + kernel_release + " SMP mod_unload modversions\n";
  files["commands/dkms_status.txt"] = "nvidia-srv-open/" + version + ", " + kernel_release + ", x86_64: installed\n";
}

void add_libraries(node_files &files, const std::string &version) {
  std::string cache;
  std::string links;
  for (const std::string name : {"libnvidia-ml.so.1", "libcuda.so.1"}) {
    const std::string folder = "/lib/x86_64-linux-gnu/";
    cache += "\t" + name + " (libc6,x86-64) => " + folder + name + "\n";
    links += folder + name + " -> " + name.substr(0, name.size() - 1) + version + "\n";
  }
  files["commands/ldconfig_p.txt"] = cache;
  files["commands/readlink.txt"] = links;
}

std::string what_xid_means(long long xid) { return xid == 79 ? "GPU has fallen off the bus." : "simulated fault"; }

void add_kernel_log(node_files &files, const simulation &what, const node_versions &versions) {
  std::string log;
  if (versions.loaded_module)
    log += "[    6.302117] NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  " + *versions.loaded_module +
           "  Release Build  (dvs-builder@U22)\n";
  if (versions.loaded_module && versions.loaded_module != versions.userspace)
    log += "[80012.118204] NVRM: API mismatch: the client has the version " + versions.userspace +
           ", but\n[80012.118204] NVRM: this kernel module has the version " + *versions.loaded_module +
           ".  Please\n[80012.118204] NVRM: make sure that this kernel module and all NVIDIA driver\n"
           "[80012.118204] NVRM: components have the same version.\n";
  if (const fault *xid = what.faults.find(fault_name::xid)) // PCI:0000:1b:00, without the function
    log += "[ 4211.904411] NVRM: Xid (PCI:" + what.pci_address(0).substr(0, 10) + "): " + std::to_string(*xid->number) +
           ", " + what_xid_means(*xid->number) + "\n";
  files["commands/dmesg.txt"] = log;
}

} // namespace

node_files node_files_of(const simulation &what) {
  const node_versions versions = versions_of(what);
  const bool is_loaded = versions.loaded_module.has_value();
  node_files files;
  add_system(files);
  if (is_loaded)
    add_loaded_modules(files, *versions.loaded_module);
  else
    files["root/proc/modules"] = "ext4 1036288 1 - Live 0x0000000000000000\n";
  add_device_files(files, what, is_loaded);
  add_pci(files, what, is_loaded);
  add_packages(files, what, versions.userspace);
  if (is_loaded && versions.loaded_module != versions.userspace)
    add_upgrade(files, *versions.loaded_module, versions.userspace);
  add_module_on_disk(files, versions.userspace);
  add_libraries(files, versions.userspace);
  add_kernel_log(files, what, versions);
  return files;
}

} // namespace gpucert::simulator
