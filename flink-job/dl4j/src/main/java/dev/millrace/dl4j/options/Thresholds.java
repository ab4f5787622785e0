package dev.millrace.dl4j.options;

import dev.millrace.job.train.options.CodecOptions;
import java.lang.reflect.Field;
import java.util.Map;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.ResidualPostProcessor;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.ThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.residual.NoOpResidualPostProcessor;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.residual.ResidualClippingPostProcessor;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.AdaptiveThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.FixedThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.TargetSparsityThresholdAlgorithm;

/** What DL4J's encoding of shared gradients is as options. */
public final class Thresholds {

  private static final String RULE = CodecOptions.RULE.key();
  private static final String INITIAL = CodecOptions.INITIAL.key();
  private static final String SHARE = CodecOptions.SHARE.key();
  private static final String DECAY = CodecOptions.DECAY.key();

  private Thresholds() {}

  /**
   * Returns the options that stand for an algorithm. An adaptive one keeps its share between two
   * bounds; here it goes towards the geometric mean of them. What isn't sent is kept whole, as DL4J
   * keeps it: few values pass, and a decay would lose most of what was learned.
   *
   * @throws UnsupportedOperationException if it is none of DL4J's
   */
  public static Map<String, String> options(ThresholdAlgorithm algorithm) {
    if (algorithm instanceof FixedThresholdAlgorithm fixed) {
      return fixed(fixed.getThreshold());
    }
    if (algorithm instanceof AdaptiveThresholdAlgorithm) {
      double least = field(algorithm, "minTargetSparsity");
      double most = field(algorithm, "maxTargetSparsity");
      return towards("adaptive", algorithm, Math.sqrt(least * most));
    }
    if (algorithm instanceof TargetSparsityThresholdAlgorithm) {
      return towards("target", algorithm, field(algorithm, "sparsityTarget"));
    }
    throw new UnsupportedOperationException(
        ("%s is a threshold algorithm of one's own, and those can't run here: take"
                + " FixedThresholdAlgorithm, AdaptiveThresholdAlgorithm or"
                + " TargetSparsityThresholdAlgorithm")
            .formatted(algorithm.getClass().getName()));
  }

  /** Returns the options of a threshold that stays as it is. */
  public static Map<String, String> fixed(double threshold) {
    return Map.of(RULE, "fixed", INITIAL, Double.toString(threshold), DECAY, "1");
  }

  private static Map<String, String> towards(
      String rule, ThresholdAlgorithm algorithm, double share) {
    return Map.of(
        RULE,
        rule,
        INITIAL,
        Double.toString(field(algorithm, "initialThreshold")),
        SHARE,
        Double.toString(share),
        DECAY,
        "1");
  }

  /** Reads what DL4J has no getter for. */
  private static double field(ThresholdAlgorithm algorithm, String name) {
    try {
      Field field = algorithm.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field.getDouble(algorithm);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "%s has no %s: it isn't that of DL4J 1.0.0-M2.1".formatted(algorithm, name), e);
    }
  }

  /**
   * Takes what works on what isn't sent yet.
   *
   * @param method the builder's, for messages
   * @throws UnsupportedOperationException if it is none of DL4J's
   */
  public static void take(ResidualPostProcessor processorOrNull, String method) {
    if (processorOrNull instanceof ResidualClippingPostProcessor) {
      NoMeaning.say(method, "what isn't sent yet is kept as it is, and sent later");
    } else if (processorOrNull != null && !(processorOrNull instanceof NoOpResidualPostProcessor)) {
      throw new UnsupportedOperationException(
          "%s is a residual post processor of one's own, and those can't run here: leave it out"
              .formatted(processorOrNull.getClass().getName()));
    }
  }
}
