package dev.millrace.cli;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.EngineFetch;
import dev.millrace.cli.console.FileSystems;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.PositiveNumber;
import dev.millrace.cli.console.PreparedJob;
import dev.millrace.cli.run.ResumeArguments;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.setup.OptionReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Checks a job as its submission would. */
@Command(
    name = "check",
    header = "Checks options, model, hold-out set and topics of a job, and starts nothing.",
    description = {
      "",
      "Finds every problem that a submission would find, and shows what the job would be. A file"
          + " with scoring.topics, and without an input and a model, is that of a job that only"
          + " scores; with join.features.topics, of one that joins.",
      "  millrace check --config train.yaml --batch.size 64",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the job can be submitted",
      "1:the model, a topic or a savepoint can't be used",
      "2:options are wrong",
      "3:no problem was found, but something couldn't be checked, such as topics without a broker"
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
final class CheckCommand implements Callable<Integer> {

  @Spec private CommandSpec command;

  @Option(names = "--config", paramLabel = "FILE", description = "Options of the job, YAML.")
  private Path config;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description = "Replicas, as train has them. Nothing that is checked depends on it.")
  private Integer parallelism;

  @Mixin private ResumeArguments resume;

  /** What is no option of the command itself is an option of the job. */
  @Unmatched private final List<String> jobOptions = new ArrayList<>();

  @Override
  public Integer call() {
    if (parallelism != null) {
      PositiveNumber.require(command, "--parallelism", parallelism);
    }
    Configuration options = OptionReader.read(jobOptions, config);
    FileSystems.initialize();
    EngineFetch.ensure(options);
    return PreparedJob.check(options, cluster(options), command);
  }

  /** Returns the configuration of FLINK_CONF_DIR, where that is set, and of the options. */
  private Configuration cluster(Configuration options) {
    Configuration cluster = GlobalConfiguration.loadConfiguration();
    cluster.addAll(FlinkOptions.clusterConfiguration(options));
    resume.applyTo(cluster);
    return cluster;
  }
}
