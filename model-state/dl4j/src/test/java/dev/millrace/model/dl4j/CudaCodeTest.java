package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.device.UnusableEngineException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nd4j.nativeblas.NativeOps;

final class CudaCodeTest {

  @ParameterizedTest
  @CsvSource({
    "Tesla K40, 3, 5, false",
    "Tesla K80, 3, 7, true",
    "GTX 750, 5, 0, true",
    "Jetson X1, 5, 3, true",
    "Tesla P100, 6, 0, true",
    "Jetson X2, 6, 2, true",
    "V100, 7, 0, true",
    "T4, 7, 5, true",
    "A100, 8, 0, true",
    "A10, 8, 6, true",
    "L40, 8, 9, true",
    "H100, 9, 0, false",
    "B200, 10, 0, false",
    "RTX 5090, 12, 0, false",
    "older than any code, 2, 0, false"
  })
  void runsOnTheGenerationsItHasCodeFor(String name, int major, int minor, boolean runs) {
    assertThat(CudaCode.runsOn(new CudaDevice(0, name, major, minor))).isEqualTo(runs);
  }

  @Test
  void aDeviceThatIsTooNewIsNamedWithWhatToDo() {
    assertThatThrownBy(() -> CudaCode.require(Nd4jStart.devices(natives("NVIDIA H200", 9, 0))))
        .isInstanceOf(UnusableEngineException.class)
        .hasMessageContaining("GPU 0 (NVIDIA H200) has compute capability 9.0")
        .hasMessageContaining("5.0 to 8.9")
        .hasMessageContaining("Take an older GPU; or train on the CPU, with nd4j-native")
        .hasMessageContaining("without -Pcuda");
  }

  @Test
  void besideDevicesThatItRunsOnAnotherCanBeHidden() {
    List<CudaDevice> mixed =
        List.of(new CudaDevice(0, "A100", 8, 0), new CudaDevice(1, "H100", 9, 0));

    assertThatThrownBy(() -> CudaCode.require(mixed))
        .hasMessageStartingWith("GPU 1 (H100)")
        .hasMessageContaining("Name only the others in CUDA_VISIBLE_DEVICES");
    assertThatCode(() -> CudaCode.require(mixed.subList(0, 1))).doesNotThrowAnyException();
  }

  /** Natives with one device, which can do nothing but describe it. */
  private static NativeOps natives(String name, int major, int minor) {
    return (NativeOps)
        Proxy.newProxyInstance(
            NativeOps.class.getClassLoader(),
            new Class<?>[] {NativeOps.class},
            (proxy, method, operands) ->
                switch (method.getName()) {
                  case "getAvailableDevices" -> 1;
                  case "getDeviceName" -> name;
                  case "getDeviceMajor" -> major;
                  case "getDeviceMinor" -> minor;
                  default -> throw new AssertionError(method + " may compute");
                });
  }
}
