package dev.millrace.job.train.setup;

import dev.millrace.job.options.LearningOptions;
import dev.millrace.job.options.LearningOptions.Decay;
import dev.millrace.model.Learning;
import dev.millrace.model.Learning.GradientClip;
import dev.millrace.model.Learning.Precision;
import dev.millrace.model.Learning.Schedule;
import java.util.Locale;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** What checked options say of how a model learns. */
final class LearningSetup {

  /** A step that never comes: takes the place of an archive's schedule. */
  private static final Schedule CONSTANT = new Schedule(Schedule.Kind.STEP, Long.MAX_VALUE, 1);

  /** Takes the place of an archive's clip. */
  private static final GradientClip UNCLIPPED =
      new GradientClip(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

  private LearningSetup() {}

  /** Returns how a built-in network learns: what the user doesn't say is as the options have it. */
  static Learning ofBuiltIn(Configuration options) {
    String updater = options.get(LearningOptions.UPDATER);
    return new Learning(
        options.getOptional(LearningOptions.LOSS),
        Optional.of(updater),
        Optional.of(options.get(LearningOptions.LEARNING_RATE)),
        Optional.of(options.get(LearningOptions.MOMENTUM)),
        options.getOptional(LearningOptions.L2),
        updater.equals("adamw")
            ? Optional.of(options.get(LearningOptions.WEIGHT_DECAY))
            : Optional.empty(),
        schedule(options).filter(schedule -> !schedule.equals(CONSTANT)),
        clip(options).filter(clip -> !clip.equals(UNCLIPPED)),
        precision(options));
  }

  /**
   * Returns how an archive's network learns: as the user says, and in all else as the archive has
   * it.
   */
  static Learning ofArchive(Configuration options) {
    return new Learning(
        options.getOptional(LearningOptions.LOSS),
        options.getOptional(LearningOptions.UPDATER),
        options.getOptional(LearningOptions.LEARNING_RATE),
        options.getOptional(LearningOptions.MOMENTUM),
        options.getOptional(LearningOptions.L2),
        options.getOptional(LearningOptions.WEIGHT_DECAY),
        schedule(options),
        clip(options),
        precision(options));
  }

  private static Optional<Schedule> schedule(Configuration options) {
    return options.getOptional(LearningOptions.DECAY).map(decay -> schedule(decay, options));
  }

  private static Schedule schedule(Decay decay, Configuration options) {
    return switch (decay) {
      case CONSTANT -> CONSTANT;
      case STEP -> falling(Schedule.Kind.STEP, options);
      case EXPONENTIAL -> falling(Schedule.Kind.EXPONENTIAL, options);
      case COSINE -> falling(Schedule.Kind.COSINE, options);
    };
  }

  private static Schedule falling(Schedule.Kind kind, Configuration options) {
    return new Schedule(
        kind, options.get(LearningOptions.DECAY_STEPS), options.get(LearningOptions.DECAY_FACTOR));
  }

  private static Optional<GradientClip> clip(Configuration options) {
    return options
        .getOptional(LearningOptions.CLIP)
        .map(norm -> norm == 0 ? UNCLIPPED : new GradientClip(norm, Double.POSITIVE_INFINITY));
  }

  private static Optional<Precision> precision(Configuration options) {
    return options
        .getOptional(LearningOptions.PRECISION)
        .map(precision -> Precision.valueOf(precision.toUpperCase(Locale.ROOT)));
  }
}
