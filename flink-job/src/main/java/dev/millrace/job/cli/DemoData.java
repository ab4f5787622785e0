package dev.millrace.job.cli;

import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSet;
import dev.millrace.job.options.InputOptions;
import dev.millrace.model.ExampleShape;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a demo learns from.
 *
 * @param spec as the user gave it
 * @param set what it describes
 * @param format of the records that it is produced as
 * @param limit examples to take at most
 */
record DemoData(DataSpec spec, ExampleSet set, InputOptions.Format format, long limit) {

  DemoData {
    Objects.requireNonNull(spec, "spec");
    Objects.requireNonNull(set, "set");
    Objects.requireNonNull(format, "format");
  }

  ExampleShape shape() {
    return set.shape();
  }

  /** What the model is measured by, in the words of {@code evaluation.holdout}. */
  Optional<String> holdOut() {
    boolean none = spec instanceof DataSpec.Csv csv && csv.holdOut() == 0;
    return none ? Optional.empty() : Optional.of(spec.toString());
  }

  /** The example at which the data changes abruptly. */
  OptionalLong drift() {
    return spec instanceof DataSpec.Digits digits && limit > digits.count() / 2
        ? OptionalLong.of(digits.count() / 2)
        : OptionalLong.empty();
  }
}
