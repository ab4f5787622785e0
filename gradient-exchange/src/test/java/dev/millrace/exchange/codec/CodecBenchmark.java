package dev.millrace.exchange.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.shape.IndexRange;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Gigabytes of floats that one core encodes a second, block by block of 512 kB, and what ND4J's own
 * operations do with the same: its threshold encoding, and its conversion to bfloat16, alone and
 * with what is left taken off the change, as codecs do. One OpenMP thread.
 *
 * <pre>
 * mvn -T1 -Pbenchmark verify -pl gradient-exchange -am -Dit.test=CodecBenchmark -Dfailsafe.failIfNoSpecifiedTests=false
 * </pre>
 *
 * <p>What else the machine does slows single calls down: the best of many is what the code can do.
 * A change is restored before each call, outside of the time.
 */
public class CodecBenchmark {

  private static final int LENGTH = 1 << 17;

  /** A block of a change. */
  @State(Scope.Thread)
  public static class Change {

    private final float[] original = new float[LENGTH];
    private final float[] floats = new float[LENGTH];
    private INDArray copied;
    private INDArray array;

    @Setup
    public void fill() {
      Random random = new Random(1);
      for (int i = 0; i < LENGTH; i++) {
        original[i] = (float) random.nextGaussian();
      }
      copied = Nd4j.createFromArray(original);
      array = copied.dup();
    }

    @Setup(Level.Invocation)
    public void restore() {
      System.arraycopy(original, 0, floats, 0, LENGTH);
      array.assign(copied);
    }

    /** That the given share of the values reach. */
    float threshold(double share) {
      float[] sorted = new float[LENGTH];
      for (int i = 0; i < LENGTH; i++) {
        sorted[i] = Math.abs(original[i]);
      }
      Arrays.sort(sorted);
      return sorted[(int) (LENGTH * (1 - share))];
    }
  }

  /** The codecs that send all values. */
  @State(Scope.Thread)
  public static class Dense {

    @Param({"float32", "bfloat16", "int8"})
    String codec;

    private Encoder encoder;

    @Setup
    public void choose() {
      encoder =
          encoder(
              switch (codec) {
                case "bfloat16" -> Codec.bfloat16();
                case "int8" -> Codec.int8();
                default -> Codec.float32();
              });
    }
  }

  /** The codecs that send a share of the values. */
  @State(Scope.Thread)
  public static class Share {

    @Param({"0.001", "0.01"})
    double share;

    private float t;
    private Encoder threshold;
    private Encoder topK;

    @Setup
    public void choose(Change change) {
      t = change.threshold(share);
      threshold = encoder(Codec.threshold(ThresholdRule.fixed(t)));
      topK = encoder(Codec.topK(share));
    }
  }

  private static Encoder encoder(Codec codec) {
    return codec.encoder(List.of(new IndexRange(0, LENGTH)));
  }

  @Benchmark
  public byte[] dense(Change change, Dense dense) {
    return dense.encoder.encode(0, change.floats, LENGTH);
  }

  @Benchmark
  public byte[] threshold(Change change, Share share) {
    return share.threshold.encode(0, change.floats, LENGTH);
  }

  @Benchmark
  public byte[] topK(Change change, Share share) {
    return share.topK.encode(0, change.floats, LENGTH);
  }

  @Benchmark
  public INDArray nd4jThreshold(Change change, Share share) {
    return Nd4j.getExecutioner().thresholdEncode(change.array, share.t);
  }

  @Benchmark
  public void nd4jBfloat16(Change change) {
    change.array.castTo(DataType.BFLOAT16).close();
  }

  @Benchmark
  public void nd4jBfloat16AndLeft(Change change) {
    INDArray rounded = change.array.castTo(DataType.BFLOAT16);
    INDArray decoded = rounded.castTo(DataType.FLOAT);
    change.array.subi(decoded);
    rounded.close();
    decoded.close();
  }

  @Test
  void codecsKeepUpWithNd4j() throws Exception {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include(CodecBenchmark.class.getName())
                    .mode(Mode.SampleTime)
                    .timeUnit(TimeUnit.NANOSECONDS)
                    .forks(1)
                    .warmupIterations(3)
                    .warmupTime(TimeValue.milliseconds(500))
                    .measurementIterations(20)
                    .measurementTime(TimeValue.milliseconds(200))
                    .build())
            .run();

    Map<String, Double> best = new HashMap<>();
    for (RunResult result : results) {
      String name = name(result);
      var nanoseconds = result.getPrimaryResult().getStatistics();
      best.put(name, rate(nanoseconds.getMin()));
      System.out.printf(
          "| %s | best %.2f GB/s | median %.2f GB/s |%n",
          name, rate(nanoseconds.getMin()), rate(nanoseconds.getPercentile(50)));
    }
    for (String share : List.of("0.001", "0.01")) {
      assertThat(best.get("threshold " + share))
          .as("threshold, a share of %s, GB/s", share)
          .isGreaterThan(4)
          .isGreaterThan(best.get("nd4jThreshold " + share));
    }
    assertThat(best.get("dense bfloat16"))
        .as("bfloat16, GB/s")
        .isGreaterThan(best.get("nd4jBfloat16AndLeft"));
  }

  private static String name(RunResult result) {
    String method = result.getParams().getBenchmark();
    StringBuilder name = new StringBuilder(method.substring(method.lastIndexOf('.') + 1));
    for (String key : result.getParams().getParamsKeys()) {
      name.append(' ').append(result.getParams().getParam(key));
    }
    return name.toString();
  }

  private static double rate(double nanoseconds) {
    return LENGTH * (double) Float.BYTES / nanoseconds;
  }
}
