package dev.millrace.model.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class VisibleDevicesTest {

  @ParameterizedTest
  @CsvSource(
      nullValues = "unset",
      delimiter = '|',
      textBlock =
          """
          unset            | 2 | 1            | 1
          2,3              | 2 | 3            | 1
          2,3              | 2 | 2            | 0
          ' 5 , 0 '        | 2 | 0            | 1
          1,-1,0           | 1 | 1            | 0
          GPU-8932f937,1   | 2 | GPU-8932f937-d72c-4106-c12f-20bd9faed9f6 | 0
          GPU-8932f937,1   | 2 | 1            | 1
          MIG-1/7/0,MIG-2  | 2 | MIG-2        | 1
          """)
  void aDevicesNameBecomesCudasNumber(String variable, int count, String name, int number) {
    assertThat(VisibleDevices.of(variable, count).numbersOf(List.of(name))).containsExactly(number);
  }

  @Test
  void whereNoneIsNamedAllThatTheEngineSeesAreMeant() {
    assertThat(VisibleDevices.of(null, 3).numbersOf(List.of())).containsExactly(0, 1, 2);
    assertThat(VisibleDevices.of("4,7", 2).numbersOf(List.of())).containsExactly(0, 1);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "unset",
      delimiter = '|',
      textBlock =
          """
          unset        | 2 | 2     | CUDA_VISIBLE_DEVICES is not set
          unset        | 2 | GPU-1 | CUDA_VISIBLE_DEVICES is not set
          2,3          | 2 | 0     | CUDA_VISIBLE_DEVICES is '2,3'
          1,-1,0       | 1 | 0     | it sees 1
          GPU-a,GPU-b  | 2 | 1     | by the numbers that nvidia-smi shows, not by UUIDs
          GPU-a,GPU-b  | 2 | GPU-c | every GPU that Flink's discovery script finds
          """)
  void aDeviceThatTheEngineCannotSeeIsNamed(
      String variable, int count, String name, String message) {
    assertThatThrownBy(() -> VisibleDevices.of(variable, count).numbersOf(List.of(name)))
        .isInstanceOf(UnusableEngineException.class)
        .hasMessageContaining("'" + name + "'")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void everyEntryIsFoundAtItsPlace(long seed) {
    Random random = new Random(seed);
    List<Integer> physical =
        new ArrayList<>(IntStream.range(0, 1 + random.nextInt(16)).boxed().toList());
    Collections.shuffle(physical, random);
    List<Integer> chosen = physical.subList(0, 1 + random.nextInt(physical.size()));
    String variable = chosen.stream().map(String::valueOf).collect(Collectors.joining(","));
    VisibleDevices visible = VisibleDevices.of(variable, chosen.size());

    for (int number = 0; number < chosen.size(); number++) {
      assertThat(visible.numbersOf(List.of(chosen.get(number).toString())))
          .as("seed %d: %s", seed, variable)
          .containsExactly(number);
    }
  }
}
