package dev.millrace.job;

import dev.millrace.api.Millrace;
import dev.millrace.api.TrainingOptions;
import dev.millrace.job.submission.Submission;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The job that is submitted. */
public final class TrainingJob {

  /**
   * The job's name, unless Flink's {@code pipeline.name} gives another, by which several jobs are
   * told apart.
   */
  private static final String NAME = "Millrace";

  private TrainingJob() {}

  /**
   * Runs the job for {@code flink run}: options as {@code --config FILE} and {@code --key value}.
   *
   * @throws org.apache.flink.client.program.ProgramParametrizationException if the job isn't
   *     accepted; its message says why
   */
  public static void main(String[] arguments) throws Exception {
    Submission.submit(NAME, List.of(arguments), TrainingJob::build);
  }

  /**
   * Checks options, topics and model, and adds the job to the environment: as many replicas as its
   * parallelism.
   *
   * @return what a person should know, such as options without effect
   * @throws dev.millrace.job.options.InvalidOptionsException if options are wrong
   * @throws dev.millrace.kafka.KafkaAccessException if topics can't be used
   * @throws dev.millrace.model.io.InvalidModelException if the model can't be made
   */
  public static List<String> build(StreamExecutionEnvironment environment, Configuration options) {
    return Millrace.train(environment, TrainingOptions.of(options)).warnings();
  }
}
