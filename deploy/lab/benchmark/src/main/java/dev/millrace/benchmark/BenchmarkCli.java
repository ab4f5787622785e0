package dev.millrace.benchmark;

import dev.millrace.benchmark.continual.Continual;
import dev.millrace.benchmark.figure.Accuracy;
import dev.millrace.benchmark.figure.Checkpoints;
import dev.millrace.benchmark.figure.EngineAccuracy;
import dev.millrace.benchmark.figure.Engines;
import dev.millrace.benchmark.figure.Exchange;
import dev.millrace.benchmark.figure.Goodput;
import dev.millrace.benchmark.figure.InputPath;
import dev.millrace.benchmark.figure.Lab;
import dev.millrace.benchmark.figure.Peers;
import dev.millrace.benchmark.figure.Programs;
import dev.millrace.benchmark.figure.Scaling;
import dev.millrace.benchmark.stack.BenchmarkFailure;
import dev.millrace.benchmark.stack.Checkout;
import dev.millrace.model.io.TemporaryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures Millrace, and writes what it finds as pages, charts and JSON. */
@Command(
    name = "deploy/lab/benchmark/run",
    header = "Measures this checkout beside its peers, and writes pages of it.",
    description = {
      "",
      "Needs the machine for itself: the load before and after is part of every page.",
      ""
    },
    mixinStandardHelpOptions = true)
public final class BenchmarkCli implements Callable<Integer> {

  /** What can be measured, in the order in which it is. */
  enum Benchmark {
    PEERS,
    PROGRAMS,
    ACCURACY,
    ENGINES,
    EXCHANGE,
    INPUT,
    CHECKPOINTS,
    GOODPUT,
    SCALING,
    CONTINUAL
  }

  @Spec private CommandSpec command;

  @Parameters(
      paramLabel = "BENCHMARK",
      description =
          "Of ${COMPLETION-CANDIDATES}. Default: all; ACCURACY only with --fashion-mnist.")
  private List<Benchmark> chosen = List.of();

  @Option(
      names = "--repetitions",
      defaultValue = "5",
      description = "Of every measurement. Default: ${DEFAULT-VALUE}.")
  private int repetitions;

  @Option(
      names = "--scale",
      defaultValue = "1",
      description = "Length of each measurement, 1 as published. Default: ${DEFAULT-VALUE}.")
  private double scale;

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "NAME",
      description =
          "Of PEERS, PROGRAMS, ENGINES and GOODPUT: lenet-32, lenet-128, mlp-128, mlp-32, table-32. Of INPUT: formats,"
              + " fields-json, fields-avro, fields-protobuf and those without fields. Of CONTINUAL:"
              + " streams, population, drift, split, permuted. Default: all.")
  private Set<String> workloads = Set.of();

  @Option(
      names = "--fashion-mnist",
      paramLabel = "DIR",
      description =
          "The four files of Fashion-MNIST, for PROGRAMS, ACCURACY, ENGINES and CONTINUAL.")
  private Path fashionMnist;

  @Option(
      names = "--streams",
      paramLabel = "DIR",
      description =
          "Tables for CONTINUAL: electricity, noaa_weather, phishing, covtype_first10k (.csv.gz).")
  private Path streams;

  @Option(
      names = "--to",
      paramLabel = "DIR",
      defaultValue = "docs/benchmarks",
      description = "Receives the pages. Default: ${DEFAULT-VALUE}.")
  private Path pages;

  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      description = "For files of the meantime. Default: a new one below the system's.")
  private Path workDirectory;

  public static void main(String[] arguments) {
    CommandLine line =
        new CommandLine(new BenchmarkCli()).setCaseInsensitiveEnumValuesAllowed(true);
    line.setExecutionExceptionHandler(
        (failure, commandLine, parsed) -> {
          if (failure instanceof BenchmarkFailure) {
            commandLine.getErr().println(failure.getMessage());
            return 1;
          }
          throw failure;
        });
    System.exit(line.execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    if (repetitions < 1 || !(scale > 0)) {
      throw new ParameterException(
          command.commandLine(), "--repetitions must be at least 1, and --scale above 0");
    }
    Set<Benchmark> wanted =
        chosen.isEmpty() ? EnumSet.allOf(Benchmark.class) : EnumSet.copyOf(chosen);
    for (Benchmark benchmark : List.of(Benchmark.PROGRAMS, Benchmark.ACCURACY)) {
      if (fashionMnist == null && wanted.remove(benchmark) && !chosen.isEmpty()) {
        throw new ParameterException(
            command.commandLine(),
            benchmark + " needs --fashion-mnist, a directory with its four files");
      }
    }
    Path directory =
        workDirectory == null
            ? TemporaryFiles.directory("millrace-benchmark-")
            : Files.createDirectories(workDirectory).toAbsolutePath();
    try (Stream<Path> old = Files.list(directory)) {
      if (old.findAny().isPresent()) {
        throw new ParameterException(
            command.commandLine(),
            "%s isn't empty; what is in it would be measured, too".formatted(directory));
      }
    }
    Lab lab =
        new Lab(
            new Checkout(Path.of(System.getProperty("millrace.checkout", "")).toAbsolutePath()),
            directory,
            pages,
            repetitions,
            scale,
            command.commandLine().getOut());
    for (Benchmark benchmark : wanted) {
      measure(benchmark, lab);
    }
    return 0;
  }

  private void measure(Benchmark benchmark, Lab lab) throws IOException {
    switch (benchmark) {
      case PEERS -> new Peers(lab, workloads).measure();
      case PROGRAMS -> new Programs(lab, workloads, fashionMnist).measure();
      case ACCURACY -> new Accuracy(lab, fashionMnist).measure();
      case ENGINES -> engines(lab);
      case EXCHANGE -> new Exchange(lab).measure();
      case INPUT -> new InputPath(lab, workloads).measure();
      case CHECKPOINTS -> new Checkpoints(lab).measure();
      case GOODPUT -> new Goodput(lab, workloads).measure();
      case SCALING -> new Scaling(lab).measure();
      case CONTINUAL -> new Continual(lab, workloads, streams, fashionMnist).measure();
    }
  }

  private void engines(Lab lab) throws IOException {
    if (fashionMnist != null) {
      new EngineAccuracy(lab, fashionMnist).measure();
    }
    new Engines(lab, workloads).measure();
  }
}
