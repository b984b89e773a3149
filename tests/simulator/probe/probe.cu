// SPDX-License-Identifier: Apache-2.0
// A small CUDA program, built by nvcc and by the twin's compiler, with what the suite's own programs use. Run as
//   probe ACTION
// it prints one line; the tests of the simulator compare it. Each action that fails prints the CUDA error's name.
#include "tests/simulator/probe/probe_kernels.cuh"

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace gpucert;
using namespace gpucert::probe;

/// c[i] = a[i] + 2 i over three blocks with a tail, and shared memory on the way.
std::string reverse_sum() {
  constexpr std::size_t count = 3 * 128 - 5;
  std::vector<int> in(count);
  for (std::size_t i = 0; i < count; ++i)
    in[i] = static_cast<int>(i * 7 + 1);
  device_buffer<int> a(in);
  device_buffer<int> sums(3);
  launch<sum_blocks>({dim3(3), dim3(128), 128 * sizeof(int)}, nullptr, a.data(), sums.data(), count);
  long long total = 0;
  for (const int each : sums.download())
    total += each;
  long long expected = 0;
  for (const int each : in)
    expected += each;
  return total == expected ? "right" : "wrong";
}

std::string warp_sum() {
  device_buffer<float> sum(1);
  launch<sum_warp<float>>({dim3(1), dim3(32)}, nullptr, sum.data());
  return sum.download()[0] == 496 ? "right" : "wrong"; // 0 + 1 + ... + 31
}

std::string race() {
  device_buffer<int> out(race_threads);
  launch<shift_without_barrier>({dim3(1), dim3(race_threads)}, nullptr, out.data());
  const std::vector<int> values = out.download();
  for (std::size_t i = 0; i < race_threads; ++i)
    if (values[i] != static_cast<int>(i < 32 ? i : i - 32))
      return "wrong";
  return "right";
}

std::string divergent() {
  launch<wait_in_half_of_the_block>({dim3(1), dim3(64)}, nullptr, 0);
  GPUCERT_CUDA_CHECK(cudaDeviceSynchronize());
  return "ended";
}

std::string deadlock() {
  launch<wait_for_others>({dim3(1), dim3(64)}, nullptr, 0);
  GPUCERT_CUDA_CHECK(cudaDeviceSynchronize());
  return "ended";
}

std::string host_pointer() {
  int on_host = 0;
  launch<write_one>({dim3(1), dim3(1)}, nullptr, &on_host);
  GPUCERT_CUDA_CHECK(cudaDeviceSynchronize());
  return "ended";
}

std::string beyond_end() {
  int *memory = nullptr;
  GPUCERT_CUDA_CHECK(cudaMalloc(&memory, 128 * sizeof(int)));
  launch<write_one_too_many>({dim3(1), dim3(129)}, nullptr, memory, 128);
  GPUCERT_CUDA_CHECK(cudaDeviceSynchronize());
  GPUCERT_CUDA_CHECK(cudaFree(memory));
  return "ended";
}

#ifdef __CUDACC__ // the twin's compiler has no arrows; the kernel is registered by host_pointer
std::string arrows() {
  int *memory = nullptr;
  GPUCERT_CUDA_CHECK(cudaMalloc(&memory, 4 * sizeof(int)));
  write_one<<<1, 1>>>(memory);
  int value = 0;
  GPUCERT_CUDA_CHECK(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost));
  GPUCERT_CUDA_CHECK(cudaFree(memory));
  return value == 1 ? "right" : "wrong";
}
#else
std::string arrows() { return {}; }
#endif

std::string devices() {
  int count = 0;
  GPUCERT_CUDA_CHECK(cudaGetDeviceCount(&count));
  std::string names;
  for (int device = 0; device < count; ++device) {
    GPUCERT_CUDA_CHECK(cudaSetDevice(device));
    cudaDeviceProp properties{};
    GPUCERT_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    int *memory = nullptr;
    GPUCERT_CUDA_CHECK(cudaMalloc(&memory, 4));
    launch<write_one>({dim3(1), dim3(1)}, nullptr, memory);
    GPUCERT_CUDA_CHECK(cudaDeviceSynchronize());
    names += std::string(names.empty() ? "" : ", ") + properties.name;
  }
  return std::to_string(count) + ": " + names;
}

std::string versions() {
  int runtime = 0;
  int driver = 0;
  GPUCERT_CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  GPUCERT_CUDA_CHECK(cudaDriverGetVersion(&driver));
  return (runtime == CUDART_VERSION ? "runtime of the build" : "other runtime") +
         (", driver " + std::to_string(driver));
}

std::string context() {
  GPUCERT_CUDA_CHECK(cudaFree(nullptr));
  return "context";
}

/// Ready within `tries` tries, as gpucert-ready waits for Fabric Manager.
std::string wait_for_system() {
  for (int tries = 0;; ++tries) {
    const cudaError_t error = cudaFree(nullptr);
    if (error == cudaSuccess)
      return "ready after " + std::to_string(tries) + " tries";
    if (error != cudaErrorSystemNotReady || tries > 9)
      return cudaGetErrorName(error);
  }
}

std::string copy() {
  std::vector<unsigned char> sent(1000);
  for (std::size_t i = 0; i < sent.size(); ++i)
    sent[i] = static_cast<unsigned char>(i * 31);
  device_buffer<unsigned char> memory(sent);
  return memory.download() == sent ? "right" : "wrong";
}

struct named_action {
  const char *name;
  std::string (*run)();
};

constexpr named_action actions[] = {
    {"reverse_sum", reverse_sum},
    {"warp_sum", warp_sum},
    {"race", race},
    {"divergent", divergent},
    {"deadlock", deadlock},
    {"host_pointer", host_pointer},
    {"beyond_end", beyond_end},
    {"arrows", arrows},
    {"devices", devices},
    {"versions", versions},
    {"context", context},
    {"copy", copy},
    {"wait_for_system", wait_for_system},
};

} // namespace

int main(int argc, char **argv) {
  for (const named_action &action : actions)
    if (argc == 2 && std::strcmp(argv[1], action.name) == 0) {
      try {
        std::puts(action.run().c_str());
        return 0;
      } catch (const cuda_error &error) {
        std::puts(cudaGetErrorName(error.code()));
        return 2;
      }
    }
  std::fputs("usage: probe ACTION\n", stderr);
  return 64;
}
