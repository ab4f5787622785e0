package dev.millrace.cli.forget;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.FileSystems;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.JobOptionsCommand;
import dev.millrace.cli.console.ReadingLine;
import dev.millrace.cli.console.Sha256;
import dev.millrace.cli.console.StopSignal;
import dev.millrace.cli.models.Json;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.savepoint.SavedTraining;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.RecordFormats;
import dev.millrace.fields.RecordObjects;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.train.rebuild.Forgetting;
import dev.millrace.job.train.rebuild.RebuildJob;
import dev.millrace.kafka.topic.TopicValues;
import dev.millrace.model.Ledger;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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

  private static final int SALT_BYTES = 16;

  @Parameters(paramLabel = "SAVEPOINT", description = "State of the stopped job.")
  private String savepoint;

  @Option(names = "--key", paramLabel = "KEY", description = "Records of this key.")
  private List<String> keys = List.of();

  @Option(
      names = "--where",
      paramLabel = "FIELD=VALUE",
      description = "Records in which a field has this value, an input field or not.")
  private List<String> fields = List.of();

  @Option(
      names = "--offsets",
      paramLabel = "FILE",
      description =
          "Records of these places, a line for each: 'clicks 0:1200' or 'clicks 0:1200+32'.")
  private List<Path> offsets = List.of();

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
    FileSystems.initialize();
    return StopSignal.install().during(() -> forget(new RebuildJob(options)));
  }

  private int forget(RebuildJob job) throws IOException {
    SavedTraining saved = RebuildJob.saved(savepoint);
    requireFree();
    FoundRecords found = find(job, saved);
    tell(found, saved.head().version());
    if (found.known().isEmpty()) {
      say("Nothing is forgotten");
      return dryRun ? 0 : NOTHING;
    }
    if (dryRun) {
      return 0;
    }
    List<SavedTraining> states = new ArrayList<>();
    for (String path : earlier) {
      states.add(RebuildJob.saved(path));
    }
    Forgetting forgetting = new Forgetting(job, saved);
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
    tell(outcome, found, (System.nanoTime() - begun) * 1e-9, job.options());
    return 0;
  }

  private void requireFree() throws IOException {
    if (certificate != null && Files.exists(certificate)) {
      throw new IOException("%s is there already; name another file".formatted(certificate));
    }
  }

  private FoundRecords find(RebuildJob job, SavedTraining saved) throws IOException {
    RecordSet named = new RecordSet();
    for (Path file : offsets) {
      named.addAll(OffsetsFile.read(file));
    }
    Ledger taken = saved.taken();
    taken.merge(saved.waiting());
    List<RecordCondition> conditions = conditions(job.options(), named);
    FoundRecords found = new FoundRecords(conditions, taken);
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
    found.addGone(named);
    for (RecordCondition condition : conditions) {
      if (condition instanceof FieldCondition field && !field.isSeen()) {
        say("No record has the field %s".formatted(field));
      }
    }
    return found;
  }

  private List<RecordCondition> conditions(Configuration options, RecordSet named) {
    List<RecordCondition> conditions = new ArrayList<>();
    keys.forEach(key -> conditions.add(RecordCondition.key(key)));
    if (!fields.isEmpty()) {
      RecordObjects objects = objects(options);
      fields.forEach(field -> conditions.add(condition(field, options, objects)));
    }
    if (!named.isEmpty()) {
      conditions.add(RecordCondition.among(named));
    }
    if (conditions.isEmpty()) {
      throw wrong("Which records are meant? Give --key, --where or --offsets");
    }
    return conditions;
  }

  private RecordObjects objects(Configuration options) {
    try {
      return RecordFormats.objects(options.get(InputOptions.FORMAT), InputFields.input(options));
    } catch (IllegalArgumentException e) {
      throw wrong("--where can't look into records: " + e.getMessage());
    }
  }

  private RecordCondition condition(String given, Configuration options, RecordObjects objects) {
    int equals = given.indexOf('=');
    if (equals < 1) {
      throw wrong(
          "--where is '%s'; give a field and its value, such as customer=17".formatted(given));
    }
    try {
      FieldPath field = FieldPath.of(given.substring(0, equals));
      return new FieldCondition(
          options.get(InputOptions.ENVELOPE).row().append(field),
          given.substring(equals + 1),
          objects);
    } catch (IllegalArgumentException e) {
      throw wrong("--where: " + e.getMessage());
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command().commandLine(), message);
  }

  private void tell(FoundRecords found, ModelVersion version) {
    say(
        String.format(
            Locale.ROOT,
            "Model %s has learned %,d of the records that are meant, or was about to",
            version,
            found.known().count()));
    if (found.later() > 0) {
      say(
          String.format(
              Locale.ROOT,
              "%,d more are in the topics, and a job that goes on will learn them",
              found.later()));
    }
    if (found.gone() > 0) {
      say(
          String.format(
              Locale.ROOT,
              "%,d records that it has learned aren't in the topics any more: --key and --where can't"
                  + " find those; name them by --offsets",
              found.gone()));
    }
  }

  private void tell(
      Forgetting.Outcome outcome, FoundRecords found, double seconds, Configuration options)
      throws IOException {
    List<ModelVersion> published = published(options, found.known());
    ModelVersion after = outcome.after().version();
    Path file = certificate == null ? Path.of("forgotten-" + after + ".json") : certificate;
    String salt = salt();
    Certificate told =
        new Certificate(
            Instant.now().toString(),
            savepoint,
            outcome.savepoint(),
            outcome.begunAt().map(ModelVersion::toString).orElse(null),
            selectors(salt),
            found.known().count(),
            found.gone(),
            byTopic(found.known()),
            found.sha256(),
            Certificate.Model.of(outcome.before()),
            Certificate.Model.of(outcome.after()),
            seconds,
            published == null ? null : published.stream().map(ModelVersion::toString).toList());
    say(
        String.format(
            Locale.ROOT,
            "Model %s is %s without them, made again from %s in %.1f s",
            after,
            outcome.before().version(),
            outcome.begunAt().map(version -> "version " + version).orElse("the start of the job"),
            seconds));
    say("  parameters before  " + told.before().digest().parameters());
    say("  parameters after   " + told.after().digest().parameters());
    Files.writeString(file, Json.write(told) + "\n");
    say(
        "The certificate is %s. The salt of its selectors is %s: whoever has it can try who is meant"
            .formatted(file, salt));
    if (published != null && !published.isEmpty()) {
      say(
          "%s models in %s may have learned them, %s to %s: delete them where nobody may have them"
              .formatted(
                  published.size(),
                  options.get(SnapshotOptions.DIRECTORY),
                  published.get(0),
                  published.get(published.size() - 1)));
    }
  }

  /** Returns models that may have learned a record; null where that can't be found out. */
  private List<ModelVersion> published(Configuration options, RecordSet records) {
    if (!options.contains(SnapshotOptions.DIRECTORY)) {
      return null;
    }
    try {
      return KnowingModels.of(options.get(SnapshotOptions.DIRECTORY), records);
    } catch (IOException e) {
      say("Which published models have learned them can't be found out: " + e.getMessage());
      return null;
    }
  }

  private static String salt() {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return HexFormat.of().formatHex(salt);
  }

  /** A certificate doesn't tell who is forgotten, and can be checked against who it is. */
  private List<String> selectors(String salt) throws IOException {
    List<String> selectors = new ArrayList<>();
    keys.forEach(key -> selectors.add(selector(salt, "key:" + key)));
    fields.forEach(field -> selectors.add(selector(salt, "field:" + field)));
    for (Path file : offsets) {
      selectors.add(selector(salt, Files.readString(file)));
    }
    return selectors;
  }

  private static String selector(String salt, String text) {
    return Sha256.of((salt + text).getBytes(StandardCharsets.UTF_8));
  }

  private static Map<String, List<String>> byTopic(RecordSet records) {
    Map<String, List<String>> offsets = new LinkedHashMap<>();
    for (RecordRun run : records.runs()) {
      offsets.computeIfAbsent(run.topic(), any -> new ArrayList<>()).add(run.text());
    }
    return offsets;
  }

  private void say(String line) {
    command().commandLine().getOut().println(line);
  }
}
