package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.drift.PastLosses;
import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Steering;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.LearnedFeatures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.SummingEngine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Models of before drifts predict what is about to be learned. Their one parameter is the error.
 */
class PastModelsTest {

  private final ModelReplica model =
      ModelEngine.named(SummingEngine.NAME).build(SummingEngine.spec(1), DeviceRequest.any());
  private PastModels past = new PastModels(model, 3);

  @BeforeEach
  void hearOfNoDrift() {
    past.accept(head(0, false));
  }

  @Test
  void eachIsMeasuredWhereAskedForAndTheModelStaysAsItIs() {
    keep(1, 2);
    keep(2, 3);
    keep(3, 9);
    model.write(0, new float[] {5}, 0, 1);

    past.accept(head(3, true));
    assertThat(past.isDue()).isFalse();
    assertThat(past.measure(minibatch()))
        .as("squared errors of two examples; not of the drift itself")
        .isEqualTo(new PastLosses(3, 2, 50, Map.of(1, 8.0, 2, 18.0)));
    float[] parameter = new float[1];
    model.read(0, parameter, 0, 1);
    assertThat(parameter).containsExactly(5);

    past.accept(head(3, false));
    assertThat(past.measure(minibatch())).isEqualTo(PastLosses.NONE);
  }

  @Test
  void theOldestGoesAndARestoreBringsTheOthers() throws IOException {
    for (int drift = 1; drift <= 4; drift++) {
      keep(drift, drift);
    }
    byte[] before = saved();
    keep(5, 5);
    byte[] after = saved();

    assertThat(measured(before, 4)).isEqualTo(new PastLosses(4, 2, 0, Map.of(2, 8.0, 3, 18.0)));
    assertThat(measured(after, 5)).isEqualTo(new PastLosses(5, 2, 0, Map.of(3, 18.0, 4, 32.0)));
  }

  /** Blocks have other models under these numbers, or will have none. */
  @Test
  void whatIsKeptBeginsWithTheFirstDriftThatItHearsOfWhileItTrains() {
    past = new PastModels(model, 3);
    past.accept(head(2, false));
    assertThat(past.isDue()).as("of drifts before its first head").isFalse();

    past.accept(head(3, false));

    assertThat(past.isDue()).isTrue();
  }

  @Test
  void lossesAddUpForModelsThatAllHaveMeasured() {
    PastLosses one = new PastLosses(2, 10, 4, Map.of(1, 3.0, 0, 1.0));

    assertThat(one.plus(new PastLosses(2, 5, 2, Map.of(1, 2.0))))
        .isEqualTo(new PastLosses(2, 15, 6, Map.of(1, 5.0)));
    assertThat(one.plus(PastLosses.NONE)).isEqualTo(one);
    assertThat(one.plus(new PastLosses(1, 5, 2, Map.of(1, 2.0)))).isEqualTo(one);
    assertThat(new PastLosses(1, 5, 2, Map.of(1, Double.NaN, 0, 2.0)).better()).isEmpty();
  }

  private PastLosses measured(byte[] saved, int drifts) throws IOException {
    model.write(0, new float[1], 0, 1);
    past = new PastModels(model, 3);
    past.restore(new DataInputStream(new ByteArrayInputStream(saved)));
    past.accept(head(drifts, true));
    assertThat(past.isDue()).isFalse();
    return past.measure(minibatch());
  }

  private byte[] saved() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    past.save().write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private void keep(int drift, float parameter) {
    past.accept(head(drift, false));
    assertThat(past.isDue()).isTrue();
    past.keep(new float[] {parameter});
  }

  private static RoundHead head(int drifts, boolean tries) {
    return new RoundHead(
        1,
        JobProgress.NONE,
        0,
        LearnedFeatures.of(new FeatureStatistics(0)),
        1,
        false,
        List.of(),
        new Steering(1, 0, 0, 1, 1, drifts, tries));
  }

  /** Two examples whose labels are their features. */
  private static Minibatch minibatch() {
    Minibatch minibatch = new Minibatch(SummingEngine.spec(1).shape(), 2);
    minibatch.add(new float[] {1}, new float[] {1}, 1, new Partition("t", 0), 0);
    minibatch.add(new float[] {2}, new float[] {2}, 1, new Partition("t", 0), 1);
    return minibatch;
  }
}
