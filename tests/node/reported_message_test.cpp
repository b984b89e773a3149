// SPDX-License-Identifier: Apache-2.0
#include "node/reported_message.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

std::vector<std::string> topics_of(std::string_view text, std::string_view source = "symptoms/x.txt") {
  std::vector<reported_message> found;
  find_reported_messages(source, text, found);
  std::vector<std::string> names;
  for (const reported_message &message : found)
    names.emplace_back(to_string(message.topic));
  return names;
}

using words = std::vector<std::string>;

TEST(reported_message, of_cuda_by_number_name_or_text) {
  for (const char *text : {"Error 803: system has unsupported display driver / cuda driver combination",
                           "CUDA error at x.cu:256 code=803(cudaErrorSystemDriverMismatch)",
                           "cuda driver library init failure: 803", "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"})
    EXPECT_EQ(topics_of(text), words{"driver_combination"}) << text;
  EXPECT_EQ(
      topics_of("cudaGetDeviceCount returned 35\n-> CUDA driver version is insufficient for CUDA runtime version"),
      (words{"driver_too_old", "driver_too_old"}));
}

TEST(reported_message, is_not_made_of_numbers_alone) {
  EXPECT_EQ(topics_of("cuda kernels: 803 in 35 files, step 100 of 999, 34.5 ms"), words{});
  EXPECT_EQ(topics_of("error 803 in the printer"), words{});
  EXPECT_EQ(topics_of("cuda error 8031"), words{});
}

TEST(reported_message, of_a_healthy_screen_is_none) {
  EXPECT_EQ(topics_of("NVIDIA-SMI 550.54.15   Driver Version: 550.54.15   CUDA Version: 12.4\n"
                      "| No running processes found |\nGPU 0: NVIDIA H200 (UUID: GPU-0)\n"),
            words{});
}

TEST(reported_message, of_the_container_hook_speaks_of_the_host) {
  EXPECT_EQ(topics_of("nvidia-container-cli: initialization error: load library failed: libnvidia-ml.so.1: cannot open "
                      "shared object file: no such file or directory: unknown."),
            words{"host_library_missing"});
  EXPECT_EQ(topics_of("libnvidia-ml.so.1: cannot open shared object file"), words{"library_missing"});
}

TEST(reported_message, of_the_loader_in_other_languages) {
  for (const char *text :
       {"libcuda.so.1: Kann die Shared-Object-Datei nicht öffnen: Datei oder Verzeichnis nicht gefunden",
        "libcuda.so.1: impossible d'ouvrir le fichier d'objet partagé: Aucun fichier ou dossier",
        "libnvidia-ml.so.1: no se puede abrir el fichero del objeto compartido"})
    EXPECT_EQ(topics_of(text), words{"library_missing"}) << text;
}

TEST(reported_message, of_a_device_that_the_hook_does_not_know) {
  EXPECT_EQ(topics_of("nvidia-container-cli: device error: 3: unknown device: unknown"), words{"invalid_device"});
}

TEST(reported_message, states_versions_of_fabric_manager) {
  std::vector<reported_message> found;
  find_reported_messages("x",
                         "fabric manager NVIDIA GPU driver interface version 550.127.05 don't match with driver "
                         "version 550.120. Please update",
                         found);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].library.value().text(), "550.127.05");
  EXPECT_EQ(found[0].module.value().text(), "550.120");
}

TEST(reported_message, repeated_or_long_stays_bounded) {
  std::string many, line(std::size_t{1} << 20, 'x');
  for (int index = 0; index < 1000; ++index)
    many += "No devices were found " + std::to_string(index) + "\n";
  EXPECT_EQ(topics_of(many).size(), 8U);
  std::vector<reported_message> found;
  find_reported_messages("x", "no devices were found " + line, found);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_LE(found[0].text.size(), 400U);
}

} // namespace
} // namespace gpucert
