package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DeviceAssignmentTest {

  @Test
  void dealsReplicasOutOverTheDevices() {
    DeviceAssignment three = new DeviceAssignment(3);

    assertThat(IntStream.range(0, 7).map(three::deviceOf)).containsExactly(0, 1, 2, 0, 1, 2, 0);
  }

  @Test
  void oneDeviceTrainsAll() {
    assertThat(IntStream.range(0, 3).map(new DeviceAssignment(1)::deviceOf))
        .containsExactly(0, 0, 0);
  }

  @Test
  void refusesWhatCannotBe() {
    assertThatIllegalArgumentException().isThrownBy(() -> new DeviceAssignment(0));
    assertThatIllegalArgumentException().isThrownBy(() -> new DeviceAssignment(1).deviceOf(-1));
  }
}
