package dev.millrace.cli.console;

import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** A command that takes options of a job. No mixin, which can't take what is unmatched. */
public abstract class JobOptionsCommand implements Callable<Integer> {

  @Spec private CommandSpec command;

  @Option(names = "--config", paramLabel = "FILE", description = "Options of the job, YAML.")
  private Path config;

  /** What is no option of the command itself is an option of the job. */
  @Unmatched private final List<String> jobOptions = new ArrayList<>();

  public final CommandSpec command() {
    return command;
  }

  /**
   * The file's options alone.
   *
   * @throws dev.millrace.job.options.InvalidOptionsException if they can't be read
   */
  public final Configuration fileOptions() {
    return OptionReader.read(List.of(), config);
  }

  /**
   * The file's options and those beside it, which win; each is checked by itself.
   *
   * @throws dev.millrace.job.options.InvalidOptionsException if they can't be read, or one is wrong
   */
  public final Configuration jobOptions() {
    Configuration options = OptionReader.read(jobOptions, config);
    JobOptions.checkEach(options, command.optionsMap().keySet());
    return options;
  }
}
