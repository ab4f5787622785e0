package dev.millrace.cli;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.timeline.TimelineReport;
import dev.millrace.snapshot.AtomicFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints where the time of training went, from its metrics file, and writes it as a trace. */
@Command(
    name = "timeline",
    header = "Shows where the time of training went, round by round.",
    description = {
      "",
      "Reads the timelines that a job with metrics.timeline: true writes to its metrics.file:",
      "  millrace demo --metrics.timeline true",
      "  millrace timeline millrace-work/demo/metrics.jsonl",
      "Prints a summary, and writes a file that https://ui.perfetto.dev opens.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class)
final class TimelineCommand implements Callable<Integer> {

  /** The most rounds that a file has: of more it would be too large for a browser. */
  private static final int MOST_ROUNDS = 100_000;

  @Spec private CommandSpec command;

  @Parameters(paramLabel = "METRICS", description = "A file of metric records, JSON lines.")
  private Path metrics;

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "Receives the trace. Default: timeline.json beside the metrics.")
  private Path to;

  @Option(
      names = "--last",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Rounds at the end that the trace has. Default: ${DEFAULT-VALUE}.")
  private int last;

  @Option(names = "--json", description = "Prints the figures as one JSON object, for programs.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    if (last < 1 || last > MOST_ROUNDS) {
      throw new ParameterException(
          command.commandLine(),
          "--last is '%s'; it must be a whole number from 1 to %s".formatted(last, MOST_ROUNDS));
    }
    Path trace = to == null ? metrics.resolveSibling("timeline.json") : to;
    if (Files.exists(metrics) && Files.exists(trace) && Files.isSameFile(trace, metrics)) {
      throw new ParameterException(
          command.commandLine(), "--to is '%s', the file that is read".formatted(to));
    }
    TimelineReport report = TimelineReport.read(metrics, last);
    report.note().ifPresent(note -> command.commandLine().getErr().println("Note: " + note));
    write(trace, report);
    command.commandLine().getOut().println(json ? report.toJson() : report.toText());
    if (!json) {
      command.commandLine().getOut().println("Trace:       " + trace);
    }
    return 0;
  }

  private static void write(Path trace, TimelineReport report) throws IOException {
    try (AtomicFile file = AtomicFile.create(trace, true)) {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file.unfinished()))) {
        report.writeTrace(out);
      }
      file.commit();
    }
  }
}
