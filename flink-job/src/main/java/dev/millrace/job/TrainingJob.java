package dev.millrace.job;

import dev.millrace.job.options.OptionCheck;
import dev.millrace.job.options.OptionReader;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The job that is submitted. */
public final class TrainingJob {

  private TrainingJob() {}

  /** For {@code flink run}: options as {@code --config FILE} and {@code --key value}. */
  public static void main(String[] arguments) throws Exception {
    Configuration options = OptionReader.read(List.of(arguments));
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    build(environment, options);
    environment.execute("Millrace");
  }

  /** Checks the options, defines the model, and wires the job into the environment. */
  public static void build(StreamExecutionEnvironment environment, Configuration options) {
    OptionCheck.check(options);
    throw new UnsupportedOperationException("The topology is not wired yet");
  }
}
