package dev.millrace.job;

import dev.millrace.job.evaluate.setup.EvaluationArguments;
import dev.millrace.job.evaluate.setup.EvaluationSetup;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.submission.Submission;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The job that evaluates a model, for {@code flink run -c}. */
public final class EvaluationJob {

  /** The job's name, unless Flink's {@code pipeline.name} gives another. */
  public static final String NAME = "Millrace evaluation";

  private EvaluationJob() {}

  /**
   * Takes {@code --model}, {@code --data} and {@code --json}, and options as the training job does.
   * Files are read and written by the cluster's processes.
   *
   * @throws org.apache.flink.client.program.ProgramParametrizationException if the job isn't
   *     accepted; its message says why
   */
  public static void main(String[] arguments) throws Exception {
    Submission.submit(NAME, List.of(arguments), EvaluationJob::add);
  }

  private static List<String> add(StreamExecutionEnvironment environment, Configuration options) {
    EvaluationArguments own = EvaluationArguments.takeFrom(options);
    build(environment, own, options);
    return List.of();
  }

  /**
   * Checks options, model and data, and adds the job to the environment: as many evaluators as its
   * parallelism.
   *
   * @throws dev.millrace.job.options.InvalidOptionsException if options or data are wrong
   * @throws dev.millrace.kafka.KafkaAccessException if the topic can't be read
   * @throws dev.millrace.model.io.InvalidModelException if the model can't be used
   */
  public static void build(
      StreamExecutionEnvironment environment,
      EvaluationArguments arguments,
      Configuration options) {
    JobOptions.checkEach(options);
    EvaluationSetup.of(arguments, options).build(environment);
  }
}
