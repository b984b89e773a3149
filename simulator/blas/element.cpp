// SPDX-License-Identifier: Apache-2.0
#include "simulator/blas/element.h"

#include "simulator/blas/gemm.h"

namespace gpucert::simulator {

std::size_t bytes_of(cudaDataType_t type) {
  switch (type) {
  case CUDA_R_8I:
  case CUDA_R_8F_E4M3:
    return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_32F:
  case CUDA_R_32I:
    return 4;
  default:
    return 0;
  }
}

} // namespace gpucert::simulator
