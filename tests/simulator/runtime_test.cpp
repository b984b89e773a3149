// SPDX-License-Identifier: Apache-2.0
// Streams, events, memory and graphs of the simulated runtime, called directly.
#include "kernels/cuda_error.h"
#include "simulator/runtime/api_simulator.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

namespace gpucert {
namespace {

constexpr std::size_t large = std::size_t{64} << 20;

struct events {
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  events() {
    GPUCERT_CUDA_CHECK(cudaEventCreate(&start));
    GPUCERT_CUDA_CHECK(cudaEventCreate(&stop));
  }
  ~events() {
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
  }
  double elapsed_us() const {
    float milliseconds = 0;
    GPUCERT_CUDA_CHECK(cudaEventSynchronize(stop));
    GPUCERT_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    return milliseconds * 1e3;
  }
};

template <class Work> double time_us(cudaStream_t stream, Work work) {
  const events marks;
  GPUCERT_CUDA_CHECK(cudaEventRecord(marks.start, stream));
  work();
  GPUCERT_CUDA_CHECK(cudaEventRecord(marks.stop, stream));
  return marks.elapsed_us();
}

TEST(runtime, fresh_memory_holds_garbage) {
  unsigned char *memory = nullptr;
  GPUCERT_CUDA_CHECK(cudaMalloc(&memory, 16));
  unsigned char value = 0;
  GPUCERT_CUDA_CHECK(cudaMemcpy(&value, memory + 15, 1, cudaMemcpyDeviceToHost));
  EXPECT_EQ(value, 0xa5);
  GPUCERT_CUDA_CHECK(cudaFree(memory));
}

TEST(runtime, memory_is_accounted_for) {
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  GPUCERT_CUDA_CHECK(cudaMemGetInfo(&before, &total));
  void *memory = nullptr;
  GPUCERT_CUDA_CHECK(cudaMalloc(&memory, large));
  GPUCERT_CUDA_CHECK(cudaMemGetInfo(&after, &total));
  EXPECT_EQ(before - after, large);
  EXPECT_EQ(cudaMalloc(&memory, total), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(runtime, refuses_copies_that_do_not_fit) {
  void *memory = nullptr;
  std::vector<char> host(64);
  GPUCERT_CUDA_CHECK(cudaMalloc(&memory, 32));
  EXPECT_EQ(cudaMemcpy(memory, host.data(), 33, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), memory, 32, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(host.data(), 0, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(host.data()), cudaErrorInvalidValue);
}

TEST(runtime, pinned_copy_runs_when_the_host_waits) {
  void *memory = nullptr;
  unsigned char *host = nullptr;
  cudaStream_t stream = nullptr;
  GPUCERT_CUDA_CHECK(cudaMalloc(&memory, 64));
  GPUCERT_CUDA_CHECK(cudaMallocHost(&host, 64));
  GPUCERT_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  std::memset(host, 0, 64);
  GPUCERT_CUDA_CHECK(cudaMemcpyAsync(host, memory, 64, cudaMemcpyDeviceToHost, stream));
  EXPECT_EQ(host[0], 0); // a program that reads now reads too early
  GPUCERT_CUDA_CHECK(cudaStreamSynchronize(stream));
  EXPECT_EQ(host[0], 0xa5);
  GPUCERT_CUDA_CHECK(cudaStreamDestroy(stream));
  GPUCERT_CUDA_CHECK(cudaFreeHost(host));
}

TEST(runtime, copies_cost_their_bytes) {
  void *memory = nullptr;
  void *host = nullptr;
  std::vector<char> pageable(large);
  GPUCERT_CUDA_CHECK(cudaMalloc(&memory, large));
  GPUCERT_CUDA_CHECK(cudaMallocHost(&host, large));
  const auto gb_per_s = [&](void *from) {
    return large / 1e3 /
           time_us(nullptr, [&] { GPUCERT_CUDA_CHECK(cudaMemcpyAsync(memory, from, large, cudaMemcpyHostToDevice)); });
  };
  EXPECT_NEAR(gb_per_s(host), 64 * 0.85, 2); // of the H200's 64 GB/s
  EXPECT_NEAR(gb_per_s(pageable.data()), 64 * 0.25, 1);
}

TEST(runtime, announced_work_is_charged) {
  void *memory = nullptr;
  GPUCERT_CUDA_CHECK(cudaMalloc(&memory, 64));
  work done;
  done.copied_bytes = 64e6;
  done.path = copy_path::host_to_device;
  unsigned char host[64] = {};
  gpucert_simulator_announce_work(&done);
  const double announced_us =
      time_us(nullptr, [&] { GPUCERT_CUDA_CHECK(cudaMemcpy(memory, host, 64, cudaMemcpyHostToDevice)); });
  gpucert_simulator_announce_work(nullptr);
  const double own_us =
      time_us(nullptr, [&] { GPUCERT_CUDA_CHECK(cudaMemcpy(memory, host, 64, cudaMemcpyHostToDevice)); });
  EXPECT_GT(announced_us, 1000);
  EXPECT_LT(own_us, 20);
}

TEST(runtime, streams_run_beside_each_other_and_events_order_them) {
  void *memory = nullptr;
  void *host = nullptr;
  GPUCERT_CUDA_CHECK(cudaMalloc(&memory, large));
  GPUCERT_CUDA_CHECK(cudaMallocHost(&host, large));
  cudaStream_t in = nullptr;
  cudaStream_t out = nullptr;
  GPUCERT_CUDA_CHECK(cudaStreamCreateWithFlags(&in, cudaStreamNonBlocking));
  GPUCERT_CUDA_CHECK(cudaStreamCreateWithFlags(&out, cudaStreamNonBlocking));
  const auto both_us = [&](bool is_ordered) {
    const events marks;
    cudaEvent_t copied = nullptr;
    GPUCERT_CUDA_CHECK(cudaEventCreate(&copied));
    GPUCERT_CUDA_CHECK(cudaEventRecord(marks.start, in));
    GPUCERT_CUDA_CHECK(cudaMemcpyAsync(memory, host, large, cudaMemcpyHostToDevice, in));
    GPUCERT_CUDA_CHECK(cudaEventRecord(copied, in));
    if (is_ordered)
      GPUCERT_CUDA_CHECK(cudaStreamWaitEvent(out, copied, 0));
    GPUCERT_CUDA_CHECK(cudaMemcpyAsync(host, memory, large, cudaMemcpyDeviceToHost, out));
    GPUCERT_CUDA_CHECK(cudaEventRecord(marks.stop, out));
    const double us = marks.elapsed_us();
    GPUCERT_CUDA_CHECK(cudaDeviceSynchronize());
    GPUCERT_CUDA_CHECK(cudaEventDestroy(copied));
    return us;
  };
  EXPECT_NEAR(both_us(true) / both_us(false), 2, 0.1);
}

TEST(runtime, host_clock_reaches_the_end_of_what_it_waited_for) {
  void *memory = nullptr;
  GPUCERT_CUDA_CHECK(cudaMalloc(&memory, large));
  const double before_us = gpucert_simulator_now_us();
  GPUCERT_CUDA_CHECK(cudaMemset(memory, 0, large));
  const double submitted_us = gpucert_simulator_now_us();
  GPUCERT_CUDA_CHECK(cudaDeviceSynchronize());
  const double done_us = gpucert_simulator_now_us();
  EXPECT_LT(submitted_us - before_us, 5);
  EXPECT_NEAR(done_us - before_us, large / (4800e3 * 0.9), 5);
}

TEST(runtime, graph_repeats_what_was_captured) {
  unsigned char *memory = nullptr;
  unsigned char *host = nullptr;
  cudaStream_t stream = nullptr;
  GPUCERT_CUDA_CHECK(cudaMalloc(&memory, 1));
  GPUCERT_CUDA_CHECK(cudaMallocHost(&host, 1));
  GPUCERT_CUDA_CHECK(cudaStreamCreate(&stream));
  GPUCERT_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  GPUCERT_CUDA_CHECK(cudaMemsetAsync(memory, 7, 1, stream));
  GPUCERT_CUDA_CHECK(cudaMemcpyAsync(host, memory, 1, cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph = nullptr;
  GPUCERT_CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
  *host = 0;
  cudaGraphExec_t executable = nullptr;
#if CUDART_VERSION >= 12000
  GPUCERT_CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
#else
  GPUCERT_CUDA_CHECK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
#endif
  for (int repeat = 0; repeat < 2; ++repeat) {
    *host = 0;
    GPUCERT_CUDA_CHECK(cudaGraphLaunch(executable, stream));
    GPUCERT_CUDA_CHECK(cudaStreamSynchronize(stream));
    EXPECT_EQ(*host, 7);
  }
  GPUCERT_CUDA_CHECK(cudaGraphExecDestroy(executable));
  GPUCERT_CUDA_CHECK(cudaGraphDestroy(graph));
}

} // namespace
} // namespace gpucert
