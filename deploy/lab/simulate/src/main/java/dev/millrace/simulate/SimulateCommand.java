package dev.millrace.simulate;

import dev.millrace.cli.MillraceCli;
import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.Screen;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Simulates jobs, and looks whether their invariants hold. */
@Command(
    name = "simulate",
    header = "Simulates whole jobs while everything fails, and counts what is lost.",
    description = {
      "",
      "Each run is a job in virtual time, with the real operators: what it is made of, and what"
          + " is done to it, its seed decides. A seed and a commit repeat a run to the bit.",
      "",
      "  deploy/bin/simulate --seconds 60",
      "  deploy/bin/simulate --seed 7 --runs 1 --trace",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every invariant held in every run",
      "1:one didn't; its seed is told, and the fewest faults that do it",
      "2:wrong usage"
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class)
public final class SimulateCommand implements Callable<Integer> {

  @Spec private CommandSpec command;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Begins runs for so long. Default: 60, unless --runs is given.")
  private Long seconds;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Makes so many runs at most. Default: any number, or 1 with --seed alone.")
  private Long runs;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Seed of the first run; each following has the next number. Default: any; it is printed.")
  private Long seed;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Runs at a time. Default: one a processor.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(names = "--trace", description = "Prints what happens in one run, in words.")
  private boolean trace;

  @Option(
      names = "--faults",
      paramLabel = "N,N",
      description = "Only these faults of one run strike, by number; none for none.")
  private String faults;

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    MillraceCli.run(new SimulateCommand(), arguments);
  }

  @Override
  public Integer call() throws Exception {
    Screen screen = Screen.of(command.commandLine().getOut());
    long first = seed == null ? new Random().nextInt(1_000_000) : seed;
    if (trace || faults != null) {
      return one(screen, first);
    }
    boolean single = seed != null && runs == null && seconds == null;
    long most = runs == null ? (single ? 1 : Long.MAX_VALUE) : runs;
    long limit = seconds == null ? (most == Long.MAX_VALUE ? 60 : Long.MAX_VALUE) : seconds;
    screen.say("The first seed is %s".formatted(first));
    Campaign campaign =
        new Campaign(
            new Campaign.Settings(first, most, TimeUnit.SECONDS.toNanos(limit), threads),
            screen::say);
    boolean good = campaign.run();
    screen.say(campaign.totals().details());
    screen.say(campaign.totals().line());
    return good ? 0 : 1;
  }

  private Integer one(Screen screen, long number) {
    Run.Result result = new Run(number, kept(), trace ? screen::say : null).run();
    Totals totals = new Totals(number);
    totals.add(result);
    if (result.violationOrNull() != null) {
      screen.say("Seed %s fails: %s".formatted(number, result.violationOrNull().getMessage()));
    }
    screen.say(totals.line());
    return result.violationOrNull() == null ? 0 : 1;
  }

  private IntPredicate kept() {
    if (faults == null) {
      return any -> true;
    }
    Set<Integer> numbers =
        Arrays.stream(faults.split(","))
            .filter(number -> !number.equals("none"))
            .map(Integer::valueOf)
            .collect(Collectors.toSet());
    return numbers::contains;
  }
}
