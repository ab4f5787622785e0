package dev.millrace.cli;

import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.JobCheck;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.submission.Failures;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.StateRecoveryOptions;
import picocli.CommandLine.Command;
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
      "Finds every problem that a submission would find, and shows what the job would be. Topics are"
          + " checked where a broker can be reached. A file with scoring.topics, and without an input"
          + " and a model, is that of a job that only scores; with join.features.topics, of one that"
          + " joins.",
      "  millrace check --config train.yaml --batch.size 64",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the job can be submitted",
      "1:the model, a topic or a savepoint can't be used",
      "2:options are wrong"
    },
    mixinStandardHelpOptions = true,
    versionProvider = MillraceCli.Version.class,
    preprocessor = JobOptionWords.class)
final class CheckCommand implements Callable<Integer> {

  @Spec private CommandSpec command;

  @Option(names = "--config", paramLabel = "FILE", description = "Options of the job, YAML.")
  private Path config;

  @Option(
      names = "--from",
      paramLabel = "SAVEPOINT",
      description = "A savepoint or checkpoint that the job is to resume from.")
  private String savepoint;

  /** What is no option of the command itself is an option of the job. */
  @Unmatched private final List<String> jobOptions = new ArrayList<>();

  @Override
  public Integer call() {
    Configuration options = OptionReader.read(jobOptions, config);
    FileSystems.initialize();
    EngineFetch.ensure(options);
    JobCheck check = JobCheck.of(options, cluster(options), command.optionsMap().keySet());
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    check.found().forEach(out::println);
    out.flush();
    check.warnings().forEach(warning -> err.println("Warning: " + warning));
    check.problems().forEach(problem -> err.println(Failures.explain(problem)));
    err.flush();
    if (check.problems().isEmpty()) {
      out.println("OK");
      return 0;
    }
    return check.problems().stream().anyMatch(InvalidOptionsException.class::isInstance)
        ? MillraceCli.WRONG_USAGE
        : MillraceCli.FAILED;
  }

  /** Of FLINK_CONF_DIR, where that is set, and of the options. */
  private Configuration cluster(Configuration options) {
    Configuration cluster = GlobalConfiguration.loadConfiguration();
    cluster.addAll(FlinkOptions.clusterConfiguration(options));
    if (savepoint != null) {
      cluster.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    }
    return cluster;
  }
}
