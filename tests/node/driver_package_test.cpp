// SPDX-License-Identifier: Apache-2.0
#include "node/driver_package.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace gpucert {
namespace {

struct part_names {
  driver_part part;
  std::initializer_list<const char *> names;
};

TEST(driver_package, knows_the_parts_of_every_distribution) {
  const part_names table[] = {
      {driver_part::userspace,
       {"libnvidia-compute-535",
        "libnvidia-compute-535-server",
        "libnvidia-common-580-server",
        "nvidia-utils-580-server",
        "nvidia-compute-utils-550",
        "xserver-xorg-video-nvidia-535",
        "nvidia-kernel-common-535-server",
        "nvidia-384",
        "libcuda1-384",
        "libnvidia-decode-580",
        "libnvidia-compu", // a cut name
        "libcuda1",
        "libcuda1-i386",
        "libnvidia-ml1",
        "nvidia-smi",
        "nvidia-alternative",
        "libnvidia-tesla-470-ml1",
        "nvidia-tesla-470-smi",
        "nvidia-legacy-390xx-alternative",
        "libgl1-nvidia-glvnd-glx",
        "nvidia-opencl-icd",
        "xserver-xorg-video-nvidia",
        "libnvidia-ml",
        "nvidia-driver-libs",
        "nvidia-driver-cuda",
        "nvidia-driver-cuda-libs",
        "nvidia-driver-latest-dkms-cuda",
        "xorg-x11-drv-nvidia",
        "xorg-x11-drv-nvidia-470xx-cuda-libs",
        "nvidia-x11-drv",
        "nvidia-compute-G06",
        "nvidia-compute-utils-G06",
        "nvidia-video-G06",
        "nvidia-gl-G06-32bit",
        "nvidia-computeG05",
        "nvidia-utils",
        "lib32-nvidia-utils",
        "nvidia-470xx-utils",
        "opencl-nvidia"}},
      {driver_part::kernel_module,
       {"linux-modules-nvidia-580-open-6.14.0-36-generic", "linux-objects-nvidia-550-6.11.0-17-generic",
        "linux-signatures-nvidia-5.15.0-100-generic", "linux-modules-nvidia-535-server-5.15.0-1040-nvidia",
        "kmod-nvidia-5.14.0-570.el9_6", "kmod-nvidia-open-5.14.0-611.41.1.el9_7",
        "kmod-nvidia-515.48.07-4.18.0-372.9.1", "kmod-nvidia", "nvidia-driver-G06-kmp-default",
        "nvidia-open-driver-G06-signed-kmp-default", "nvidia-open-driver-G06-signed-cuda-kmp-default",
        "nvidia-gfxG05-kmp-default", "nvidia", "nvidia-lts", "nvidia-470xx", "linux612-nvidia"}},
      {driver_part::module_source,
       {"nvidia-dkms-535", "nvidia-dkms-580-server-open", "nvidia-kernel-source-550-open", "nvidia-kernel-dkms",
        "nvidia-open-kernel-dkms", "nvidia-tesla-470-kernel-dkms", "kmod-nvidia-latest-dkms", "kmod-nvidia-open-dkms",
        "dkms-nvidia", "akmod-nvidia", "akmod-nvidia-470xx", "nvidia-dkms", "nvidia-open-dkms", "nvidia-470xx-dkms",
        "xorg-x11-drv-nvidia-470xx-kmodsrc"}},
      {driver_part::firmware,
       {"nvidia-firmware-580-server-580.159.03", "firmware-nvidia-gsp", "nvidia-kmod-common",
        "kernel-firmware-nvidia-gspx-G06"}},
      {driver_part::fabric_manager,
       {"nvidia-fabricmanager-535", "nvidia-fabricmanager", "nvidia-fabric-manager", "cuda-drivers-fabricmanager-550",
        "libnvidia-nscq-535"}},
      {driver_part::metapackage,
       {"nvidia-driver-535", "nvidia-driver-580-server-open", "nvidia-headless-no-dkms-535-server", "cuda-drivers",
        "cuda-drivers-550", "nvidia-open", "nvidia-open-560", "nvidia-driver", "nvidia-tesla-470-driver",
        "linux-modules-nvidia-580-open-generic-hwe-24.04", "linux-modules-nvidia-535-server-generic",
        "nvidia-userspace-meta-G06", "nvidia-drivers-minimal-G06"}},
  };
  for (const auto &[part, names] : table)
    for (const char *name : names) {
      const auto found = classify_driver_package(name);
      EXPECT_TRUE(found == part) << name << " is " << to_string(part) << ", found "
                                 << (found ? to_string(*found) : "nothing");
    }
}

TEST(driver_package, nvidia_in_the_name_does_not_make_a_driver) {
  for (const char *name : {"nvidia-container-toolkit",
                           "nvidia-container-toolkit-base",
                           "libnvidia-container1",
                           "libnvidia-container-tools",
                           "nvidia-docker2",
                           "nvidia-cuda-toolkit",
                           "nvidia-cuda-dev",
                           "libnvidia-ml-dev",
                           "nvidia-settings",
                           "nvidia-xconfig",
                           "nvidia-modprobe",
                           "nvidia-persistenced",
                           "libxnvctrl0",
                           "nvidia-libXNVCtrl",
                           "python3-nvidia-ml-py",
                           "python3-py3nvml",
                           "xserver-xorg-video-nouveau",
                           "nvidiafb",
                           "nvidia-prime",
                           "libnvidia-egl-wayland1",
                           "libnvidia-egl-gbm1",
                           "nvidia-gpu-firmware",
                           "firmware-nvidia-graphics",
                           "kernel-firmware-nvidia",
                           "linux-modules-6.8.0-1010-nvidia",
                           "linux-image-6.14.0-1005-nvidia-64k",
                           "linux-image-nvidia",
                           "linux-nvidia",
                           "linux-modules-nvidia-fs-5.15.0-1040-nvidia",
                           "nvidia-fs-dkms",
                           "nvidia-driver-pinning-580",
                           "nvidia-driver-assistant",
                           "nvidia-driver-local-repo-ubuntu2204-550.54.15",
                           "nvidia-kernel-common",
                           "nvidia-support",
                           "nvidia-installer-cleanup",
                           "nvidia-detect",
                           "cuda-compat-12-4",
                           "unattended-upgrades",
                           "nvtop",
                           "dnf-plugin-nvidia",
                           "cuda-toolkit-12-4",
                           "nvidia-",
                           "linux-modules-",
                           ""})
    EXPECT_FALSE(classify_driver_package(name)) << name;
}

installed_package package_of(const char *name, const char *version) {
  installed_package package;
  package.name = name;
  package.version = package_version{version};
  return package;
}

struct release_row {
  const char *name;
  const char *version;
  const char *release; // nullptr: none
};

TEST(driver_package, release_is_in_the_version) {
  const release_row table[] = {
      {"libnvidia-compute-535", "535.161.07-0ubuntu0.22.04.1", "535.161.07"},
      {"nvidia-driver-460", "470.161.03-0ubuntu0.20.04.1", "470.161.03"}, // transitional: the name lies
      {"libnvidia-compute-535", "550.54.15-0ubuntu0.22.04.1", "550.54.15"},
      {"kmod-nvidia-5.14.0-570.el9_6", "575.64.03-1.el9", "575.64.03"},
      {"dkms-nvidia", "3:595.71.05-1.fc43", "595.71.05"},
      {"nvidia-driver-G06-kmp-default", "550.100_k6.9.7_1-25.1", "550.100"},
      {"nvidia-open-driver-G06-signed-cuda-kmp-default", "580.105.08_k6.12.0_160000.8-lp160.1.1", "580.105.08"},
      {"nvidia-utils", "610.57.04-1", "610.57.04"},
      {"libnvidia-compute-570", "570.86.10-0ubuntu0~gpu22.04.1", "570.86.10"},
      {"linux-modules-nvidia-580-open-6.14.0-36-generic", "6.14.0-36.36~24.04.1+1", nullptr}, // of the kernel
      {"linux-modules-nvidia-580-generic", "6.14.0-36.36~24.04.1", nullptr},
      {"nvidia-settings", "510.47.03-0ubuntu1", nullptr},
      {"unattended-upgrades", "2.8ubuntu1", nullptr},
      {"nvidia-kernel-common-535", "20151021+13", nullptr},
      {"libnvidia-future-wrapper", "1.1.13-1build1", nullptr}, // no driver has one digit
  };
  for (const auto &[name, version, release] : table) {
    const auto found = driver_release_of(package_of(name, version));
    EXPECT_EQ(found ? found->text() : "none", std::string{release ? release : "none"}) << name << " " << version;
  }
  installed_package unknown;
  unknown.name = "nvidia-driver-550";
  EXPECT_FALSE(driver_release_of(unknown));
}

TEST(driver_package, kernel_of_a_module_package) {
  const release_row table[] = {
      {"linux-modules-nvidia-580-open-6.14.0-36-generic", "6.14.0-36.36~24.04.1+1", "6.14.0-36-generic"},
      {"linux-modules-nvidia-535-server-open-5.15.0-1040-nvidia-64k", "5.15.0-1040.40", "5.15.0-1040-nvidia-64k"},
      {"linux-objects-nvidia-550-6.11.0-17-generic", "6.11.0-17.17~24.04.2+1", "6.11.0-17-generic"},
      {"linux-signatures-nvidia-5.15.0-100-generic", "5.15.0-100.110", "5.15.0-100-generic"},
      {"kmod-nvidia-5.14.0-570.el9_6", "575.64.03-1.el9", "5.14.0-570.el9_6"},
      {"kmod-nvidia-open-5.14.0-611.41.1.el9_7", "595.58.03-1.el9_7", "5.14.0-611.41.1.el9_7"},
      {"kmod-nvidia-515.48.07-4.18.0-372.9.1", "3:515.48.07-3.el8", "4.18.0-372.9.1"},
      {"kmod-nvidia-470xx-6.9.7-200.fc40.x86_64", "3:470.256.02-1.fc40", "6.9.7-200.fc40.x86_64"},
      {"nvidia-driver-G06-kmp-default", "550.100_k6.9.7_1-25.1", "6.9.7-1-default"},
      {"nvidia-open-driver-G06-signed-cuda-kmp-default", "580.105.08_k6.12.0_160000.8-lp160.1.1",
       "6.12.0-160000.8-default"},
      {"linux-modules-nvidia-580-open-generic-hwe-24.04", "6.14.0-36.36~24.04.1", nullptr},
      {"kmod-nvidia-latest-dkms", "3:575.64.03-1.el9", nullptr},
      {"kmod-nvidia", "3:575.64.03-1.el9", nullptr},
      {"nvidia-driver-G06-kmp-default", "550.100-25.1", nullptr},
      {"linux-modules-6.8.0-1010-nvidia", "6.8.0-1010.10", nullptr},
      {"nvidia-dkms-580", "580.95.05-0ubuntu1", nullptr},
  };
  for (const auto &[name, version, kernel] : table)
    EXPECT_EQ(kernel_release_of_module_package(package_of(name, version)).value_or("none"), kernel ? kernel : "none")
        << name;
}

TEST(driver_package, takes_a_megabyte_name) {
  const std::string dashes = "nvidia-" + std::string(1'000'000, '-');
  EXPECT_FALSE(classify_driver_package(dashes));
  std::string branches = "linux-modules-nvidia-";
  for (int i = 0; i < 300'000; ++i)
    branches += "580-";
  EXPECT_EQ(classify_driver_package(branches), driver_part::metapackage);
}

} // namespace
} // namespace gpucert
