package dev.millrace.job.submission;

import dev.millrace.job.options.Condition;
import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.options.SubmissionOptions;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/** Which options act only where the job runs in one kind of cluster. */
public final class PlaceDependences {

  private static final List<Dependence> SUBMITTED =
      List.of(
          new Dependence(
              FlinkOptions.PREFIX + "*",
              never(
                  "where Millrace starts the cluster (millrace train, score and demo); under flink"
                      + " run the cluster has its own configuration, and -D KEY=VALUE in front of"
                      + " the jar adds to it"),
              Dependence.Outcome.WARNED));

  private static final List<Dependence> LOCAL =
      Dependence.warned(
          never("under flink run, whose cluster may be full"), SubmissionOptions.SLOT_WAIT);

  private PlaceDependences() {}

  /** Says which options have no effect where {@code flink run} submits the job. */
  public static List<String> submitted(Configuration given) {
    return Dependence.violations(SUBMITTED, Dependence.Outcome.WARNED, given, given);
  }

  /** Says which options have no effect in a cluster of the command's own. */
  public static List<String> local(Configuration given) {
    return Dependence.violations(LOCAL, Dependence.Outcome.WARNED, given, given);
  }

  private static Condition never(String text) {
    return new Condition(text, options -> false);
  }
}
