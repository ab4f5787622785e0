package dev.millrace.job;

import dev.millrace.job.options.OptionReader;
import dev.millrace.job.setup.JobSetup;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The job that is submitted. */
public final class TrainingJob {

  private static final String NAME = "Millrace";

  private TrainingJob() {}

  /** For {@code flink run}: options as {@code --config FILE} and {@code --key value}. */
  public static void main(String[] arguments) throws Exception {
    Configuration options = OptionReader.read(List.of(arguments));
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    build(environment, options);
    environment.execute(NAME);
  }

  /**
   * Checks options, topics and model, and adds the job to the environment: as many replicas as its
   * parallelism.
   *
   * @throws dev.millrace.job.options.InvalidOptionsException if options are wrong
   * @throws dev.millrace.kafka.KafkaAccessException if topics can't be used
   * @throws dev.millrace.model.InvalidModelException if the model can't be made
   */
  public static void build(StreamExecutionEnvironment environment, Configuration options) {
    JobSetup.of(options).build(environment);
  }
}
