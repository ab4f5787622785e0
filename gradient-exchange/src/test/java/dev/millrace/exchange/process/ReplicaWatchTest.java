package dev.millrace.exchange.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaWatchTest {

  private static final ExampleShape SHAPE = new ExampleShape(1, 2, Target.CLASSIFICATION);

  private final List<ReplicaReport> reports = new ArrayList<>();
  private long now;
  private final ReplicaWatch watch =
      new ReplicaWatch(3, Duration.ofNanos(10), reports::add, () -> now);

  @Test
  void tellsWhatWasLearnedAfterEachInterval() {
    step();
    now = 10;
    step();
    now = 19;
    step();
    now = 20;
    step();

    assertThat(reports).extracting(ReplicaReport::examples).containsExactly(2L, 4L);
    assertThat(reports).extracting(ReplicaReport::replica).containsOnly(3);
    assertThat(reports)
        .allSatisfy(report -> assertThat(report.heap()).isBetween(1L, report.mostHeap()));
  }

  @Test
  void aReportIsReadAsItWasWritten() throws IOException {
    ReplicaReport report = new ReplicaReport(1, 2, 3, 4, "7@host", 0.5, 6, 8);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ReplicaReport.WIRE.write(report, new DataOutputStream(bytes));

    assertThat(
            ReplicaReport.WIRE.read(
                new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))))
        .isEqualTo(report);
  }

  /** One fresh example, and one that is replayed. */
  private void step() {
    Minibatch minibatch = new Minibatch(SHAPE, 1, 1);
    minibatch.add(new float[1], new float[] {0, 1}, 1, new Partition("t", 0), 0);
    minibatch.addReplayed(new float[1], new float[] {0, 1}, new String[0], 0, 0, 1);
    watch.afterStep(minibatch, new float[4]);
  }
}
