package dev.millrace.cli.forget;

import dev.millrace.cli.models.Json;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.train.rebuild.Forgetting;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;

/** Tells what a model knows of some records, and what became of it without them. */
final class ForgetReport {

  private static final int SALT_BYTES = 16;

  private final Consumer<String> say;
  private final Configuration options;

  /**
   * @param say takes a line for a person
   * @param options of the job
   */
  ForgetReport(Consumer<String> say, Configuration options) {
    this.say = say;
    this.options = options;
  }

  /** Tells what was found. */
  void tell(FoundRecords found, ModelVersion version) {
    say.accept(
        String.format(
            Locale.ROOT,
            "Model %s has learned %,d of the records that are meant, or was about to",
            version,
            found.known().count()));
    if (!found.before().isEmpty()) {
      say.accept(
          String.format(
              Locale.ROOT,
              "%,d of the records that are meant were forgotten before",
              found.before().count()));
    }
    if (!found.unknown().isEmpty()) {
      RecordRun first = found.unknown().runs().get(0);
      say.accept(
          String.format(
              Locale.ROOT,
              "It hasn't learned %,d of those that --offsets names, such as '%s %s': look whether"
                  + " topics, partitions and offsets are right",
              found.unknown().count(),
              first.topic(),
              first.text()));
    }
    if (found.later() > 0) {
      say.accept(
          String.format(
              Locale.ROOT,
              "%,d more are in the topics, and a job that goes on will learn them",
              found.later()));
    }
    if (found.gone() > 0) {
      say.accept(
          String.format(
              Locale.ROOT,
              "%,d records that it has learned aren't in the topics any more%s: --key and --where"
                  + " can't find those; name them by --offsets",
              found.gone(),
              found.forgottenAndGone() > 0
                  ? String.format(
                      Locale.ROOT,
                      ", of which up to %,d were forgotten before",
                      found.forgottenAndGone())
                  : ""));
    }
  }

  /**
   * Tells what was forgotten, and writes a certificate of it.
   *
   * @param savepoint that had learned the records
   * @param certificateOrNull its file; null for one in this directory
   */
  void tell(
      Forgetting.Outcome outcome,
      FoundRecords found,
      RecordChoice choice,
      String savepoint,
      double seconds,
      Path certificateOrNull)
      throws IOException {
    List<ModelVersion> published = published(found.known());
    ModelVersion after = outcome.after().version();
    Path file = certificateOrNull == null ? free("forgotten-" + after) : certificateOrNull;
    String salt = salt();
    Certificate told =
        new Certificate(
            Instant.now().toString(),
            savepoint,
            outcome.savepoint(),
            outcome.begunAt().map(ModelVersion::toString).orElse(null),
            choice.selectors(salt),
            found.known().count(),
            found.gone(),
            found.unknown().count(),
            byTopic(found.known()),
            found.sha256(),
            Certificate.Model.of(outcome.before()),
            Certificate.Model.of(outcome.after()),
            seconds,
            published == null ? null : published.stream().map(ModelVersion::toString).toList());
    say.accept(
        String.format(
            Locale.ROOT,
            "Model %s is %s without them, made again from %s in %.1f s",
            after,
            outcome.before().version(),
            outcome.begunAt().map(version -> "version " + version).orElse("the start of the job"),
            seconds));
    say.accept("  parameters before  " + told.before().digest().parameters());
    say.accept("  parameters after   " + told.after().digest().parameters());
    try (AtomicFile written = AtomicFile.create(file, false)) {
      Files.writeString(written.unfinished(), Json.write(told) + "\n");
      written.commit();
    }
    say.accept(
        "The certificate is %s. The salt of its selectors is %s: whoever has it can try who is meant"
            .formatted(file, salt));
    if (published != null && !published.isEmpty()) {
      say.accept(
          "%s models in %s may have learned them, %s to %s: delete them where nobody may have them"
              .formatted(
                  published.size(),
                  options.get(SnapshotOptions.DIRECTORY),
                  published.get(0),
                  published.get(published.size() - 1)));
    }
  }

  /** Returns a file of this name, or of the next that is free: another job may have it, too. */
  private static Path free(String name) {
    Path file = Path.of(name + ".json");
    for (int number = 2; Files.exists(file); number++) {
      file = Path.of("%s-%s.json".formatted(name, number));
    }
    return file;
  }

  /** Returns models that may have learned a record; null where that can't be found out. */
  private List<ModelVersion> published(RecordSet records) {
    if (!options.contains(SnapshotOptions.DIRECTORY)) {
      return null;
    }
    try {
      return KnowingModels.of(options.get(SnapshotOptions.DIRECTORY), records);
    } catch (IOException e) {
      say.accept("Which published models have learned them can't be found out: " + e.getMessage());
      return null;
    }
  }

  private static String salt() {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return HexFormat.of().formatHex(salt);
  }

  private static Map<String, List<String>> byTopic(RecordSet records) {
    Map<String, List<String>> offsets = new LinkedHashMap<>();
    for (RecordRun run : records.runs()) {
      offsets.computeIfAbsent(run.topic(), any -> new ArrayList<>()).add(run.text());
    }
    return offsets;
  }
}
