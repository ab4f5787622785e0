package dev.millrace.job;

import dev.millrace.api.Millrace;
import dev.millrace.api.ScoringOptions;
import dev.millrace.job.submission.Submission;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A job that predicts for a stream of examples, with the newest published model. */
public final class ScoringJob {

  /** The job's name, unless Flink's {@code pipeline.name} gives another. */
  private static final String NAME = "Millrace scoring";

  private ScoringJob() {}

  /**
   * Runs the job for {@code flink run -c dev.millrace.job.ScoringJob}: options as {@code --config
   * FILE} and {@code --key value}.
   *
   * @throws org.apache.flink.client.program.ProgramParametrizationException if the job isn't
   *     accepted; its message says why
   */
  public static void main(String[] arguments) throws Exception {
    Submission.submit(NAME, List.of(arguments), ScoringJob::build);
  }

  /**
   * Checks options and topics, and adds the job to the environment: as many scorers as its
   * parallelism.
   *
   * @return what a person should know, such as options without effect
   * @throws dev.millrace.job.options.InvalidOptionsException if options are wrong
   * @throws dev.millrace.kafka.KafkaAccessException if topics can't be used
   */
  public static List<String> build(StreamExecutionEnvironment environment, Configuration options) {
    return Millrace.score(environment, ScoringOptions.of(options));
  }
}
