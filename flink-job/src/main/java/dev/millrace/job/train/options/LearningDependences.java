package dev.millrace.job.train.options;

import static dev.millrace.job.options.Condition.given;
import static dev.millrace.job.options.Condition.is;
import static dev.millrace.job.options.Dependence.refused;

import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.LearningOptions;
import dev.millrace.job.options.LearningOptions.Decay;
import dev.millrace.job.options.ModelOptions;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which options of learning act under which condition alone. What an archive's updater is, only its
 * engine knows.
 */
public final class LearningDependences {

  public static final List<Dependence> ALL =
      Stream.of(
              refused(
                  given(ModelOptions.NAME, ModelOptions.ARCHIVE),
                  LearningOptions.LOSS,
                  LearningOptions.UPDATER,
                  LearningOptions.LEARNING_RATE,
                  LearningOptions.MOMENTUM,
                  LearningOptions.L2,
                  LearningOptions.WEIGHT_DECAY,
                  LearningOptions.DECAY,
                  LearningOptions.DECAY_STEPS,
                  LearningOptions.DECAY_FACTOR,
                  LearningOptions.CLIP,
                  LearningOptions.PRECISION),
              refused(
                  is(LearningOptions.UPDATER, "nesterovs", "adam", "adamw")
                      .or(given(ModelOptions.ARCHIVE)),
                  LearningOptions.MOMENTUM),
              refused(
                  is(LearningOptions.UPDATER, "adamw").or(given(ModelOptions.ARCHIVE)),
                  LearningOptions.WEIGHT_DECAY),
              refused(
                  is(LearningOptions.DECAY, Decay.STEP, Decay.EXPONENTIAL, Decay.COSINE),
                  LearningOptions.DECAY_STEPS),
              refused(
                  is(LearningOptions.DECAY, Decay.STEP, Decay.EXPONENTIAL),
                  LearningOptions.DECAY_FACTOR))
          .flatMap(List::stream)
          .toList();

  private LearningDependences() {}
}
