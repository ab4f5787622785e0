package dev.millrace.cli.forget;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.FileSystems;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.JobOptionsCommand;
import dev.millrace.cli.console.ReadingLine;
import dev.millrace.cli.console.StopSignal;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.savepoint.SavedTraining;
import dev.millrace.job.train.rebuild.Forgetting;
import dev.millrace.job.train.rebuild.RebuildJob;
import dev.millrace.kafka.topic.TopicValues;
import dev.millrace.model.Ledger;
import dev.millrace.snapshot.AtomicFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes records out of a job's model, by training again without them. */
@Command(
    name = "forget",
    header = "Takes records out of a model that has learned them.",
    description = {
      "",
      "Makes the state of a stopped job again, as if some records had never been in its topics, and"
          + " writes a savepoint from which the job goes on. It takes rebuild.log, and the topics'"
          + " records.",
      "  millrace forget savepoints/savepoint-3f --where customer=17 --config train.yaml",
      "  millrace forget savepoints/savepoint-3f --key 17 --from savepoints/savepoint-1a --config"
          + " train.yaml",
      "A record is meant if any of the choices is right for it.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:forgotten, or looked for",
      "1:they couldn't be forgotten",
      "2:wrong usage",
      "3:the model has learned no such record, so nothing is changed"
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
public final class ForgetCommand extends JobOptionsCommand {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int NOTHING = 3;

  /** Records between two times that progress is shown. */
  private static final int OFTEN = 10_000;

  @Parameters(paramLabel = "SAVEPOINT", description = "State of the stopped job.")
  private String savepoint;

  @Mixin private RecordChoice choice;

  @Option(
      names = "--from",
      paramLabel = "SAVEPOINT",
      description =
          "Older state of the job to begin at. The newest that knows none of the records is taken;"
              + " without one it begins with the job.")
  private List<String> earlier = List.of();

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description = "Says what was forgotten; forgotten-VERSION.json unless given.")
  private Path certificate;

  @Option(
      names = "--dry-run",
      description = "Tells what the model has learned of the records, and changes nothing.")
  private boolean dryRun;

  private long read;

  @Override
  public Integer call() throws Exception {
    Configuration options = jobOptions();
    if (!dryRun) {
      requirePlaceOfCertificate();
    }
    FileSystems.initialize();
    return StopSignal.install().during(() -> forget(new RebuildJob(options)));
  }

  private int forget(RebuildJob job) throws IOException {
    RecordSet named = choice.named();
    List<RecordCondition> conditions = choice.conditions(job.options(), named);
    SavedTraining saved = RebuildJob.saved(savepoint);
    List<SavedTraining> states = new ArrayList<>();
    for (String path : earlier) {
      states.add(RebuildJob.saved(path));
    }
    Forgetting forgetting = new Forgetting(job, saved);
    if (!dryRun) {
      forgetting.requireBeginning(states.isEmpty());
      saved.requireWritable();
    }
    FoundRecords found = new FoundRecords(conditions, taken(saved), forgetting.forgotten());
    find(found, job, conditions);
    found.addNamed(named);
    ForgetReport report = new ForgetReport(this::say, job.options());
    report.tell(found, saved.head().version());
    if (found.known().isEmpty()) {
      say("Nothing is forgotten");
      return dryRun ? 0 : NOTHING;
    }
    if (dryRun) {
      return 0;
    }
    if (forgetting.hasGoneOn()) {
      say(
          "The job has gone on behind this savepoint. What it has learned since won't be in the new"
              + " one");
    }
    long begun = System.nanoTime();
    Forgetting.Outcome outcome;
    try (ReadingLine line = new ReadingLine(command().commandLine().getErr())) {
      outcome =
          forgetting.forget(
              found.known(),
              states,
              this::say,
              (version, done, all, model) -> {
                line.rounds(done, all);
                return true;
              });
    }
    say("The job goes on from " + outcome.savepoint());
    double seconds = (System.nanoTime() - begun) * 1e-9;
    report.tell(outcome, found, choice, savepoint, seconds, certificate);
    return 0;
  }

  /** Whether it can be written is found out before the work of hours. */
  private void requirePlaceOfCertificate() throws IOException {
    Path place = certificate != null ? certificate : Path.of("forgotten.json");
    AtomicFile.create(place, certificate == null).close();
  }

  private static Ledger taken(SavedTraining saved) throws IOException {
    Ledger taken = saved.taken();
    taken.merge(saved.waiting());
    return taken;
  }

  private void find(FoundRecords found, RebuildJob job, List<RecordCondition> conditions) {
    try (ReadingLine line = new ReadingLine(command().commandLine().getErr())) {
      TopicValues.records(
          job.input().fromItsBeginning(),
          LIMIT,
          record -> {
            found.look(record);
            if (++read % OFTEN == 0) {
              line.records(OFTEN);
            }
          });
    }
    for (RecordCondition condition : conditions) {
      if (condition instanceof FieldCondition field && !field.isSeen()) {
        say("No record has the field %s".formatted(field));
      }
    }
  }

  private void say(String line) {
    command().commandLine().getOut().println(line);
  }
}
