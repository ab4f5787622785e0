package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.log.ReplicaLog;
import dev.millrace.exchange.round.ContributionMetadata;
import dev.millrace.exchange.schedule.Fragment;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.score.ScoreCounts;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How a contribution's examples were predicted. */
class PendingMeasuresTest {

  private static final ExampleShape SHAPE = new ExampleShape(1, 2, Target.CLASSIFICATION);
  private static final int ROWS = 16;

  private final long seed = Seeds.next();
  private final Random random = new Random(seed);

  @Test
  void aRestoreChangesNoBit() throws IOException {
    PendingContribution undisturbed = pending(SHAPE);
    PendingContribution disturbed = pending(SHAPE);
    for (int step = 0; step < 10; step++) {
      Minibatch minibatch = minibatch(step);
      float[] predictions = predictions();
      undisturbed.learned(minibatch, predictions);
      disturbed.learned(minibatch, predictions);
      PendingContribution restored = pending(SHAPE);
      restored.absorb(copy(disturbed.metadata(step)), disturbed.steps(), new BlockWeights(1));
      disturbed = restored;
    }

    Measures measures = undisturbed.metadata(10).measures();
    assertThat(measures.scores().examples()).isEqualTo(10 * ROWS);
    assertThat(measures.auc()).as("seed %s", seed).isBetween(0.0, 1.0);
    assertThat(disturbed.metadata(10).measures()).as("seed %s", seed).isEqualTo(measures);
  }

  @Test
  void whatWasContributedIsNotContributedAgain() {
    PendingContribution pending = pending(SHAPE);
    pending.learned(minibatch(0), predictions());
    Measures contributed = pending.ofContribution(1, Fragment.WHOLE).measures();
    pending.contributed(Fragment.WHOLE, block -> false);

    assertThat(pending.metadata(1).measures()).isEqualTo(Measures.NONE);
    pending.learned(minibatch(1), predictions());
    assertThat(pending.metadata(2).measures().scores().examples()).isEqualTo(ROWS);
    assertThat(contributed.scores().examples()).isEqualTo(ROWS);
  }

  @Test
  void aMinibatchIsMeasuredByItself() {
    PendingContribution pending = pending(SHAPE);
    pending.learned(minibatch(0), predictions());

    Measures second = pending.learned(minibatch(1), predictions());

    assertThat(second.examples()).isEqualTo(ROWS);
    assertThat(second.scores()).isSameAs(ScoreCounts.NONE);
  }

  private static PendingContribution pending(ExampleShape shape) {
    return new PendingContribution(
        0, 0, 1, new ExampleErrors(shape, false), 0, new ReplicaLog(false, 1));
  }

  private Minibatch minibatch(int step) {
    Minibatch minibatch = new Minibatch(SHAPE, ROWS);
    for (int row = 0; row < ROWS; row++) {
      float[] labels = new float[2];
      labels[random.nextInt(2)] = 1;
      minibatch.add(new float[1], labels, 1, new Partition("t", 0), (long) step * ROWS + row);
    }
    return minibatch;
  }

  private float[] predictions() {
    float[] predictions = new float[2 * ROWS];
    for (int row = 0; row < ROWS; row++) {
      predictions[2 * row + 1] = random.nextFloat();
      predictions[2 * row] = 1 - predictions[2 * row + 1];
    }
    return predictions;
  }

  private static ContributionMetadata copy(ContributionMetadata metadata) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ContributionMetadata.WIRE.write(metadata, new DataOutputStream(bytes));
    return ContributionMetadata.WIRE.read(
        new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
  }
}
