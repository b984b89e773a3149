// SPDX-License-Identifier: Apache-2.0
#include "node/message_table.h"

namespace gpucert {
namespace {

using topic = message_topic;

// Wordings as the programs print them; several are of one error, since frameworks print name, number or text of it.
constexpr message_row rows[] = {
    // NVML, nvidia-smi and their wrappers (nvml.h's names, nvmlErrorString, pynvml, go-nvml)
    {topic::version_mismatch, {"driver/library version mismatch"}},
    {topic::version_mismatch, {"nvml/rm version mismatch"}},
    {topic::version_mismatch, {"lib_rm_version_mismatch"}},
    {topic::version_mismatch, {"nvmlerror_librmversionmismatch"}},
    {topic::version_mismatch, {"kernel version ", "does not match dso version"}},     // TensorFlow
    {topic::version_mismatch, {"nvidia kernel module", "version", "does not match"}}, // X server, EGL
    {topic::version_mismatch, {"nvidia kernel driver", "version", "not match"}},      // Xid-less GL start
    {topic::tools_differ, {"mismatch in versions between nvidia-smi and nvml"}},
    {topic::no_communication, {"couldn't communicate with the nvidia driver"}},
    {topic::no_communication, {"could not communicate with the nvidia driver"}},
    {topic::no_communication, {"failed to initialize the nvidia kernel module"}}, // X server
    {topic::driver_not_loaded, {"nvml", "driver not loaded"}},
    {topic::driver_not_loaded, {"nvmlerror_drivernotloaded"}},
    {topic::driver_not_loaded, {"nvml_error_driver_not_loaded"}},
    {topic::driver_not_loaded, {"nvidia driver is not loaded"}}, // nvidia-settings, container tools
    {topic::driver_not_loaded, {"nvidia kernel module is not loaded"}},
    {topic::driver_not_loaded, {"kernel driver does not appear to be running on this host"}}, // TensorFlow
    {topic::no_devices, {"no devices were found"}},
    {topic::no_devices, {"no devices found"}, "cuda"},
    {topic::no_devices, {"no nvidia gpu", "found"}},
    {topic::nvml_unknown_error, {"nvml", "unknown error"}},
    {topic::nvml_unknown_error, {"nvmlerror_unknown"}},
    {topic::blocked_by_system, {"gpu access blocked by the operating system"}},
    {topic::gpu_lost, {"gpu is lost"}},
    {topic::gpu_lost, {"nvml_error_gpu_is_lost"}},
    {topic::gpu_lost, {"nvmlerror_gpuislost"}},
    {topic::gpu_needs_reset, {"gpu requires reset"}},
    {topic::gpu_needs_reset, {"nvml_error_reset_required"}},
    {topic::gpu_needs_reset, {"nvmlerror_resetrequired"}},

    // Libraries that are not found. The container hook and nvidia-smi speak of the machine they run on.
    {topic::host_library_missing, {"nvidia-container-cli", "load library failed", "lib"}},
    {topic::host_library_missing, {"couldn't find libnvidia-ml.so library"}},
    {topic::library_missing, {"libnvidia-ml.so", "cannot open shared object file"}, "nvidia-container-cli"},
    {topic::library_missing, {"libcuda.so", "cannot open shared object file"}, "nvidia-container-cli"},
    // ld.so in German, French and Spanish
    {topic::library_missing, {"libnvidia-ml.so", "kann die shared-object-datei nicht"}, "nvidia-container-cli"},
    {topic::library_missing, {"libcuda.so", "kann die shared-object-datei nicht"}, "nvidia-container-cli"},
    {topic::library_missing, {"libnvidia-ml.so", "impossible d'ouvrir"}, "nvidia-container-cli"},
    {topic::library_missing, {"libcuda.so", "impossible d'ouvrir"}, "nvidia-container-cli"},
    {topic::library_missing, {"libnvidia-ml.so", "no se puede abrir"}, "nvidia-container-cli"},
    {topic::library_missing, {"libcuda.so", "no se puede abrir"}, "nvidia-container-cli"},
    {topic::library_missing, {"error_library_not_found"}}, // go-nvml, in Kubernetes' device plugin
    {topic::library_missing, {"nvml shared library not found"}},
    {topic::library_missing, {"nvml_error_library_not_found"}},
    {topic::library_missing, {"nvmlerror_librarynotfound"}},
    {topic::library_missing, {"could not load nvml library"}},
    {topic::library_missing, {"failed to load nvml", "not found"}},
    {topic::library_missing, {"unable to load libcuda"}},
    {topic::library_missing, {"failed call to cuinit", "303"}}, // CUDA_ERROR_SHARED_OBJECT_INIT_FAILED
    {topic::library_missing, {"cuda_error_shared_object_init_failed"}},
    {topic::library_missing, {"cudaerrorsharedobjectinitfailed"}},
    {topic::tool_missing, {"exec", "nvidia-smi", "executable file not found"}},

    // Container engines
    {topic::runtime_not_configured, {"could not select device driver", "gpu"}},
    {topic::runtime_not_configured, {"unknown or invalid runtime name: nvidia"}},
    {topic::runtime_not_configured, {"unknown runtime specified nvidia"}},
    {topic::runtime_not_configured, {"no runtime for \"nvidia\" is configured"}},
    {topic::runtime_not_configured, {"did you configure the nvidia container toolkit"}},
    {topic::runtime_not_configured, {"failed to discover gpu vendor from cdi"}},
    {topic::runtime_not_configured, {"the nvidia driver was not detected"}}, // banner of NVIDIA's own images
    {topic::cdi_unresolvable, {"unresolvable cdi devices"}},
    {topic::cdi_unresolvable, {"unresolvable cdi device"}},
    {topic::cdi_unresolvable, {"cdi device injection failed"}, "failed to stat"},
    {topic::cdi_path_missing, {"failed to stat cdi host device"}},
    {topic::cdi_path_missing, {"error mounting", "nvidia", "no such file"}},
    {topic::cdi_path_missing, {"error mounting", "libcuda", "no such file"}},
    {topic::cdi_path_missing, {"failed to fulfil mount request", "no such file"}},
    {topic::cdi_path_missing, {"nvidia-container-cli: mount error: stat failed", ".so", "no such file"}},
    {topic::library_empty, {"nvidia", ".so", "is empty, not checked"}},
    {topic::library_empty, {"libcuda", "is empty, not checked"}},
    {topic::library_empty, {"libcuda", "file too short"}},
    {topic::library_empty, {"libnvidia", "file too short"}},
    {topic::library_empty, {"nvidia-container-cli", "file creation failed", "file exists"}},
    {topic::driver_too_old, {"requirement error", "unsatisfied condition", "cuda"}},
    {topic::driver_too_old, {"unsatisfied condition: driver"}},

    // Device files
    {topic::unified_memory_missing, {"/dev/nvidia-uvm", "no such file"}, "cdi"},
    {topic::device_file_missing, {"/dev/nvidiactl", "no such file"}, "cdi"},
    {topic::device_file_missing, {"/dev/nvidia0", "no such file"}, "cdi"},

    // CUDA: names of both APIs, texts of cudaGetErrorString and cuGetErrorString
    {topic::stub_library, {"cuda_error_stub_library"}},
    {topic::stub_library, {"cudaerrorstublibrary"}},
    {topic::stub_library, {"cuda driver is a stub library"}},
    {topic::stub_library, {"/stubs/libcuda.so"}},
    {topic::stub_library, {"/stubs/libnvidia-ml.so"}},
    {topic::driver_too_old, {"cudaerrorinsufficientdriver"}},
    {topic::driver_too_old, {"driver version is insufficient for cuda runtime version"}},
    {topic::driver_too_old, {"cudaerrorcallrequiresnewerdriver"}},
    {topic::driver_too_old, {"api call is not supported in the installed cuda driver"}},
    {topic::driver_too_old, {"the provided ptx was compiled with an unsupported toolchain"}},
    {topic::driver_too_old, {"cuda_error_unsupported_ptx_version"}},
    {topic::driver_too_old, {"cudaerrorunsupportedptxversion"}},
    {topic::driver_too_old, {"nvidia driver on your system is too old"}}, // PyTorch
    {topic::driver_too_old, {"please update your gpu driver by downloading"}},
    {topic::driver_too_old, {"nvidia driver", "too old", "update"}}, // Ollama, game engines
    {topic::no_driver_found, {"found no nvidia driver on your system"}},
    {topic::no_cuda_device, {"cuda_error_no_device"}},
    {topic::no_cuda_device, {"cudaerrornodevice"}},
    {topic::no_cuda_device, {"no cuda-capable device is detected"}},
    {topic::no_cuda_device, {"no cuda gpus are available"}},                   // PyTorch
    {topic::no_cuda_device, {"no visible gpu devices"}},                       // JAX
    {topic::no_cuda_device, {"no supported devices found for platform cuda"}}, // JAX
    {topic::no_cuda_device, {"could not find cuda drivers on your machine"}},  // TensorFlow
    {topic::no_cuda_device, {"failed to infer device type"}},                  // vLLM
    {topic::no_cuda_device, {"no compatible gpus were discovered"}},           // Ollama
    {topic::no_cuda_device, {"ggml_cuda_init", "no cuda devices found"}},      // llama.cpp
    {topic::invalid_device, {"invalid device ordinal"}},
    {topic::invalid_device, {"nvidia-container-cli", "device error", "unknown device"}},
    {topic::invalid_device, {"cuda_error_invalid_device"}},
    {topic::invalid_device, {"cudaerrorinvaliddevice"}, "cudaerrorinvaliddevicefunction"},
    {topic::invalid_device, {"device >= 0 && device < num_gpus"}}, // PyTorch
    {topic::unknown_cuda_error, {"cuda_error_unknown"}},
    {topic::unknown_cuda_error, {"cudaerrorunknown"}},
    {topic::unknown_cuda_error, {"cuda unknown error"}},
    {topic::unknown_cuda_error, {"cuda", "error: unknown error"}, "nvml"},
    {topic::unknown_cuda_error, {"cuda", "code unknown error"}},
    {topic::unknown_cuda_error, {"cuinit", "unknown error"}, "303"},
    {topic::fabric_not_ready, {"cuda_error_system_not_ready"}},
    {topic::fabric_not_ready, {"cudaerrorsystemnotready"}},
    {topic::fabric_not_ready, {"system not yet initialized"}},
    {topic::driver_combination, {"cuda_error_system_driver_mismatch"}},
    {topic::driver_combination, {"cudaerrorsystemdrivermismatch"}},
    {topic::driver_combination, {"unsupported display driver / cuda driver combination"}},
    {topic::compat_unsupported, {"cuda_error_compat_not_supported_on_device"}},
    {topic::compat_unsupported, {"cudaerrorcompatnotsupportedondevice"}},
    {topic::compat_unsupported, {"forward compatibility was attempted on non supported hw"}},
    {topic::uncorrectable_ecc, {"cuda_error_ecc_uncorrectable"}},
    {topic::uncorrectable_ecc, {"cudaerroreccuncorrectable"}},
    {topic::uncorrectable_ecc, {"uncorrectable ecc error encountered"}},
    {topic::nvlink_error, {"cuda_error_nvlink_uncorrectable"}},
    {topic::nvlink_error, {"cudaerrornvlinkuncorrectable"}},
    {topic::nvlink_error, {"uncorrectable nvlink error detected"}},

    // Fabric Manager. "don't match" is its own grammar.
    {topic::fabric_version_mismatch, {"fabric manager", "interface version", "match with driver version"}},
    {topic::fabric_version_mismatch, {"nvidia-nvswitch", "version mismatch", "user version"}},
    {topic::fabric_nothing_to_do, {"nv_warn_nothing_to_do"}},
    {topic::fabric_not_ready, {"fabric manager", "not running"}},

    // GL, EGL, Vulkan
    {topic::gl_failed, {"failed to load driver: swrast"}},
    {topic::gl_failed, {"failed to load driver: nvidia"}},
    {topic::gl_failed, {"could not initialize glx"}},
    {topic::gl_failed, {"egl_not_initialized"}},
    {topic::gl_failed, {"eglinitialize", "fail"}},
    {topic::gl_failed, {"eglgetdisplay", "fail"}},
    {topic::gl_failed, {"failed to initialize egl"}},
    {topic::gl_failed, {"failed to initialize glx"}},
    {topic::gl_failed, {"failed to create gl", "context"}},
    {topic::gl_failed, {"no matching fbconfigs or visuals found"}},
    {topic::gl_failed, {"glx extension not supported"}},
    {topic::gl_failed, {"extension \"glx\" missing on display"}},
    {topic::gl_failed, {"vk_error_initialization_failed"}},
    {topic::gl_failed, {"vk_error_incompatible_driver"}},

    // Virtual GPUs: nvidia-vgpu-mgr on the host
    {topic::vgpu_incompatible, {"incompatible guest/host drivers"}},
    {topic::vgpu_incompatible, {"guest", "version", "supported by the host. disabling vgpu"}},
    {topic::vgpu_incompatible, {"vgpu", "guest driver version", "not supported"}},

    // Modules
    {topic::module_not_found, {"module nvidia", "not found"}},
    {topic::module_key_rejected, {"nvidia", "key was rejected by service"}},
    {topic::module_key_rejected, {"nvidia", "required key not available"}},
    {topic::module_wrong_format, {"nvidia", "exec format error"}},
    {topic::module_build_failed, {"bad return status for module build on kernel"}},
    {topic::headers_missing, {"your kernel headers for kernel", "cannot be found"}},
};

constexpr cuda_error_row error_rows[] = {
    {30, topic::unknown_cuda_error}, // before CUDA 10.1
    {34, topic::stub_library},        {35, topic::driver_too_old},      {36, topic::driver_too_old},
    {38, topic::no_cuda_device}, // before CUDA 10.1
    {100, topic::no_cuda_device},     {101, topic::invalid_device},     {214, topic::uncorrectable_ecc},
    {220, topic::nvlink_error},       {222, topic::driver_too_old},     {802, topic::fabric_not_ready},
    {803, topic::driver_combination}, {804, topic::compat_unsupported}, {999, topic::unknown_cuda_error},
};

} // namespace

std::span<const message_row> message_rows() { return rows; }
std::span<const cuda_error_row> cuda_error_rows() { return error_rows; }

} // namespace gpucert
