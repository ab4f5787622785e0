package dev.millrace.simulate.check;

import dev.millrace.model.ModelVersion;
import dev.millrace.simulate.job.WrittenFile;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.SnapshotDescription;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What has to hold of a place of models, file by file as they are written. */
final class Publications {

  static final String POINTERS = "10 pointers never go back";
  static final String ONE = "10 no two models have one version";
  static final String COVERED = "10 what is committed is in a completed checkpoint";
  static final String WHOLE = "1, 2 a published model has each record once";

  private static final Pattern VERSION = Pattern.compile("\"version\"\\s*:\\s*\"([0-9.]+)\"");
  private static final Pattern HELD = Pattern.compile("\"held\"\\s*:\\s*true");
  private static final String LATEST = "latest.json";
  private static final String COMMITTED = "committed.json";

  private final Checks checks;
  private final Ledgers ledgers;
  private final Map<String, ModelVersion> pointers = new HashMap<>();
  private final Map<String, byte[]> archives = new HashMap<>();
  private ModelVersion covered;

  Publications(Checks checks, Ledgers ledgers) {
    this.checks = checks;
    this.ledgers = ledgers;
  }

  /** A checkpoint that has the model of a version is complete. */
  void completed(ModelVersion version) {
    covered = covered == null || covered.compareTo(version) < 0 ? version : covered;
  }

  /** A file has been written. Returns the model that it describes; empty where it is another. */
  Optional<SnapshotDescription> wrote(WrittenFile file, boolean counts, double tolerance) {
    String name = file.name();
    byte[] bytes = file.bytes();
    if (name.equals(LATEST) || name.equals(COMMITTED)) {
      pointed(file);
    } else if (name.endsWith(".zip")) {
      byte[] before = archives.put(name, bytes);
      checks.require(
          ONE,
          before == null || Arrays.equals(before, bytes),
          () -> name + " was written twice, with other values");
    }
    Optional<SnapshotDescription> description = description(name, bytes);
    description.ifPresent(model -> described(name, model, counts, tolerance));
    return description;
  }

  /** Returns the description that a file has; empty where it is another file. */
  Optional<SnapshotDescription> description(String name, byte[] bytes) {
    if (!name.startsWith("model-") || !name.endsWith(".json")) {
      return Optional.empty();
    }
    try {
      return Optional.of(SnapshotDescription.fromJson(new String(bytes, StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new Violation(WHOLE, name + " can't be read", e);
    }
  }

  private void pointed(WrittenFile file) {
    String name = file.name();
    String text = new String(file.bytes(), StandardCharsets.UTF_8);
    if (HELD.matcher(text).find()) {
      // A person has put an older one back.
      return;
    }
    ModelVersion version = named(text);
    ModelVersion before = pointers.put(name, version);
    // The last model of a job that stops is served though later rounds were.
    boolean last =
        name.equals(LATEST) && before != null && before.generation() == version.generation();
    checks.require(
        POINTERS,
        before == null || last || before.compareTo(version) <= 0 || wasAhead(version, file),
        () -> "%s names %s after %s".formatted(name, version, before));
    if (name.equals(COMMITTED)) {
      checks.require(
          COVERED,
          covered != null && version.compareTo(covered) <= 0,
          () -> "%s is committed, and the newest checkpoint has %s".formatted(version, covered));
    }
  }

  private ModelVersion named(String text) {
    Matcher found = VERSION.matcher(text);
    checks.require(POINTERS, found.find(), () -> "no version in " + text);
    return ModelVersion.parse(found.group(1));
  }

  /**
   * Whether a pointer would have gone ahead as its writer began to write. A store may take long,
   * and another job may be sooner: the writer looks again then.
   */
  private boolean wasAhead(ModelVersion version, WrittenFile file) {
    if (file.overOrNull() == null) {
      return true;
    }
    String over = new String(file.overOrNull(), StandardCharsets.UTF_8);
    return !HELD.matcher(over).find() && named(over).compareTo(version) <= 0;
  }

  private void described(String name, SnapshotDescription model, boolean counts, double tolerance) {
    for (PartitionProgress partition : model.ledger()) {
      ledgers.prefix(partition.partition(), Ledgers.taken(partition));
    }
    byte[] archive = archives.get(model.archive());
    checks.require(WHOLE, archive != null, () -> name + " describes a model that isn't there");
    if (counts && !model.movingAverage()) {
      float count = ByteBuffer.wrap(archive).getFloat();
      checks.require(
          WHOLE,
          Math.abs(count - model.learned()) <= tolerance,
          () -> "%s says %s examples, and has %s".formatted(name, model.learned(), count));
    }
  }
}
