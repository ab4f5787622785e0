package dev.millrace.job;

import dev.millrace.job.join.setup.JoinSetup;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.submission.Submission;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A job that joins features with labels that come later, into a topic to learn from. */
public final class JoinJob {

  /** The job's name, unless Flink's {@code pipeline.name} gives another. */
  private static final String NAME = "Millrace join";

  private JoinJob() {}

  /**
   * Runs the job for {@code flink run -c dev.millrace.job.JoinJob}: options as {@code --config
   * FILE} and {@code --key value}.
   *
   * @throws org.apache.flink.client.program.ProgramParametrizationException if the job isn't
   *     accepted; its message says why
   */
  public static void main(String[] arguments) throws Exception {
    Submission.submit(NAME, List.of(arguments), JoinJob::build);
  }

  /**
   * Checks options and topics, and adds the job to the environment, in its parallelism.
   *
   * @return what a person should know, such as options without effect
   * @throws dev.millrace.job.options.InvalidOptionsException if options are wrong
   * @throws dev.millrace.kafka.KafkaAccessException if topics can't be used
   */
  public static List<String> build(StreamExecutionEnvironment environment, Configuration options) {
    JoinSetup setup =
        new JoinSetup(JobOptions.check(JobKind.JOINING, options, environment.getConfiguration()));
    setup.checkTopics();
    setup.build(environment);
    return setup.warnings();
  }
}
