// SPDX-License-Identifier: Apache-2.0
// The mark by which a process that maps a simulator library can be told from one that runs on a GPU.
extern "C" {
extern __attribute__((visibility("default"))) const char gpucert_simulator_marker[];
__attribute__((used)) const char gpucert_simulator_marker[] = "gpucert simulator";
}
