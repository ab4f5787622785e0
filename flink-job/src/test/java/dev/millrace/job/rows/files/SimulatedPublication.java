package dev.millrace.job.rows.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.rows.RowTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A job whose rows are maps, with its checkpoints, and a directory that it publishes rows in. A
 * merge waits until it is run, and is lost with its attempt.
 */
final class SimulatedPublication {

  static final List<RowTable> TABLES = List.of(RowTable.of("users", 2), RowTable.of("items", 1));
  static final String JOB = "0a1b2c3d";
  private static final int IDS = 40;
  private static final int MOST_BYTES = 200;
  private static final long MINUTE = 60_000;

  /** A checkpoint, with the rows that it has. */
  record Checkpoint(long id, byte[] state, List<Map<Long, List<Float>>> rows) {}

  final Path path;
  final RowDirectory directory;
  final Deque<Runnable> merges = new ArrayDeque<>();

  /** Those that are complete, whether the job was told of it or not. */
  final List<Checkpoint> completed = new ArrayList<>();

  /** By writer and sequence number. */
  private final Map<String, Checkpoint> published = new HashMap<>();

  private final Random random;
  private final Map<Long, Checkpoint> pending = new TreeMap<>();
  private List<Map<Long, List<Float>>> rows = empty();
  private RowPublication publication;
  private long checkpoints;
  private long now = 1_000_000;
  int refusals;
  int returns;
  int settledMerges;

  SimulatedPublication(Path path, Random random) throws IOException {
    this.path = path;
    this.directory = RowDirectory.open(path.toString());
    this.random = random;
    publication = open(null);
  }

  private static List<Map<Long, List<Float>>> empty() {
    return new ArrayList<>(List.of(new HashMap<>(), new HashMap<>()));
  }

  private static List<Map<Long, List<Float>>> copy(List<Map<Long, List<Float>>> rows) {
    return new ArrayList<>(List.of(new HashMap<>(rows.get(0)), new HashMap<>(rows.get(1))));
  }

  private RowPublication open(byte[] state) throws IOException {
    merges.clear();
    return RowPublication.open(
        directory, JOB, TABLES, state, () -> "model", () -> now, MOST_BYTES, merges::add);
  }

  /** Changes some rows. Now and then many, so that a table is small and its changes are large. */
  void change() throws IOException {
    for (int i = random.nextInt(20) == 0 ? 100 : random.nextInt(12); i > 0; i--) {
      int table = random.nextInt(2);
      // Beyond what 32 bits have, too.
      long id = (random.nextInt(IDS) - IDS / 2) * 3_000_000_017L;
      if (random.nextInt(4) == 0) {
        rows.get(table).remove(id);
        publication.change(table, id, null);
      } else {
        float[] row = new float[TABLES.get(table).dimension()];
        List<Float> kept = new ArrayList<>();
        for (int j = 0; j < row.length; j++) {
          row[j] = random.nextFloat();
          kept.add(row[j]);
        }
        rows.get(table).put(id, kept);
        publication.change(table, id, row);
      }
    }
  }

  void save() throws IOException {
    long id = ++checkpoints;
    pending.put(id, new Checkpoint(id, publication.save(id), copy(rows)));
  }

  /** A checkpoint is complete, and those before it will never be. The job may not hear of it. */
  void complete(boolean told) throws IOException {
    if (pending.isEmpty()) {
      return;
    }
    List<Checkpoint> all = new ArrayList<>(pending.values());
    Checkpoint one = all.get(random.nextInt(all.size()));
    pending.keySet().removeIf(id -> id <= one.id);
    completed.add(one);
    if (told) {
      publication.complete(one.id);
      note(one);
    }
  }

  private void note(Checkpoint one) throws IOException {
    RowManifest manifest = directory.manifest().orElseThrow();
    assertThat(manifest.checkpoint()).isEqualTo(one.id);
    assertThat(manifest.model()).isEqualTo("model");
    published.put(key(manifest), one);
    settledMerges +=
        (int)
            manifest.tables().stream()
                .flatMap(table -> table.files().stream())
                .filter(file -> file.dropped() > 0)
                .count();
  }

  private static String key(RowManifest manifest) {
    return manifest.writer() + manifest.sequence();
  }

  /** Returns the rows that a version has to have. */
  List<Map<Long, List<Float>>> expected(RowManifest manifest) {
    return published.get(key(manifest)).rows;
  }

  /** Ends this attempt, and begins one from the newest checkpoint, or an older one. */
  void restart(boolean goBack) throws IOException {
    publication.close();
    pending.clear();
    if (completed.isEmpty()) {
      rows = empty();
      publication = open(null);
      return;
    }
    Checkpoint newest = completed.get(completed.size() - 1);
    // Often one of a moment before.
    int most = random.nextBoolean() ? Math.min(4, completed.size()) : completed.size();
    int back = goBack ? random.nextInt(most) : 0;
    Checkpoint from = completed.get(completed.size() - 1 - back);
    try {
      publication = open(from.state);
      returns += back > 0 ? 1 : 0;
    } catch (UnusableDirectoryException e) {
      assertThat(back).isPositive();
      assertThat(e).hasMessageContaining("Give rows a directory that isn't there yet");
      refusals++;
      from = newest;
      publication = open(from.state);
    }
    completed.remove(from);
    completed.add(from);
    rows = copy(from.rows);
    // A job that is submitted again counts on from its savepoint.
    checkpoints = random.nextBoolean() ? from.id : checkpoints;
    note(from);
    RowManifest manifest = directory.manifest().orElseThrow();
    assertThat(manifest.files()).containsAll(directory.names());
  }

  void merge() {
    if (!merges.isEmpty()) {
      merges.poll().run();
    }
  }

  void pass() {
    now += random.nextInt(60) * MINUTE;
  }

  /** Reads what the directory says now, file by file as the manifest lists them. */
  List<Map<Long, List<Float>>> read() throws IOException {
    Map<String, Map<Long, List<Float>>> tables = PublishedRows.read(path);
    return TABLES.stream().map(table -> tables.get(table.name())).toList();
  }
}
