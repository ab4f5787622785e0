package dev.millrace.benchmark.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadFilesTest {

  @TempDir Path directory;

  @Test
  void readsWhatItWrote() throws Exception {
    Workload written = Workloads.tiny();
    WorkloadFiles.write(directory.resolve("new"), written);

    Workload read = WorkloadFiles.read(directory.resolve("new"));

    assertThat(read.networkJson()).isEqualTo(written.networkJson());
    assertThat(read.examples().shape()).isEqualTo(written.examples().shape());
    assertThat(read.examples().features()).isEqualTo(written.examples().features());
    assertThat(read.examples().labels()).isEqualTo(written.examples().labels());
  }

  @Test
  void numbersAreBigEndianRowAfterRow() throws Exception {
    float[] features = {1, 2, 3, 4};
    WorkloadFiles.writeExamples(
        directory, new Examples(new WorkloadShape(2, 1, 1, 2), features, new float[] {0, 1}));

    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(directory.resolve("features.bin")));

    assertThat(bytes.remaining()).isEqualTo(16);
    for (float feature : features) {
      assertThat(bytes.getFloat()).isEqualTo(feature);
    }
  }

  @Test
  void replacesALongerWorkload() throws Exception {
    WorkloadFiles.writeExamples(directory, Workloads.examples(1, 80));
    WorkloadFiles.writeExamples(directory, Workloads.examples(1, 8));

    assertThat(WorkloadFiles.readExamples(directory).shape().examples()).isEqualTo(8);
  }

  @Test
  void refusesAFileThatIsTooShort() throws Exception {
    WorkloadFiles.writeExamples(directory, Workloads.examples(1, 8));
    Files.write(directory.resolve("labels.bin"), new byte[5]);

    assertThatThrownBy(() -> WorkloadFiles.readExamples(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("labels.bin has 5 bytes; 8 rows of 3 numbers have 96");
  }

  @Test
  void wholeMinibatchesAreLearnedAndTheRestIsEvaluatedToo() {
    Examples examples = Workloads.examples(1, 2 * Workloads.BATCH + 3);

    assertThat(examples.minibatches()).hasSize(2);
    assertThat(examples.minibatches().get(1).getFeatures().getRow(0).toFloatVector())
        .containsExactly(Arrays.copyOfRange(examples.features(), 8 * 4, 9 * 4));
    assertThat(examples.remainder()).singleElement().returns(3, rest -> rest.numExamples());
  }
}
