package dev.millrace.job.train.part.drift;

import static dev.millrace.job.options.Condition.given;
import static dev.millrace.job.options.Condition.is;
import static dev.millrace.job.options.Dependence.refused;

import dev.millrace.exchange.drift.Detection;
import dev.millrace.job.options.Condition;
import dev.millrace.job.options.Dependence;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;

/** Which options of drifts act under which condition alone. */
final class DriftDependences {

  private static final Condition FEATURES =
      is(DriftOptions.FEATURES, Detection.Features.ADWIN, Detection.Features.KOLMOGOROV_SMIRNOV);

  static final List<Dependence> ALL =
      Stream.of(
              refused(given(DriftOptions.DETECTORS).or(FEATURES), DriftOptions.REACTIONS),
              refused(
                  detector(Detection.Kind.ADWIN).or(detector(Detection.Kind.KSWIN)).or(FEATURES),
                  DriftOptions.CONFIDENCE),
              refused(
                  reaction(DriftOptions.Reaction.MORE_ROUNDS)
                      .or(reaction(DriftOptions.Reaction.SMALLER_BATCHES)),
                  DriftOptions.EXAMPLES))
          .flatMap(List::stream)
          .toList();

  private DriftDependences() {}

  private static Condition detector(Detection.Kind detector) {
    return has(DriftOptions.DETECTORS, detector);
  }

  private static Condition reaction(DriftOptions.Reaction reaction) {
    return has(DriftOptions.REACTIONS, reaction);
  }

  private static <T> Condition has(ConfigOption<List<T>> list, T element) {
    return new Condition(
        "with %s %s".formatted(list.key(), element),
        options -> options.getOptional(list).filter(all -> all.contains(element)).isPresent());
  }
}
