package dev.millrace.cli;

import dev.millrace.cli.console.PositiveNumber;
import dev.millrace.job.serve.Batching;
import dev.millrace.job.serve.Limits;
import dev.millrace.job.serve.PredictionRuntime;
import java.time.Duration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.util.TimeUtils;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Options that say how a server predicts, and what clients may ask for. */
final class ServingArguments {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--predictors",
      paramLabel = "N",
      description =
          "Threads that predict, with a copy of the model each where its engine predicts. Default:"
              + " as many as processors.")
  private int predictors = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--runtime",
      paramLabel = "RUNTIME",
      defaultValue = "auto",
      description =
          "What predicts, of ${COMPLETION-CANDIDATES}: ONNX Runtime where it is there and predicts"
              + " with a model as its engine does, else the engine (default); the engine; or ONNX"
              + " Runtime alone, which refuses other models.")
  private PredictionRuntime runtime;

  @Option(
      names = "--max-batch",
      paramLabel = "ROWS",
      defaultValue = "64",
      description = "Most rows that are predicted at once. Default: ${DEFAULT-VALUE}.")
  private int maxBatch;

  @Option(
      names = "--max-wait",
      paramLabel = "TIME",
      defaultValue = "0ms",
      converter = Time.class,
      description =
          "How long a request waits for others to be predicted with. Default: ${DEFAULT-VALUE},"
              + " those that came while predictors were busy.")
  private Duration maxWait;

  @Option(
      names = "--max-queue",
      paramLabel = "ROWS",
      defaultValue = "1024",
      description =
          "Most rows that wait; further requests are refused with 503. Default: ${DEFAULT-VALUE}.")
  private int maxQueue;

  @Option(
      names = "--max-rows",
      paramLabel = "ROWS",
      defaultValue = "1024",
      description = "Most rows of a request. Default: ${DEFAULT-VALUE}.")
  private int maxRows;

  @Option(
      names = "--max-body",
      paramLabel = "SIZE",
      defaultValue = "16mb",
      converter = Size.class,
      description = "Most bytes of a request. Default: ${DEFAULT-VALUE}.")
  private MemorySize maxBody;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = Time.class,
      description =
          "From a request's first byte to its answer, which is 504 then. Default:"
              + " ${DEFAULT-VALUE}.")
  private Duration timeout;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Open at once, half of them from one address. A further one takes the place of that which"
              + " has waited longest for a request. Default: ${DEFAULT-VALUE}.")
  private int maxConnections;

  @Option(
      names = "--drain",
      paramLabel = "TIME",
      defaultValue = "0ms",
      converter = Time.class,
      description =
          "When asked to stop, say for so long that the server isn't ready, and answer still."
              + " Default: ${DEFAULT-VALUE}.")
  private Duration drain;

  PredictionRuntime runtime() {
    return runtime;
  }

  Batching batching() {
    PositiveNumber.require(command, "--predictors", predictors);
    PositiveNumber.require(command, "--max-batch", maxBatch);
    PositiveNumber.require(command, "--max-queue", maxQueue);
    return new Batching(predictors, maxBatch, maxWait, maxQueue);
  }

  Limits limits() {
    PositiveNumber.require(command, "--max-rows", maxRows);
    PositiveNumber.require(command, "--max-body", maxBody.getBytes());
    PositiveNumber.require(command, "--max-connections", maxConnections);
    if (timeout.isZero()) {
      throw new ParameterException(
          command.commandLine(), "--timeout is '0'; it must be more, such as 10s");
    }
    return new Limits(maxBody.getBytes(), maxRows, timeout, maxConnections, drain);
  }

  /** Reads times as the job's options have them. */
  static final class Time implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
      try {
        return TimeUtils.parseDuration(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'%s' is no time such as 5ms or 10s".formatted(text));
      }
    }
  }

  /** Reads sizes as the job's options have them. */
  static final class Size implements ITypeConverter<MemorySize> {

    @Override
    public MemorySize convert(String text) {
      try {
        return MemorySize.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'%s' is no size such as 16mb".formatted(text));
      }
    }
  }
}
