# SPDX-License-Identifier: Apache-2.0
# The CUDA toolkit, where there is one. Without it gpucert and gpucert-nvml still build: gates, checks and fleet pages run
# on machines that never see a toolkit.

include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  set(found ON)
else()
  set(found OFF)
endif()
option(GPUCERT_CUDA "Build the programs that run on a GPU" ${found})

if(NOT GPUCERT_CUDA)
  message(WARNING "No CUDA toolkit (nvcc): gpucert-ready, gpucert-conformance, gpucert-bench and the simulator are left "
                  "out. Get one from https://developer.nvidia.com/cuda-downloads, put nvcc on PATH and configure again.")
  return()
endif()

# From T4 to Blackwell, each as native code, and PTX of the newest for what comes after it. A toolkit takes what it knows:
# CUDA 13 dropped all before 75, and 100 and 120 came with 12.8.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(gpucert_architectures_default ON)
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared) # a static runtime could be neither replaced by the simulator nor identified
set(CMAKE_CUDA_STANDARD 17)            # CMake 3.25 knows no CUDA20 for nvcc
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
if(gpucert_architectures_default)
  set(CMAKE_CUDA_ARCHITECTURES 75) # for the compiler's test; replaced below
endif()
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
if(gpucert_architectures_default)
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-code OUTPUT_VARIABLE known)
  set(wanted 75 80 86 89 90 100 120)
  set(CMAKE_CUDA_ARCHITECTURES "")
  foreach(architecture IN LISTS wanted)
    if(known MATCHES "sm_${architecture}[^0-9]")
      list(APPEND CMAKE_CUDA_ARCHITECTURES ${architecture}-real)
      set(newest ${architecture})
    endif()
  endforeach()
  list(APPEND CMAKE_CUDA_ARCHITECTURES ${newest}-virtual)
  message(STATUS "CUDA architectures: ${CMAKE_CUDA_ARCHITECTURES}")
endif()
