package dev.millrace.exchange.confusion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecentConfusionTest {

  private static final ExampleShape SHAPE = new ExampleShape(1, 3, Target.CLASSIFICATION);

  private final RecentConfusion confusion = RecentConfusion.of(SHAPE).orElseThrow();

  @Test
  void countsWhichClassWasTakenForWhich() {
    confusion.add(minibatch(0, 0, 2), predictions(0, 1, 1));

    ConfusionReport report = confusion.report(7, 5);

    assertThat(report.time()).isEqualTo(7);
    assertThat(report.round()).isEqualTo(5);
    assertThat(report.counts())
        .containsExactly(List.of(1, 1, 0), List.of(0, 0, 0), List.of(0, 1, 0));
  }

  @Test
  void countsHowOftenTheLastLabelWasRightAndHowSureThePredictionsWere() {
    confusion.add(minibatch(0, 0), predictions(0, 1));
    confusion.add(minibatch(0, 2), predictions(1, 2));

    ConfusionReport report = confusion.report(0, 0);

    assertThat(report.lastLabels()).isEqualTo(2);
    assertThat(report.confidence()).hasSize(RecentConfusion.BINS);
    ConfusionReport.Bin sure = report.confidence().get(9);
    assertThat(sure.examples()).isEqualTo(4);
    assertThat(sure.right()).isEqualTo(2);
    assertThat(sure.stated()).isCloseTo(4 * 0.95, within(1e-6));
  }

  @Test
  void whatIsReplayedIsNotCounted() {
    Minibatch minibatch = new Minibatch(SHAPE, 1, 1);
    minibatch.add(new float[1], new float[] {0, 1, 0}, 1, new Partition("t", 0), 0);
    minibatch.addReplayed(new float[1], new float[] {0, 0, 1}, new String[0], 0, 0, 1);

    confusion.add(minibatch, predictions(1, 2));

    assertThat(sum(confusion.report(0, 0))).isEqualTo(1);
  }

  @Test
  void onlyTheLatestExamplesAreCounted() {
    long seed = Seeds.next();
    System.out.printf("onlyTheLatestExamplesAreCounted(): seed %d%n", seed);
    Random random = new Random(seed);
    RecentConfusion longer = RecentConfusion.of(SHAPE).orElseThrow();
    for (int i = 0; i < random.nextInt(3_000); i++) {
      longer.add(minibatch(random.nextInt(3)), predictions(random.nextInt(3)));
    }
    // The label before them is none of the latest examples.
    longer.add(minibatch(0), predictions(0));
    confusion.add(minibatch(0), predictions(0));
    for (int i = 0; i < RecentConfusion.MOST_EXAMPLES; i++) {
      int actual = random.nextInt(3);
      int predicted = random.nextInt(3);
      longer.add(minibatch(actual), predictions(predicted));
      confusion.add(minibatch(actual), predictions(predicted));
    }

    assertThat(longer.report(0, 0)).isEqualTo(confusion.report(0, 0));
    assertThat(sum(longer.report(0, 0))).isEqualTo(RecentConfusion.MOST_EXAMPLES);
  }

  @Test
  void thereIsNoneOfNumbersAndOfManyClasses() {
    assertThat(RecentConfusion.of(new ExampleShape(1, 3, Target.REGRESSION))).isEmpty();
    assertThat(RecentConfusion.of(new ExampleShape(1, 3, Target.MULTI_LABEL))).isEmpty();
    assertThat(RecentConfusion.of(new ExampleShape(1, 50, Target.CLASSIFICATION))).isPresent();
    assertThat(RecentConfusion.of(new ExampleShape(1, 51, Target.CLASSIFICATION))).isEmpty();
  }

  @Test
  void aReportIsReadAsItWasWritten() throws IOException {
    ConfusionReport report =
        new ConfusionReport(
            1,
            2,
            List.of(List.of(3, 4), List.of(5, 6)),
            7,
            List.of(new ConfusionReport.Bin(8, 9, 0.5)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ConfusionReport.WIRE.write(report, new DataOutputStream(bytes));

    assertThat(
            ConfusionReport.WIRE.read(
                new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))))
        .isEqualTo(report);
  }

  private static int sum(ConfusionReport report) {
    return report.counts().stream().flatMap(List::stream).mapToInt(Integer::intValue).sum();
  }

  private static Minibatch minibatch(int... classes) {
    Minibatch minibatch = new Minibatch(SHAPE, classes.length);
    for (int i = 0; i < classes.length; i++) {
      float[] labels = new float[3];
      labels[classes[i]] = 1;
      minibatch.add(new float[1], labels, 1, new Partition("t", 0), i);
    }
    return minibatch;
  }

  private static float[] predictions(int... classes) {
    float[] predictions = new float[3 * classes.length];
    for (int i = 0; i < classes.length; i++) {
      predictions[3 * i + classes[i]] = 0.95f;
    }
    return predictions;
  }
}
