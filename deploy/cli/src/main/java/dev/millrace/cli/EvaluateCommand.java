package dev.millrace.cli;

import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.JobOptions;
import dev.millrace.job.options.OptionReader;
import dev.millrace.job.setup.EvaluationArguments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Measures a model on data of any size, as a Flink job in this process. */
@Command(
    name = "evaluate",
    header = "Measures a model on files or a topic, and writes a report.",
    description = {
      "",
      "What a topic's records look like, and how Kafka is reached, is said as for train, by --key"
          + " value or the same file:",
      "  millrace evaluate --model models/ --data topic:flowers-held-out --config train.yaml",
      "  millrace evaluate --model model.zip --data csv:table.csv,holdout=1000 --page report.html",
      "docs/evaluation.md tells what the measures mean.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = MillraceCli.Version.class,
    preprocessor = JobOptionWords.class)
final class EvaluateCommand implements Callable<Integer> {

  @Spec private CommandSpec command;

  @Option(
      names = "--model",
      paramLabel = "MODEL",
      required = true,
      description = {
        "An archive (.zip), or a directory that models are published in:",
        "the one that its latest.json names."
      })
  private String model;

  @Option(
      names = "--data",
      paramLabel = "DATA",
      required = true,
      description = {
        "What to measure it on:",
        "  idx:DIR        images in MNIST's format, the hold-out part",
        "  csv:FILE[,holdout=ROWS]  a table, laid out as --input.csv.* says;",
        "                           its last rows, or all",
        "  digits:N       drawn digits, the hold-out part",
        "  json:FILE      an example a line",
        "  topic:NAME     a topic, from its start to its present end",
        "Behind one of the first three, ,part=training takes the other part."
      })
  private String data;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description =
          "Receives all measures. Default: evaluate/evaluation.json in the work directory.")
  private String json;

  @Option(
      names = "--page",
      paramLabel = "FILE",
      description =
          "Receives them as a page of HTML. Default: evaluate/evaluation.html in the work"
              + " directory.")
  private String page;

  @Option(names = "--config", paramLabel = "FILE", description = "Options of the job, YAML.")
  private Path config;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description = "Evaluators that share the data. Default: as many as processors.")
  private int parallelism = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      defaultValue = "millrace-work",
      description = "Holds every other file that is written. Default: ./${DEFAULT-VALUE}.")
  private Path workDirectory;

  /** What is no option of the command itself is an option of the job. */
  @Unmatched private final List<String> jobOptions = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    if (parallelism < 1) {
      throw new ParameterException(
          command.commandLine(),
          "--parallelism is '%d'; it must be a whole number of at least 1".formatted(parallelism));
    }
    Interrupt interrupt = Interrupt.install();
    try (WorkDirectory work = WorkDirectory.open(workDirectory, "evaluate")) {
      String jsonPlace = json == null ? work.evaluation().toString() : json;
      String pagePlace = page == null ? work.evaluationPage().toString() : page;
      requireWritable("--json", jsonPlace);
      requireWritable("--page", pagePlace);
      EvaluationArguments arguments = new EvaluationArguments(model, data, jsonPlace, pagePlace);
      Configuration options = options();
      Screen screen = Screen.of(command.commandLine().getOut());
      LocalEvaluation running =
          interrupt.during(() -> LocalEvaluation.start(arguments, options, parallelism, work));
      screen.say("Evaluating with %d tasks; the log is %s".formatted(parallelism, work.log()));
      Optional<Integer> signal = running.watch(screen, interrupt.exitCode());
      if (signal.isPresent()) {
        screen.say("Stopping; nothing is written …");
        running.cancel();
        return signal.get();
      }
      EvaluationSummary.read(jsonPlace).show(screen, running.seconds());
      screen.say("Measures:    " + jsonPlace);
      screen.say("Page:        " + pagePlace);
      return 0;
    }
  }

  private Configuration options() {
    Configuration options = OptionReader.read(jobOptions, config);
    JobOptions.checkEach(options, command.optionsMap().keySet());
    return options;
  }

  /** Of a path of this machine; what else there is, the job finds out when it writes. */
  private static void requireWritable(String option, String place) {
    if (EvaluationArguments.hasScheme(place)) {
      return;
    }
    Path path = Path.of(place).toAbsolutePath();
    Path above = path.getParent();
    while (above != null && !Files.exists(above)) {
      above = above.getParent();
    }
    String problem =
        Files.isDirectory(path)
            ? "it is a directory; name a file"
            : above == null || !Files.isDirectory(above)
                ? "%s is no directory".formatted(above)
                : !Files.isWritable(above)
                    ? "this user may not write to %s".formatted(above)
                    : null;
    if (problem != null) {
      throw new InvalidOptionsException(
          List.of("%s is '%s'; %s".formatted(option, place, problem)));
    }
  }
}
