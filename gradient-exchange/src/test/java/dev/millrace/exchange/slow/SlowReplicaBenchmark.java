package dev.millrace.exchange.slow;

import dev.millrace.digits.DigitGenerator;
import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.LearningRateScaling;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What a slow replica costs under each preset: accuracy of the final model beside that of an
 * undisturbed run of the same records, and how soon rounds are whole again. Prints a table of
 * docs/internals/exchange.md. The clock is simulated, so it says nothing of throughput.
 *
 * <pre>
 * mvn -T1 -Pbenchmark verify -pl gradient-exchange -am -Dit.test=SlowReplicaBenchmark -Dfailsafe.failIfNoSpecifiedTests=false
 * </pre>
 */
public class SlowReplicaBenchmark {

  private static final String MODEL = System.getProperty("millrace.slow.model", "mlp");

  /** Of all replicas. */
  private static final int RECORDS = Integer.getInteger("millrace.slow.records", 24_000);

  /** Names of those to measure; all if empty. */
  private static final String PRESETS = System.getProperty("millrace.slow.presets", "");

  private static final int SEEDS = Integer.getInteger("millrace.slow.seeds", 1);
  private static final int HOLD_OUT = 10_000;
  private static final int AT_ONCE = 500;
  private static final double MOST_CHANGE = 10;

  private static final ExampleShape SHAPE =
      new ExampleShape(
          DigitGenerator.IMAGE.pixels(), DigitGenerator.CLASSES, Target.CLASSIFICATION);

  private static final List<Disturbance> DISTURBANCES =
      List.of(
          Disturbance.NONE,
          Disturbance.pauses(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(8)),
          Disturbance.slow(10),
          Disturbance.gone(Duration.ofSeconds(20), Duration.ofMinutes(1)));

  @Test
  public void table() {
    System.out.printf(Locale.ROOT, "%s, %d records, %d seeds%n", MODEL, RECORDS, SEEDS);
    System.out.println(
        "| preset | disturbance | accuracy | each | rounds | partial | periods until whole | s |");
    System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (Preset preset : Preset.all()) {
      if (!PRESETS.isEmpty() && !PRESETS.contains(preset.name())) {
        continue;
      }
      for (Disturbance disturbance : DISTURBANCES) {
        System.out.println(row(preset, disturbance));
      }
    }
  }

  private static String row(Preset preset, Disturbance disturbance) {
    double sum = 0;
    StringBuilder each = new StringBuilder();
    RoundLog log = null;
    for (int seed = 1; seed <= SEEDS; seed++) {
      InitialModel initial = initial(seed);
      int data = seed;
      DisturbedJob job =
          new DisturbedJob(
              preset,
              new Training(
                  initial,
                  LearningRateScaling.AUTO,
                  new ContributionGuard(MOST_CHANGE),
                  at -> minibatches(data, at)),
              disturbance,
              seed);
      job.run();
      if (job.totals().ledger().learnedCount() != RECORDS) {
        throw new AssertionError("Learned: " + job.totals().ledger().learnedCount());
      }
      double accuracy = accuracy(initial, job.parameters());
      sum += accuracy;
      each.append(String.format(Locale.ROOT, "%.4f ", accuracy));
      log = job.log();
    }
    return String.format(
        Locale.ROOT,
        "| `%s` | %s | %.4f | %s| %d | %d | %s | %.0f |",
        preset,
        disturbance,
        sum / SEEDS,
        each,
        log.rounds(),
        log.partial(),
        log.periodsUntilWhole(2).stream()
            .map(periods -> String.format(Locale.ROOT, "%.1f", periods))
            .collect(Collectors.joining(", ")),
        log.duration() / 1e9);
  }

  private static InitialModel initial(long seed) {
    boolean lenet = "lenet".equals(MODEL);
    return ModelEngine.named("dl4j")
        .define(
            new BuiltIn(
                MODEL,
                SHAPE,
                lenet ? List.of() : List.of(64, 32),
                lenet ? List.of(28, 28, 1) : List.of(),
                "adam",
                1e-3,
                0.9,
                0,
                seed));
  }

  /** Upright digits, so that it doesn't matter in which order they are learned. */
  private static Iterator<Minibatch> minibatches(long seed, int partition) {
    int batch = DisturbedJob.BATCH.local(DisturbedJob.REPLICAS);
    DigitGenerator digits = new DigitGenerator(seed, Long.MAX_VALUE);
    Partition records = new Partition("digits", partition);
    Minibatch minibatch = new Minibatch(SHAPE, batch);
    float[] pixels = new float[SHAPE.features()];
    return IntStream.range(0, RECORDS / DisturbedJob.REPLICAS / batch)
        .mapToObj(
            step -> {
              minibatch.clear();
              for (long offset = (long) step * batch; !minibatch.isFull(); offset++) {
                long index = offset * DisturbedJob.REPLICAS + partition;
                float[] label = label(digits.draw(index, pixels));
                minibatch.add(pixels, label, 1, records, offset);
              }
              return minibatch;
            })
        .iterator();
  }

  private static float[] label(int digit) {
    float[] label = new float[DigitGenerator.CLASSES];
    label[digit] = 1;
    return label;
  }

  private static double accuracy(InitialModel initial, float[] parameters) {
    DigitGenerator digits = new DigitGenerator(-1, Long.MAX_VALUE);
    float[] features = new float[AT_ONCE * SHAPE.features()];
    float[] labels = new float[AT_ONCE * SHAPE.outputs()];
    float[] predictions = new float[labels.length];
    float[] pixels = new float[SHAPE.features()];
    Measures measures = Measures.NONE;
    try (ModelReplica model =
        ModelEngine.named("dl4j").build(initial.spec(), DeviceRequest.any())) {
      model.write(0, parameters, 0, parameters.length);
      for (int first = 0; first < HOLD_OUT; first += AT_ONCE) {
        for (int row = 0; row < AT_ONCE; row++) {
          float[] label = label(digits.draw(first + row, pixels));
          System.arraycopy(pixels, 0, features, row * pixels.length, pixels.length);
          System.arraycopy(label, 0, labels, row * label.length, label.length);
        }
        model.predict(features, AT_ONCE, predictions);
        measures = measures.plus(Measures.of(SHAPE, predictions, labels, AT_ONCE));
      }
    }
    return (double) measures.correct() / measures.examples();
  }
}
