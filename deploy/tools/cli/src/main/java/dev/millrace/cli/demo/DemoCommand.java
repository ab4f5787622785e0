package dev.millrace.cli.demo;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.DataArgument;
import dev.millrace.cli.console.EngineFetch;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.PageArguments;
import dev.millrace.cli.console.StopSignal;
import dev.millrace.cli.console.WorkDirectory;
import dev.millrace.cli.run.RunArguments;
import dev.millrace.file.DataSpec;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** The arguments of {@link Demo}. */
@Command(
    name = "demo",
    header = "Trains a model on this machine, through a Kafka broker of its own.",
    description = {
      "",
      "Starts a broker, produces examples to a topic, trains on them with checkpoints, evaluates"
          + " the model and draws how it learned. Stops all it started.",
      "",
      "Every option of the job can be given as --key value:",
      "  millrace demo --exchange.schedule overlap --model.learning-rate 0.002",
      "docs/reference/options.md lists them all.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
public final class DemoCommand implements Callable<Integer> {

  /** Stands in for the broker's address while options are checked: it isn't started yet. */
  private static final String NO_BROKER_YET = "127.0.0.1:1";

  private static final long PAYMENTS = 40_000;

  @Option(
      names = "--data",
      paramLabel = "SPEC",
      description = {
        "What to learn from. Default: made card payments, whose fraud changes midway.",
        "  digits:N  N drawn digits, whose style changes midway",
        "  idx:DIR   images in MNIST's format",
        "  csv:FILE[,holdout=ROWS]  a table, laid out as --input.csv.* says"
      })
  private String spec;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "How records are written: ${COMPLETION-CANDIDATES}. Default: by the data.")
  private InputOptions.Format format;

  @Option(
      names = "--examples",
      paramLabel = "N",
      description = "Takes no more than the first N examples of the data.")
  private Long examples;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      defaultValue = "2",
      description = "Number of replicas, and of the topic's partitions. Default: ${DEFAULT-VALUE}.")
  private int parallelism;

  @Mixin private RunArguments run;

  @Mixin private PageArguments page;

  /** What is no option of the command itself is an option of the job. */
  @Unmatched private final List<String> jobOptions = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    run.requirePositive("--parallelism", parallelism);
    page.check();
    if (examples != null) {
      run.requirePositive("--examples", examples);
    }
    JobOptions.checkEach(OptionReader.read(jobOptions), run.names());
    StopSignal interrupt = StopSignal.install();
    try (WorkDirectory work = WorkDirectory.open(run.workDirectory(), "demo")) {
      DemoData data = data(work);
      Configuration options = DemoOptions.of(data, work, NO_BROKER_YET, jobOptions);
      JobOptions.check(JobKind.TRAINING, options, FlinkOptions.clusterConfiguration(options));
      EngineFetch.ensure(options);
      return new Demo(data, parallelism, jobOptions, work, run, page, interrupt).run();
    }
  }

  private DemoData data(WorkDirectory work) throws IOException {
    if (spec != null) {
      DataSpec described = DataArgument.parse(spec);
      return DemoData.open(
          described, format, examples == null ? Long.MAX_VALUE : examples, jobOptions);
    }
    Path payments = work.root().resolve("payments.csv");
    Payments.write(payments, examples == null ? PAYMENTS : examples);
    return DemoData.open(
        new DataSpec.Csv(payments, 0),
        format == null ? InputOptions.Format.JSON : format,
        Long.MAX_VALUE,
        jobOptions);
  }
}
