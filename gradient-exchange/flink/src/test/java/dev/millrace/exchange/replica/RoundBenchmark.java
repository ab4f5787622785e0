package dev.millrace.exchange.replica;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.Feedback;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.Participation;
import dev.millrace.exchange.schedule.Fragment;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.SummingEngine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * What a round costs a processor, step by step: milliseconds for a vector of 40 MB, two thirds of
 * it updater state as Adam's, of which half is kept from falling below zero.
 *
 * <pre>
 * mvn -T1 -Pbenchmark verify -pl gradient-exchange -am -Dit.test=RoundBenchmark -Dfailsafe.failIfNoSpecifiedTests=false
 * </pre>
 */
public class RoundBenchmark {

  private static final int LENGTH = 10_000_000;
  private static final int PARAMETERS = LENGTH / 3;
  private static final int BLOCK = 1 << 17;
  private static final int REPLICAS = 2;

  private static final ModelSpec SPEC =
      new ModelSpec(
          SummingEngine.NAME,
          "any",
          "",
          new ExampleShape(1, 1, Target.REGRESSION),
          PARAMETERS,
          LENGTH - PARAMETERS,
          List.of());

  /** A replica, the exchange, and what is under way between them. */
  @State(Scope.Thread)
  public static class Round {

    private final BlockLayout layout =
        new BlockLayout(LENGTH, BLOCK, PARAMETERS, List.of(new IndexRange(2 * PARAMETERS, LENGTH)));
    private final ModelReplica model = new SummingEngine().build(SPEC, DeviceRequest.any());
    private final DataOutputSerializer out = new DataOutputSerializer(5 * BLOCK);
    private final List<GlobalBlock> blocks = new ArrayList<>();
    private final List<Payload> payloads = new ArrayList<>();
    private final List<float[]> values = new ArrayList<>();
    private final List<byte[]> sentContributions = new ArrayList<>();
    private final List<byte[]> sentUpdates = new ArrayList<>();
    private LocalVector vector;
    private Combiner combiner;
    private long round;
    private long sequence;

    @Setup
    public void fill() throws IOException {
      Random random = new Random(1);
      float[] initial = new float[LENGTH];
      for (int i = 0; i < LENGTH; i++) {
        initial[i] = random.nextFloat();
      }
      model.write(0, initial, 0, LENGTH);
      vector = new LocalVector(model, layout, ContributionCodecs.EXACT.encoder(layout));
      combiner = new Combiner(layout, Aggregator.weightedMean(), ServerOptimizer.none(1));
      payloads.addAll(List.of(vector.encode(10, false, Fragment.WHOLE).orElseThrow()));
      for (int b = 0; b < layout.count(); b++) {
        values.add(vector.values(b));
        GlobalBlock block = new GlobalBlock(b);
        block.initialize(values.get(b), ServerOptimizerState.NONE, combiner);
        blocks.add(block);
        sentContributions.add(bytes(new Contribution(b, 0, 1, 1, payloads.get(b))));
        sentUpdates.add(bytes(new BlockUpdate(b, 1, values.get(b))));
      }
    }

    private byte[] bytes(BlockMessage message) throws IOException {
      out.clear();
      BlockMessage.WIRE.write(message, out);
      return out.getCopyOfBuffer();
    }

    private byte[] bytes(Feedback feedback) throws IOException {
      out.clear();
      Feedback.WIRE.write(feedback, out);
      return out.getCopyOfBuffer();
    }
  }

  @Benchmark
  public Payload[] contribute(Round round) {
    return round.vector.encode(10, false, Fragment.WHOLE).orElseThrow();
  }

  @Benchmark
  public void writeContribution(Round round) throws IOException {
    for (int b = 0; b < round.layout.count(); b++) {
      round.out.clear();
      BlockMessage.WIRE.write(new Contribution(b, 0, 1, 1, round.payloads.get(b)), round.out);
    }
  }

  @Benchmark
  public int readContribution(Round round) throws IOException {
    int sum = 0;
    for (byte[] bytes : round.sentContributions) {
      sum += BlockMessage.WIRE.read(new DataInputDeserializer(bytes)).block();
    }
    return sum;
  }

  @Benchmark
  public void combine(Round round) {
    round.sequence++;
    BitSet members = new BitSet();
    members.set(0, REPLICAS);
    for (int b = 0; b < round.layout.count(); b++) {
      GlobalBlock block = round.blocks.get(b);
      block.add(new Decision(b, round.sequence, members, Participation.WHOLE, false));
      for (int replica = 0; replica < REPLICAS; replica++) {
        block.add(new Contribution(b, replica, round.sequence, 1, round.payloads.get(b)));
      }
      block.advance(round.combiner);
    }
  }

  @Benchmark
  public void writeUpdate(Round round) throws IOException {
    for (int b = 0; b < round.layout.count(); b++) {
      round.out.clear();
      Feedback.WIRE.write(new BlockUpdate(b, 1, round.values.get(b)), round.out);
    }
  }

  @Benchmark
  public int readUpdate(Round round) throws IOException {
    int sum = 0;
    for (byte[] bytes : round.sentUpdates) {
      sum += Feedback.WIRE.read(new DataInputDeserializer(bytes)).block();
    }
    return sum;
  }

  /** Where nothing was learned meanwhile, as under a schedule that waits. */
  @Benchmark
  public void acceptClean(Round round) {
    accept(round);
  }

  @Benchmark
  public void acceptTouched(Round round) {
    round.vector.touch();
    accept(round);
  }

  private static void accept(Round round) {
    round.round++;
    for (int b = 0; b < round.layout.count(); b++) {
      round.vector.accept(new BlockUpdate(b, round.round, round.values.get(b)));
    }
  }

  @Test
  void tellsWhatARoundCosts() throws Exception {
    for (RunResult result :
        new Runner(
                new OptionsBuilder()
                    .include(RoundBenchmark.class.getName())
                    .mode(Mode.SampleTime)
                    .timeUnit(TimeUnit.NANOSECONDS)
                    .forks(1)
                    .jvmArgs("-Xmx2g", "-XX:G1HeapRegionSize=16m")
                    .warmupIterations(2)
                    .warmupTime(TimeValue.milliseconds(1000))
                    .measurementIterations(3)
                    .measurementTime(TimeValue.milliseconds(1000))
                    .build())
            .run()) {
      String method = result.getParams().getBenchmark();
      var nanoseconds = result.getPrimaryResult().getStatistics();
      System.out.printf(
          "| %s | best %.1f ms | median %.1f ms |%n",
          method.substring(method.lastIndexOf('.') + 1),
          nanoseconds.getMin() / 1e6,
          nanoseconds.getPercentile(50) / 1e6);
    }
  }
}
