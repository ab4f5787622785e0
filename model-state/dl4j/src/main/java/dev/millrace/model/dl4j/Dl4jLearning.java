package dev.millrace.model.dl4j;

import dev.millrace.model.Learning;
import dev.millrace.model.Learning.GradientClip;
import dev.millrace.model.Learning.Precision;
import dev.millrace.model.Learning.Schedule;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** What this engine can do of what users say of learning, and the refusal of the rest. */
final class Dl4jLearning {

  private Dl4jLearning() {}

  /**
   * The loss of a built-in network.
   *
   * @throws InvalidModelException if there is none of that name for the target
   */
  static LossFunction loss(Learning learning, Target target) {
    String loss = learning.loss().orElse(usual(target));
    return switch (target.name() + " " + loss) {
      case "CLASSIFICATION cross-entropy" -> LossFunction.NEGATIVELOGLIKELIHOOD;
      case "MULTI_LABEL binary-cross-entropy" -> LossFunction.XENT;
      case "REGRESSION mse" -> LossFunction.MSE;
      case "REGRESSION mae" -> LossFunction.MEAN_ABSOLUTE_ERROR;
      default ->
          throw new InvalidModelException(
              "The engine dl4j has no loss '%s' for %s; take %s, or the engine torch"
                  .formatted(
                      loss, target, target == Target.REGRESSION ? "mse or mae" : usual(target)));
    };
  }

  private static String usual(Target target) {
    return switch (target) {
      case CLASSIFICATION -> "cross-entropy";
      case MULTI_LABEL -> "binary-cross-entropy";
      case REGRESSION -> "mse";
    };
  }

  /** Refuses settings that DL4J doesn't have for a built-in network. */
  static void requireKnown(Learning learning) {
    learning
        .clip()
        .ifPresent(
            clip ->
                refuse(
                    "clips no gradients of its built-in networks, by " + inWords(clip),
                    "give the network's configuration with gradientNormalization of its own"));
    learning
        .precision()
        .filter(precision -> precision != Precision.FLOAT32)
        .ifPresent(precision -> refuse("doesn't compute in " + inWords(precision), "take float32"));
  }

  /**
   * An archive's network learns as it was made to: it is bound to its updater's state.
   *
   * @throws InvalidModelException if anything is said, naming all of it
   */
  static void requireNothing(Learning learning, Path archive) {
    List<String> said = new ArrayList<>();
    add(said, "the loss", learning.loss());
    add(said, "the updater", learning.updater());
    add(said, "the learning rate", learning.learningRate());
    add(said, "the momentum", learning.momentum());
    add(said, "l2", learning.l2());
    add(said, "the weight decay", learning.weightDecay());
    add(said, "the schedule", learning.schedule().map(s -> inWords(s.kind())));
    add(said, "gradients clipped by", learning.clip().map(Dl4jLearning::inWords));
    add(
        said,
        "the precision",
        learning.precision().filter(p -> p != Precision.FLOAT32).map(Dl4jLearning::inWords));
    if (!said.isEmpty()) {
      throw new InvalidModelException(
          ("The archive %s of DL4J says itself how its network learns, and was given %s; leave that"
                  + " out, or start from the network's configuration with another updater")
              .formatted(archive, String.join(", ", said)));
    }
  }

  private static void add(List<String> said, String what, Optional<?> value) {
    value.ifPresent(given -> said.add("%s %s".formatted(what, given)));
  }

  /** DL4J's own weight decay moved weights by twice the share of the rate when it was tried. */
  static InvalidModelException noAdamW() {
    return new InvalidModelException(
        "The engine dl4j has no updater 'adamw'; take adam with l2, or the engine torch");
  }

  static InvalidModelException noSchedule(Schedule.Kind kind) {
    return new InvalidModelException(
        "The engine dl4j has no schedule '%s' of the learning rate; take step or exponential, or the"
                .formatted(inWords(kind))
            + " engine torch");
  }

  private static void refuse(String what, String remedy) {
    throw new InvalidModelException(
        "The engine dl4j %s; %s, or take the engine torch".formatted(what, remedy));
  }

  private static String inWords(GradientClip clip) {
    List<String> bounds = new ArrayList<>();
    if (!Double.isInfinite(clip.norm())) {
      bounds.add("norm " + clip.norm());
    }
    if (!Double.isInfinite(clip.value())) {
      bounds.add("value " + clip.value());
    }
    return String.join(" and ", bounds);
  }

  private static String inWords(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
