package dev.millrace.cli;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.FileSystems;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.JobOptionsCommand;
import dev.millrace.cli.console.PositiveNumber;
import dev.millrace.cli.console.Screen;
import dev.millrace.cli.console.StopSignal;
import dev.millrace.cli.console.StoreWait;
import dev.millrace.cli.console.WorkDirectory;
import dev.millrace.cli.report.ReportPage;
import dev.millrace.job.evaluate.AtomicFiles;
import dev.millrace.job.evaluate.report.EvaluationReport;
import dev.millrace.job.evaluate.setup.EvaluationArguments;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
      "What a cluster has measured becomes a page, too:",
      "  millrace evaluate --result s3://bucket/evaluation.json --page report.html",
      "docs/internals/evaluation.md says what the measures mean.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
final class EvaluateCommand extends JobOptionsCommand {

  @ArgGroup(multiplicity = "1")
  private Subject subject;

  /** A model to measure, or measures. */
  private static final class Subject {

    @ArgGroup(exclusive = false, multiplicity = "1")
    private ModelAndData measured;

    @Option(
        names = "--result",
        paramLabel = "FILE",
        required = true,
        description =
            "Measures that were written before, as --json writes them: makes a page of them.")
    private String result;
  }

  private static final class ModelAndData {

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
  }

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
          "Receives them as a page of HTML, too. Default: evaluate/evaluation.html in the work"
              + " directory.")
  private String page;

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

  @Override
  public Integer call() throws Exception {
    PositiveNumber.require(command(), "--parallelism", parallelism);
    StopSignal interrupt = StopSignal.install();
    FileSystems.initialize();
    try (WorkDirectory work = WorkDirectory.open(workDirectory, "evaluate")) {
      Screen screen = Screen.of(command().commandLine().getOut());
      String pagePlace = page == null ? work.evaluationPage().toString() : page;
      requireWritable("--page", pagePlace);
      if (subject.result != null) {
        writePage(subject.result, pagePlace, screen);
        return 0;
      }
      String jsonPlace = json == null ? work.evaluation().toString() : json;
      requireWritable("--json", jsonPlace);
      EvaluationArguments arguments =
          new EvaluationArguments(subject.measured.model, subject.measured.data, jsonPlace);
      Configuration options = jobOptions();
      LocalEvaluation running =
          interrupt.during(
              () ->
                  StoreWait.during(
                      arguments.model(),
                      command().commandLine().getErr(),
                      () -> LocalEvaluation.start(arguments, options, parallelism, work)));
      screen.say("Evaluating with %s tasks; the log is %s".formatted(parallelism, work.log()));
      Optional<Integer> signal = running.watch(screen, interrupt.exitCode());
      if (signal.isPresent()) {
        screen.say("Stopping; nothing is written …");
        running.cancel();
        return signal.get();
      }
      EvaluationSummary.of(read(jsonPlace)).show(screen, running.seconds());
      screen.say("Measures:    " + jsonPlace);
      writePage(jsonPlace, pagePlace, screen);
      return 0;
    }
  }

  private static void writePage(String jsonPlace, String pagePlace, Screen screen)
      throws IOException {
    EvaluationReport report;
    try {
      report = EvaluationReport.parse(read(jsonPlace));
    } catch (IOException e) {
      throw new IOException("%s can't be read: %s".formatted(jsonPlace, Reason.of(e)), e);
    }
    AtomicFiles.write(EvaluationArguments.uri(pagePlace), new ReportPage(report).write());
    screen.say("Page:        " + pagePlace);
  }

  private static String read(String place) throws IOException {
    org.apache.flink.core.fs.Path path =
        new org.apache.flink.core.fs.Path(EvaluationArguments.uri(place));
    try (InputStream in = path.getFileSystem().open(path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * Checks that a file can be written at a path of this machine; what else there is, the job finds
   * out when it writes.
   */
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
