package dev.millrace.exchange;

import dev.millrace.exchange.MeasuredJob.Ways;
import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.JobShare;
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
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * How few bytes one pass over Fashion-MNIST needs, and what that costs of accuracy: LeNet, the real
 * replicas, coordinator and blocks in one thread, under a schedule that waits. Prints the table of
 * docs/internals/exchange.md. {@code -Dmillrace.fashion-mnist=DIR} with the four files; {@code
 * -Dmillrace.few-bytes=replicas,steps,share,decay,server-rate,rate;…} chooses rows, {@code
 * -Dmillrace.few-bytes.seed} the initial weights. A row of one replica is plain learning.
 */
@EnabledIfSystemProperty(named = "millrace.fashion-mnist", matches = ".+")
public class FewBytesBenchmark {

  private static final int BATCH = 32;

  /** 64 kB of floats, as by default. */
  private static final int BLOCK_SIZE = 1 << 14;

  private static final long SEED = Long.getLong("millrace.few-bytes.seed", 1);

  private static final String ROWS =
      System.getProperty(
          "millrace.few-bytes",
          "1,3,1,1,1,0.01;4,8,0.02,0.95,1.5,0.03;4,15,0.0108,0.99,2,0.03"
              + ";4,15,0.0115,0.99,2,0.03;4,30,0.025,0.95,1.5,0.03;8,4,0.0125,0.95,3,0.03");

  @Test
  public void table() throws IOException {
    System.out.println(
        "| replicas | k | share | decay | server rate | rate | before the last | accuracy |"
            + " rounds | MB | fewer | s |");
    System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (String row : ROWS.split(";", -1)) {
      long start = System.nanoTime();
      MeasuredJob job = job(row.split(",", -1));
      job.run();
      double everyStep = 2.0 * Float.BYTES * job.parameters() * job.learned() / BATCH;
      System.out.printf(
          Locale.ROOT,
          "| %s | %.4f | %.4f | %d | %.2f | %.0f | %.0f |%n",
          row.replace(",", " | "),
          job.before(),
          job.accuracy(),
          job.rounds(),
          job.bytes() / 1e6,
          everyStep / job.bytes(),
          (System.nanoTime() - start) / 1e9);
    }
  }

  private static MeasuredJob job(String[] row) throws IOException {
    ExampleSet data = DataSpec.parse("idx:" + System.getProperty("millrace.fashion-mnist")).open();
    int replicas = Integer.parseInt(row[0]);
    int localSteps = Integer.parseInt(row[1]);
    double share = Double.parseDouble(row[2]);
    Codec codec = share < 1 ? Codec.twoBitTopK(share) : Codec.float32();
    InitialModel initial =
        ModelEngine.named("dl4j")
            .define(
                new BuiltIn(
                    "lenet",
                    data.shape(),
                    List.of(),
                    List.of(),
                    "nesterovs",
                    Double.parseDouble(row[5]),
                    0.9,
                    0,
                    SEED));
    BlockLayout layout = initial.spec().layout(BLOCK_SIZE, false);
    return new MeasuredJob(
        data,
        new Ways(
            initial,
            layout,
            new Combiner(
                layout,
                Aggregator.weightedMean(),
                ServerOptimizer.none(Double.parseDouble(row[4])),
                new FeedbackCodecs(share < 1 ? codec : null, null)),
            new ReplicaRules(
                Schedule.every(localSteps, true),
                new ContributionCodecs(
                    codec,
                    Codec.float32(),
                    MeasuredJob.layers(initial.spec()),
                    Double.parseDouble(row[3])),
                false,
                false,
                new ContributionGuard(10)),
            new JobShare(replicas, BATCH * replicas, RateFactors.NONE),
            BATCH,
            localSteps));
  }
}
