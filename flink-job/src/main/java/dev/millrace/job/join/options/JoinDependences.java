package dev.millrace.job.join.options;

import static dev.millrace.job.options.Condition.is;
import static dev.millrace.job.options.Dependence.refused;

import dev.millrace.job.join.options.JoinedOptions.Unlabelled;
import dev.millrace.job.options.Dependence;
import java.util.List;
import java.util.stream.Stream;

/** Which options of a join act under which condition alone. */
public final class JoinDependences {

  /** Nothing is said of options for other jobs: those of a model share a file. */
  public static final List<Dependence> ALL =
      Stream.of(
              refused(
                  is(JoinedOptions.UNLABELLED, Unlabelled.NEGATIVE),
                  JoinedOptions.NEGATIVE_LABEL,
                  JoinedOptions.NEGATIVE_SAMPLE),
              SideFormat.FEATURES.dependences(),
              SideFormat.LABELS.dependences())
          .flatMap(List::stream)
          .toList();

  private JoinDependences() {}
}
