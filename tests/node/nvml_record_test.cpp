// SPDX-License-Identifier: Apache-2.0
#include "node/nvml_record.h"

#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <string>

namespace gpucert {
namespace {

const char *const gtx_1080_ti = R"({
 "schema": "gpucert-nvml-replay-1",
 "functions": {
  "nvmlInit_v2": {"ret": 0},
  "nvmlSystemGetDriverVersion": {"ret": 0, "value": "580.159.03"},
  "nvmlSystemGetNVMLVersion": {"ret": 0, "value": "13.580.159.03"},
  "nvmlSystemGetCudaDriverVersion_v2": {"ret": 0, "value": 13000},
  "nvmlDeviceGetCount_v2": {"ret": 0, "value": 2}
 },
 "devices": [
  {"index": 0,
   "functions": {
    "nvmlDeviceGetHandleByIndex_v2": {"ret": 0},
    "nvmlDeviceGetName": {"ret": 0, "value": "NVIDIA GeForce GTX 1080 Ti"},
    "nvmlDeviceGetPciInfo_v3": {"ret": 0, "values": {"busId": "00000000:3B:00.0", "bus": 59}},
    "nvmlDeviceGetCurrPcieLinkWidth": {"ret": 0, "value": 16},
    "nvmlDeviceGetRemappedRows": {"ret": 0, "values": {"corrRows": 0, "uncRows": 4, "isPending": 1, "failureOccurred": 0}},
    "nvmlDeviceGetTotalEccErrors": {"calls": [
      {"args": {"errorType": 1, "counterType": 0}, "ret": 0, "value": 5},
      {"args": {"errorType": 1, "counterType": 1}, "ret": 4}]},
    "nvmlDeviceGetTemperature": {"calls": [{"args": {"sensorType": 0}, "ret": 0, "samples": [61, 62, 64]}]}
   },
   "fields": {"NVML_FI_DEV_GET_GPU_RECOVERY_ACTION": {"ret": 0, "value": 2}}},
  {"index": 1, "functions": {"nvmlDeviceGetHandleByIndex_v2": {"ret": 15}}}
 ],
 "library": {"path": "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.580.159.03"}
})";

nvml_record record_of(const std::string &json) {
  nvml_parse_result parsed = parse_nvml_record(json);
  EXPECT_TRUE(parsed.record) << parsed.error;
  return parsed.record ? *std::move(parsed.record) : *parse_nvml_record(gtx_1080_ti).record;
}

std::string document(const std::string &rest) { return R"({"schema": "gpucert-nvml-replay-1")" + rest + "}"; }

TEST(nvml_record, states_versions_and_devices) {
  const nvml_record record = record_of(gtx_1080_ti);
  EXPECT_EQ(record.init_return, 0);
  EXPECT_EQ(record.driver_version, "580.159.03");
  EXPECT_EQ(record.nvml_version_text, "13.580.159.03");
  EXPECT_EQ(record.library_version->text(), "580.159.03");
  EXPECT_EQ(record.cuda_driver_version, 13000);
  EXPECT_EQ(record.device_count, 2);
  EXPECT_EQ(record.library_path, "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.580.159.03");
  ASSERT_EQ(record.devices.size(), 2U);
  EXPECT_EQ(record.devices[0].index, 0);
  EXPECT_EQ(record.devices[0].name, "NVIDIA GeForce GTX 1080 Ti");
  EXPECT_EQ(record.devices[0].bus_id, "00000000:3B:00.0");
}

TEST(nvml_record, lost_device_is_there_without_facts) {
  const nvml_device device = record_of(gtx_1080_ti).devices.at(1);
  EXPECT_EQ(device.index, 1);
  EXPECT_EQ(device.functions.ret("nvmlDeviceGetHandleByIndex_v2"), 15);
  EXPECT_FALSE(device.name);
  EXPECT_FALSE(device.bus_id);
}

TEST(nvml_record, incident_has_a_refusal_and_nothing_else) {
  const nvml_record record = record_of(document(R"(, "functions": {"nvmlInit_v2": {"ret": 18}}, "devices": [])"));
  EXPECT_EQ(record.init_return, 18);
  EXPECT_FALSE(record.driver_version);
  EXPECT_FALSE(record.device_count) << "no answer is not a count of 0";
  EXPECT_FALSE(record.library_path);
}

TEST(nvml_record, what_was_not_recorded_is_not_known) {
  const nvml_record record = record_of(document(""));
  EXPECT_FALSE(record.init_return);
  EXPECT_EQ(record.functions.ret("nvmlInit_v2"), 13);
  EXPECT_FALSE(record.value("nvmlDeviceGetCount_v2"));
}

TEST(nvml_record, refused_value_is_absent_even_when_written) {
  const nvml_record record =
      record_of(document(R"(, "functions": {"nvmlDeviceGetCount_v2": {"ret": 999, "value": 8}})"));
  EXPECT_FALSE(record.device_count);
  EXPECT_EQ(record.functions.ret("nvmlDeviceGetCount_v2"), 999);
}

TEST(nvml_answers, absent_function_is_not_found_and_absent_field_not_supported) {
  const nvml_device device = record_of(gtx_1080_ti).devices.at(0);
  EXPECT_EQ(device.functions.ret("nvmlDeviceGetEccMode"), 13);
  EXPECT_FALSE(device.functions.value("nvmlDeviceGetEccMode"));
  EXPECT_EQ(device.fields.ret("NVML_FI_DEV_MEMORY_TEMP"), 3);
  EXPECT_FALSE(device.field("NVML_FI_DEV_MEMORY_TEMP"));
  EXPECT_EQ(device.field("NVML_FI_DEV_GET_GPU_RECOVERY_ACTION"), 2);
}

TEST(nvml_answers, arguments_match_in_any_order_and_only_whole) {
  const nvml_answers functions = record_of(gtx_1080_ti).devices.at(0).functions;
  EXPECT_EQ(functions.value("nvmlDeviceGetTotalEccErrors", {{"errorType", 1}, {"counterType", 0}}), 5);
  EXPECT_EQ(functions.value("nvmlDeviceGetTotalEccErrors", {{"counterType", 0}, {"errorType", 1}}), 5);
  EXPECT_EQ(functions.ret("nvmlDeviceGetTotalEccErrors", {{"errorType", 1}, {"counterType", 1}}), 4);
  EXPECT_EQ(functions.ret("nvmlDeviceGetTotalEccErrors", {{"errorType", 0}, {"counterType", 0}}), 3);
  EXPECT_EQ(functions.ret("nvmlDeviceGetTotalEccErrors", {{"errorType", 1}}), 3);
  EXPECT_EQ(functions.ret("nvmlDeviceGetTotalEccErrors"), 3);
}

TEST(nvml_answers, without_calls_an_answer_holds_for_any_argument) {
  const nvml_answers functions = record_of(gtx_1080_ti).devices.at(0).functions;
  EXPECT_EQ(functions.value("nvmlDeviceGetCurrPcieLinkWidth", {{"link", 7}}), 16);
}

TEST(nvml_answers, last_sample_repeats) {
  const nvml_answers functions = record_of(gtx_1080_ti).devices.at(0).functions;
  const nvml_arguments gpu{{"sensorType", 0}};
  EXPECT_EQ(functions.value("nvmlDeviceGetTemperature", gpu), 61);
  EXPECT_EQ(functions.value("nvmlDeviceGetTemperature", gpu, 2), 64);
  EXPECT_EQ(functions.value("nvmlDeviceGetTemperature", gpu, 1000), 64);
}

TEST(nvml_answers, members_have_numbers_or_text) {
  const nvml_answers functions = record_of(gtx_1080_ti).devices.at(0).functions;
  EXPECT_EQ(functions.values("nvmlDeviceGetRemappedRows", "uncRows"), 4);
  EXPECT_FALSE(functions.values("nvmlDeviceGetRemappedRows", "noSuchMember"));
  EXPECT_FALSE(functions.values("nvmlDeviceGetPciInfo_v3", "busId")) << "text is no number";
  EXPECT_EQ(functions.values_text("nvmlDeviceGetPciInfo_v3", "busId"), "00000000:3B:00.0");
  EXPECT_FALSE(functions.value("nvmlDeviceGetName"));
}

TEST(nvml_answers, newest_name_finds_what_an_old_library_recorded) {
  const nvml_record record = record_of(document(
      R"(, "functions": {"nvmlInit": {"ret": 0}, "nvmlDeviceGetCount": {"ret": 0, "value": 4}},
          "devices": [{"index": 0, "functions": {"nvmlDeviceGetPciInfo": {"ret": 0, "values": {"busId": "0000:3B:00.0"}}}}])"));
  EXPECT_EQ(record.init_return, 0);
  EXPECT_EQ(record.device_count, 4);
  EXPECT_EQ(record.devices.at(0).bus_id, "0000:3B:00.0");
}

TEST(nvml_answers, older_name_does_not_find_the_newer) {
  const nvml_record record = record_of(document(R"(, "functions": {"nvmlInit_v2": {"ret": 0}})"));
  EXPECT_EQ(record.functions.ret("nvmlInit"), 13);
}

TEST(nvml_record, numbers_beyond_use_leave_the_answer_without_value) {
  const nvml_record record = record_of(document(
      R"(, "functions": {"a": {"ret": 0, "value": 18446744073709551615}, "b": {"ret": 0, "value": 1.5},
          "c": {"ret": 0, "value": [1]}, "nvmlDeviceGetCount_v2": {"ret": 0, "value": 4294967296}})"));
  EXPECT_EQ(record.functions.ret("a"), 0);
  EXPECT_FALSE(record.value("a")) << "all ones is NVML's 'not available'";
  EXPECT_FALSE(record.value("b"));
  EXPECT_FALSE(record.value("c"));
  EXPECT_FALSE(record.device_count) << "does not fit";
}

struct bad_text {
  const char *name;
  std::string text;
  const char *error; // part of it

  friend std::ostream &operator<<(std::ostream &out, const bad_text &shown) { return out << shown.name; }
};

class nvml_record_refusal : public testing::TestWithParam<bad_text> {};

TEST_P(nvml_record_refusal, says_why) {
  const nvml_parse_result parsed = parse_nvml_record(GetParam().text);
  EXPECT_FALSE(parsed.record);
  EXPECT_NE(parsed.error.find(GetParam().error), std::string::npos) << parsed.error;
}

INSTANTIATE_TEST_SUITE_P(
    texts, nvml_record_refusal,
    testing::Values(
        bad_text{"empty", "", "not JSON"}, bad_text{"not_json", "NVRM: Xid", "not JSON"},
        bad_text{"cut_off", R"({"schema": "gpucert-nvml-replay-1", "functions": {"nvmlInit_v2")", "not JSON"},
        bad_text{"bad_utf8", "{\"schema\": \"gpucert-nvml-replay-1\xff\"}", "not JSON"},
        bad_text{"number_beyond_range", document(R"(, "functions": {"a": {"ret": 1e999}})"), "not JSON"},
        bad_text{"list", "[]", "not a JSON object"}, bad_text{"no_schema", "{}", "schema"},
        bad_text{"other_schema", R"({"schema": "gpucert-nvml-replay-2"})", "schema"},
        bad_text{"schema_is_a_number", R"({"schema": 1})", "schema"},
        bad_text{"functions_is_a_list", document(R"(, "functions": [])"), "functions is not an object"},
        bad_text{"answer_is_a_number", document(R"(, "functions": {"nvmlInit_v2": 0})"), "functions.nvmlInit_v2"},
        bad_text{"ret_is_text", document(R"(, "functions": {"nvmlInit_v2": {"ret": "0"}})"),
                 "functions.nvmlInit_v2: ret"},
        bad_text{"ret_is_absent", document(R"(, "functions": {"nvmlInit_v2": {}})"), "ret"},
        bad_text{"ret_is_negative", document(R"(, "functions": {"nvmlInit_v2": {"ret": -1}})"), "ret"},
        bad_text{"ret_is_huge", document(R"(, "functions": {"nvmlInit_v2": {"ret": 4294967296}})"), "ret"},
        bad_text{"calls_is_an_object", document(R"(, "functions": {"a": {"calls": {}}})"), "calls is not a list"},
        bad_text{"call_is_text", document(R"(, "functions": {"a": {"calls": ["x"]}})"), "functions.a"},
        bad_text{"argument_is_text",
                 document(R"(, "functions": {"a": {"calls": [{"ret": 0, "args": {"link": "1"}}]}})"), "argument link"},
        bad_text{"samples_is_a_number", document(R"(, "functions": {"a": {"ret": 0, "samples": 1}})"), "samples"},
        bad_text{"sample_is_null", document(R"(, "functions": {"a": {"ret": 0, "samples": [1, null]}})"), "sample"},
        bad_text{"devices_is_an_object", document(R"(, "devices": {})"), "devices is not a list"},
        bad_text{"device_is_a_number", document(R"(, "devices": [1])"), "devices[0]"},
        bad_text{"device_without_index", document(R"(, "devices": [{"index": 0}, {"functions": {}}])"),
                 "devices[1]: index"},
        bad_text{"fields_is_a_list", document(R"(, "devices": [{"index": 0, "fields": []}])"), "devices[0].fields"},
        bad_text{"deep_lists", std::string(1 << 20, '['), "nested"},
        bad_text{"deep_objects",
                 [] {
                   std::string text;
                   for (int i = 0; i < 100000; ++i)
                     text += R"({"a":)";
                   return text;
                 }(),
                 "nested"},
        bad_text{"depth_in_a_string_does_not_count", R"({"schema": ")" + std::string(1000, '[') + "\"}", "schema"}),
    [](const auto &test) { return std::string(test.param.name); });

TEST(nvml_record, unknown_members_are_passed_over) {
  const nvml_record record = record_of(
      document(R"(, "host": {"os": "x"}, "library": null, "functions": {"nvmlInit_v2": {"ret": 0, "note": []}})"));
  EXPECT_EQ(record.init_return, 0);
  EXPECT_FALSE(record.library_path);
}

TEST(nvml_return_name, codes_in_use_have_one_line_each) {
  std::set<std::string_view> names;
  for (const int ret : {0, 3, 4, 9, 12, 13, 14, 15, 16, 17, 18, 999}) {
    EXPECT_TRUE(names.insert(nvml_return_name(ret)).second) << ret;
    EXPECT_NE(nvml_return_name(ret), nvml_return_name(12345)) << ret;
    EXPECT_EQ(nvml_return_name(ret).find('\n'), std::string_view::npos) << ret;
  }
}

} // namespace
} // namespace gpucert
