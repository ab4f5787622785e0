package dev.millrace.exchange;

import dev.millrace.exchange.MeasuredJob.Ways;
import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.codec.ThresholdRule;
import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.JobShare;
import dev.millrace.exchange.replica.LearningRateScaling;
import dev.millrace.exchange.replica.RateFactors;
import dev.millrace.exchange.replica.ReplicaRules;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSet;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * Measures the accuracy that few values cost: LeNet under the preset gradient-sharing, the real
 * replicas, coordinator and blocks in one thread; feedback arrives a step late. Prints tables of
 * docs/internals/exchange.md. {@code -Dmillrace.few-values=replicas,share,warm-up,decay;…} chooses
 * rows; a share of 1 is all values. {@code -Dmillrace.few-values.seeds} runs each with so many
 * initial weights, and as many sets of digits; {@code .data} is another set, such as {@code
 * idx:DIR}, {@code .local} the examples of a local minibatch; {@code .updater}, {@code .rate} and
 * {@code .momentum} are of minibatches of 32.
 *
 * <pre>
 * mvn -T1 -Pbenchmark verify -pl gradient-exchange -am -Dit.test=FewValuesBenchmark -Dfailsafe.failIfNoSpecifiedTests=false
 * </pre>
 */
public class FewValuesBenchmark {

  /** Examples that the learning rate is meant for. */
  private static final int BATCH = 32;

  /** 64 kB of floats, as by default. */
  private static final int BLOCK_SIZE = 1 << 14;

  private static final String ROWS =
      System.getProperty(
          "millrace.few-values",
          "8,0.003,0,1;8,0.003,6000,1;8,0.003,12000,1;8,0.003,24000,1"
              + ";8,0.003,12000,0.99;8,0.003,20000,0.99;8,1,0,1");

  private static final String DATA =
      System.getProperty("millrace.few-values.data", "digits:12000,%s");
  private static final String UPDATER = System.getProperty("millrace.few-values.updater", "adam");
  private static final String RATE = System.getProperty("millrace.few-values.rate", "0.001");
  private static final String MOMENTUM = System.getProperty("millrace.few-values.momentum", "0.9");
  private static final int LOCAL = Integer.getInteger("millrace.few-values.local", 4);
  private static final int FIRST_SEED = Integer.getInteger("millrace.few-values.first", 1);
  private static final int SEEDS = Integer.getInteger("millrace.few-values.seeds", 1);

  @Test
  public void table() throws IOException {
    System.out.println(
        "| replicas | share | warm-up | decay | seed | first 1,500 | before the last | accuracy |"
            + " MB | with feedback | s |");
    System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (String row : ROWS.split(";", -1)) {
      for (int seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
        long start = System.nanoTime();
        MeasuredJob job = job(row.split(",", -1), seed);
        job.run();
        System.out.printf(
            Locale.ROOT,
            "| %s | %d | %.3f | %.4f | %.4f | %.1f | %.1f | %.0f |%n",
            row.replace(",", " | "),
            seed,
            (double) job.first().correct() / job.first().examples(),
            job.before(),
            job.accuracy(),
            job.contributed() / 1e6,
            job.bytes() / 1e6,
            (System.nanoTime() - start) / 1e9);
      }
    }
  }

  private static MeasuredJob job(String[] row, int seed) throws IOException {
    ExampleSet data = DataSpec.parse(DATA.replace("%s", Integer.toString(seed))).open();
    int replicas = Integer.parseInt(row[0]);
    double share = Double.parseDouble(row[1]);
    ThresholdRule rule = ThresholdRule.quantile(share, Long.parseLong(row[2]));
    InitialModel initial =
        ModelEngine.named("dl4j")
            .define(
                new BuiltIn(
                    "lenet",
                    data.shape(),
                    List.of(),
                    List.of(28, 28, 1),
                    UPDATER,
                    Double.parseDouble(RATE),
                    Double.parseDouble(MOMENTUM),
                    0,
                    seed));
    BlockLayout layout = initial.spec().layout(BLOCK_SIZE, false);
    return new MeasuredJob(
        data,
        new Ways(
            initial,
            layout,
            new Combiner(
                layout,
                Aggregator.sum(),
                ServerOptimizer.none(1),
                new FeedbackCodecs(share < 1 ? Codec.sparse() : null, null)),
            new ReplicaRules(
                Schedule.every(1, false),
                new ContributionCodecs(
                    share < 1 ? Codec.threshold(rule) : Codec.float32(),
                    Codec.float32(),
                    MeasuredJob.layers(initial.spec()),
                    Double.parseDouble(row[3])),
                false,
                true,
                new ContributionGuard(10)),
            new JobShare(replicas, LOCAL * replicas, rates()),
            LOCAL,
            1));
  }

  /** As by default, where changes add up. */
  private static RateFactors rates() {
    double share = (double) LOCAL / BATCH;
    return new RateFactors(
        LearningRateScaling.AUTO.ofProportional(share, 1),
        LearningRateScaling.AUTO.ofAdaptive(share, 1),
        1,
        0);
  }
}
