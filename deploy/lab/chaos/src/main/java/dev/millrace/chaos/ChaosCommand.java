package dev.millrace.chaos;

import dev.millrace.cli.MillraceCli;
import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.RunFailedException;
import dev.millrace.cli.console.Screen;
import dev.millrace.cli.console.StopSignal;
import dev.millrace.cli.console.WorkDirectory;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.OptionReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.flink.util.FileUtils;
import org.apache.flink.util.TimeUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Shows what a job does when everything that it needs fails, one after another. */
@Command(
    name = "chaos",
    header = "Trains while processes are killed and links are cut, and counts what is lost.",
    description = {
      "",
      "Starts ZooKeeper, two JobManagers, three TaskManagers and a Kafka broker as processes,"
          + " trains on what it produces meanwhile, and causes faults in an order that the seed"
          + " decides. Then every record is looked for in the model. Faults that need root (cut"
          + " links, a full disk) are left out without.",
      "",
      "Every option of the job can be given as --key value:",
      "  deploy/bin/chaos --duration 180s --seed 7 --exchange.preset gradient-sharing",
      "With --rebuild.log TOPIC each published model is made again, and compared.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing lost, nothing doubled, and a model as good as without faults",
      "1:training did not continue after a fault",
      "2:wrong usage",
      "3:records are missing, were taken twice, or the model is worse; or uses of rows are"
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
public final class ChaosCommand implements Callable<Integer> {

  private static final int WRONG = 3;

  @Spec private CommandSpec command;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "180s",
      description = "How long faults are caused for. Default: ${DEFAULT-VALUE}.")
  private String duration;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Decides kinds, order and times of faults. Default: any; it is printed.")
  private long seed = new Random().nextInt(1_000_000);

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "3000",
      description = "Examples a second that are produced. Default: ${DEFAULT-VALUE}.")
  private double rate;

  @Option(
      names = "--clicks",
      description = {
        "Trains embedding tables on clicks in place of digits: each row must have been used as"
            + " often as the topic has its id."
      })
  private boolean clicks;

  @Option(
      names = "--beside",
      description = {
        "Has three more jobs train on the digits: programs, from a source and from a stream, and"
            + " INSERT INTO."
      })
  private boolean beside;

  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      defaultValue = "millrace-work",
      description = "Holds every file that is written. Default: ./${DEFAULT-VALUE}.")
  private Path workDirectory;

  /** What is no option of the command itself is an option of the job. */
  @Unmatched private final List<String> jobOptions = new ArrayList<>();

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    MillraceCli.run(new ChaosCommand(), arguments);
  }

  @Override
  public Integer call() throws Exception {
    Duration time = duration();
    if (beside && clicks) {
      throw new InvalidOptionsException(
          List.of("--beside and --clicks are given; jobs beside train on digits: leave one out"));
    }
    Map<String, String> options = OptionReader.read(jobOptions).toMap();
    Screen screen = Screen.of(command.commandLine().getOut());
    try (WorkDirectory work = WorkDirectory.open(workDirectory, "chaos")) {
      Path run = work.root().resolve("run");
      FileUtils.deleteFileOrDirectory(run.toFile());
      screen.say("Seed %s, %s s; files are in %s".formatted(seed, time.toSeconds(), work.root()));
      Chaos chaos =
          new Chaos(
              new Chaos.Settings(seed, time, rate, workload(), beside, run, options), screen::say);
      ChaosVerdict verdict = StopSignal.install().during(chaos::run);
      verdict.problems().forEach(screen::say);
      screen.say(verdict.line());
      return verdict.isGood() ? 0 : WRONG;
    } catch (ChaosException e) {
      throw new RunFailedException(e.getMessage(), e);
    }
  }

  private Workload workload() {
    return clicks ? new ClicksWorkload() : new DigitsWorkload(seed);
  }

  private Duration duration() {
    try {
      return TimeUtils.parseDuration(duration);
    } catch (IllegalArgumentException e) {
      throw new InvalidOptionsException(
          List.of("--duration is '%s'; it must be a time, such as 180s".formatted(duration)));
    }
  }
}
