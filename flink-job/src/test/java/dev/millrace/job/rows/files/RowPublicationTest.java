package dev.millrace.job.rows.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.rows.RowTable;
import dev.millrace.job.rows.CopiedPlace;
import dev.millrace.job.rows.RowFeed;
import dev.millrace.job.rows.RowRecords;
import dev.millrace.job.rows.SimulatedCopy;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that are published in a directory, and read there. */
class RowPublicationTest {

  private static final int WORLDS = 12;
  private static final int STEPS = 400;
  private static final String JOB = SimulatedPublication.JOB;
  private static final List<RowTable> TABLES = SimulatedPublication.TABLES;

  /** A directory whose versions are applied in small pieces, and looked for at once. */
  private record Piecewise(RowDirectory rows) implements CopiedPlace {

    @Override
    public String directory() {
      return "";
    }

    @Override
    public String name() {
      return rows.toString();
    }

    @Override
    public RowFeed follow(String stands) throws IOException {
      return new RowFilesFeed(rows, name(), stands, 0, 100);
    }
  }

  @TempDir private Path directory;

  /**
   * Whatever is killed when, and whatever is merged when: the manifest has exactly the rows of the
   * newest checkpoint that the job was told of, or was restored from, and so has a copy that reads
   * it.
   */
  @Test
  void whoeverReadsHasTheRowsOfExactlyOneCheckpoint() throws IOException {
    long seed = Seeds.next();
    int[] seen = new int[5];
    for (int world = 0; world < WORLDS; world++) {
      Random random = new Random(seed + world);
      Path path = directory.resolve("world-" + world);
      SimulatedPublication job = new SimulatedPublication(path.resolve("rows"), random);
      try (SimulatedCopy copy =
          new SimulatedCopy(path.resolve("copy"), new Piecewise(job.directory))) {
        run(job, copy, random, "seed %s, world %s".formatted(seed, world));
        seen[0] += job.refusals;
        seen[1] += job.returns;
        seen[2] += job.settledMerges;
        seen[3] += copy.begun();
        seen[4] += copy.wentOn();
      }
    }
    assertThat(seen).as("what came, seed %s", seed).doesNotContain(0);
  }

  private static void run(SimulatedPublication job, SimulatedCopy copy, Random random, String seed)
      throws IOException {
    Set<Long> ids = new TreeSet<>();
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(16)) {
        case 0, 1, 2, 3 -> job.change();
        case 4, 5, 6 -> job.save();
        case 7, 8 -> job.complete(true);
        case 9 -> job.complete(false);
        case 10, 11 -> job.merge();
        case 12 -> job.restart(random.nextInt(3) == 0);
        case 13 -> job.pass();
        case 14 -> {
          if (random.nextInt(4) == 0) {
            copy.reopen();
          }
        }
        default -> read(job, copy, random, ids, seed + ", step " + step);
      }
    }
  }

  private static void read(
      SimulatedPublication job, SimulatedCopy copy, Random random, Set<Long> ids, String as)
      throws IOException {
    RowManifest manifest = job.directory.manifest().orElse(null);
    if (manifest == null) {
      assertThatThrownBy(copy::read).hasMessageContaining("there is no rows.json; start the job");
      return;
    }
    List<Map<Long, List<Float>>> expected = job.expected(manifest);
    assertThat(job.read()).as(as).isEqualTo(expected);
    expected.forEach(rows -> ids.addAll(rows.keySet()));
    List<String> files = List.copyOf(manifest.usedFiles());
    if (!files.isEmpty() && random.nextInt(2) == 0) {
      // What was read of a version before a failure is of that version.
      Path file = job.path.resolve(files.get(random.nextInt(files.size())));
      Path away = file.resolveSibling("away");
      Files.move(file, away);
      try {
        copy.read();
      } catch (IOException e) {
        assertThat(e).hasMessageContaining(file.getFileName().toString());
      }
      Files.move(away, file);
      return;
    }
    copy.read();
    assertThat(copy.rows(TABLES, ids)).as(as).isEqualTo(expected);
  }

  /** With few files a reader begins soon, and a directory isn't much larger than its rows. */
  @Test
  void aTableHasFewFilesAndRowsAreWrittenSomeTimes() {
    Random random = new Random(Seeds.next());
    List<RowFile> files = new ArrayList<>();
    long rows = 0;
    long written = 0;
    for (int version = 1; version <= 2_000; version++) {
      long bytes = 1_000L + random.nextInt(1_000);
      rows = Math.min(rows + bytes, 300_000);
      files.add(file(version, version, bytes));
      List<RowFile> chosen = RowMerges.choose(files);
      if (!chosen.isEmpty()) {
        int from = files.indexOf(chosen.get(0));
        // An id that has changed twice is there once.
        long merged = Math.min(rows, chosen.stream().mapToLong(RowFile::bytes).sum());
        RowFile output = file(chosen.get(0).from(), chosen.get(chosen.size() - 1).to(), merged);
        files.subList(from, from + chosen.size()).clear();
        files.add(from, output);
        written += merged;
      }
      assertThat(files).hasSizeLessThanOrEqualTo(16);
      assertThat(files.stream().mapToLong(RowFile::bytes).sum()).isLessThan(2 * rows + 20_000);
    }
    assertThat(written).isLessThan(8 * 2_000 * 1_500L);
  }

  private static RowFile file(long from, long to, long bytes) {
    return new RowFile(
        "users-%s.safetensors".formatted(from),
        0,
        from,
        to,
        0,
        0,
        bytes,
        new RowFile.Checksums(0, 0, 0));
  }

  private RowPublication open(byte[] state) throws IOException {
    return open(JOB, TABLES, state, System::currentTimeMillis, RowPublication.MOST_BYTES);
  }

  private RowPublication open(
      String job, List<RowTable> tables, byte[] state, LongSupplier clock, int mostBytes)
      throws IOException {
    return RowPublication.open(
        RowDirectory.open(directory.toString()),
        job,
        tables,
        state,
        () -> "",
        clock,
        mostBytes,
        Runnable::run);
  }

  private RowManifest manifest() throws IOException {
    return RowDirectory.open(directory.toString()).manifest().orElseThrow();
  }

  @Test
  void whatAManifestSaysOfAFileIsSo() throws IOException {
    RowPublication publication = open(null);
    publication.change(0, 7, new float[] {1, 2});
    publication.change(0, -5, new float[] {3, 4});
    publication.change(0, 6, null);
    publication.save(3);
    publication.complete(3);

    RowManifest.Table users = manifest().tables().get(0);
    assertThat(RowRecords.table("users", users.described())).isEqualTo(RowTable.of("users", 2));
    assertThat(manifest().tables().get(1).files()).isEmpty();
    RowFile file = users.files().get(0);
    Path path = directory.resolve(file.file());
    assertThat(file.bytes()).isEqualTo(Files.size(path));
    PlainFile plain = PlainFile.read(path);
    assertThat(plain.header().path("__metadata__").path("table").asText()).isEqualTo("users");
    assertThat(plain.header().path("id").path("dtype").asText()).isEqualTo("I64");
    assertThat(plain.header().path("removed").path("dtype").asText()).isEqualTo("I64");
    assertThat(plain.header().path("values").path("dtype").asText()).isEqualTo("F32");
    assertThat(plain.ids()).containsExactly(-5, 7);
    assertThat(plain.removed()).containsExactly(6);
    assertThat(plain.values()).containsExactly(3, 4, 1, 2);
    byte[] bytes = Files.readAllBytes(path);
    CRC32 values = new CRC32();
    values.update(bytes, bytes.length - 16, 16);
    assertThat(file.crc32().values()).isEqualTo(values.getValue());
  }

  @Test
  void aCheckpointThatLacksRowsIsNotPublished() throws IOException {
    RowPublication publication = open(null);
    publication.change(0, 1, new float[] {1, 1});
    publication.lacksRows();
    byte[] state = publication.save(1);
    publication.complete(1);
    assertThat(directory.resolve("rows.json")).doesNotExist();
    publication.close();

    RowPublication next = open(state);
    assertThat(directory.resolve("rows.json")).doesNotExist();
    next.change(0, 2, new float[] {2, 2});
    next.save(2);
    next.complete(2);
    assertThat(manifest().tables().get(0).files()).hasSize(2);
  }

  @Test
  void rowsOfAnotherJobAreRefused() throws IOException {
    RowPublication first = open(null);
    RowPublication second = open(null);
    byte[] state = first.save(1);
    second.save(1);
    first.complete(1);

    String sentence =
        directory
            + " has rows of another job, or of one that this job doesn't go on from. Give rows a"
            + " directory that isn't there yet";
    assertThatThrownBy(() -> second.complete(1)).hasMessage(sentence);
    assertThatThrownBy(() -> open(null)).hasMessage(sentence);
    open(state).close();
  }

  /** The later one of two jobs that go on from one savepoint has the directory. */
  @Test
  void theOtherJobOfOneSavepointEnds() throws IOException {
    RowPublication first = open(null);
    byte[] savepoint = first.save(1);
    first.complete(1);
    RowPublication second = open("another1", TABLES, savepoint, () -> 0, RowPublication.MOST_BYTES);
    first.save(2);
    second.save(2);
    second.complete(2);

    assertThatThrownBy(() -> first.complete(2))
        .isInstanceOf(UnusableDirectoryException.class)
        .hasMessageContaining("has rows of another job");
    second.save(3);
    second.complete(3);
    assertThat(manifest().checkpoint()).isEqualTo(3);
  }

  /** Others' files lie there, such as exports; an attempt that died at once has left some. */
  @Test
  void aRestoredAttemptDeletesWhatTheJobHasLeftAlone() throws IOException {
    RowPublication publication = open(null);
    byte[] state = publication.save(1);
    publication.complete(1);
    RowPublication dead = open(state);
    dead.change(0, 1, new float[] {1, 1});
    dead.save(2);
    Path export = Files.writeString(directory.resolve("users-1-x-1.safetensors"), "an export");
    assertThat(safetensors()).hasSize(2);

    open(state).close();
    assertThat(safetensors()).containsExactly(export);
  }

  private List<Path> safetensors() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(path -> path.toString().endsWith(RowDirectory.SUFFIX)).toList();
    }
  }

  /** As many tables as a set of clicks has, each changed in each checkpoint. */
  @Test
  void ofManyTablesNoneGathersFiles() throws IOException {
    List<RowTable> many = new ArrayList<>();
    for (int table = 0; table < 30; table++) {
      many.add(RowTable.of("table" + table, 1));
    }
    RowPublication publication = open(JOB, many, null, () -> 0, 1_200);
    for (int checkpoint = 1; checkpoint <= 25; checkpoint++) {
      for (int change = 0; change < 10 * many.size(); change++) {
        publication.change(change % many.size(), change / many.size(), new float[] {checkpoint});
      }
      publication.save(checkpoint);
      publication.complete(checkpoint);
      for (RowManifest.Table table : manifest().tables()) {
        assertThat(table.files()).as("checkpoint %s", checkpoint).hasSizeLessThan(24);
      }
    }
  }

  /** A version may be long on its way, and what it was of until now is read. */
  @Test
  void aFileStaysForHalfAnHourAfterItWasListed() throws IOException {
    long[] now = {0};
    RowPublication publication = open(JOB, TABLES, null, () -> now[0], RowPublication.MOST_BYTES);
    for (int checkpoint = 1; checkpoint <= 6; checkpoint++) {
      publication.change(1, 1, new float[] {checkpoint});
      publication.save(checkpoint);
      if (checkpoint == 1) {
        publication.complete(1);
      }
      now[0] += 3_600_000;
    }
    String first = manifest().tables().get(1).files().get(0).file();
    publication.complete(6);
    assertThat(manifest().usedFiles()).doesNotContain(first);
    assertThat(directory.resolve(first)).exists();

    for (int checkpoint = 7; checkpoint <= 9; checkpoint++) {
      now[0] += 3_600_000;
      publication.save(checkpoint);
      publication.complete(checkpoint);
    }
    assertThat(directory.resolve(first)).doesNotExist();
  }

  /** A disk that is full mustn't fill up with what can't be finished. */
  @Test
  void aMergeThatFailsLeavesNothingAndIsTriedAgainLater() throws IOException {
    RowPublication publication = open(null);
    publication.change(1, 1, new float[] {1});
    publication.save(1);
    publication.complete(1);
    Path damaged = directory.resolve(manifest().tables().get(1).files().get(0).file());
    byte[] sound = Files.readAllBytes(damaged);
    byte[] wrong = sound.clone();
    // A value, which is read last.
    wrong[wrong.length - 1] ^= 1;
    Files.write(damaged, wrong);
    for (int checkpoint = 2; checkpoint <= 8; checkpoint++) {
      publication.change(1, checkpoint, new float[] {1});
      publication.save(checkpoint);
      publication.complete(checkpoint);
    }
    assertThat(safetensors()).hasSameSizeAs(manifest().files());
    assertThat(manifest().tables().get(1).files()).hasSizeGreaterThan(5);

    Files.write(damaged, sound);
    for (int checkpoint = 9; checkpoint <= 30; checkpoint++) {
      publication.save(checkpoint);
      publication.complete(checkpoint);
    }
    assertThat(manifest().tables().get(1).files()).hasSizeLessThan(5);
  }

  @Test
  void aSavepointWhoseFilesAreGoneIsRefused() throws IOException {
    RowPublication publication = open(null);
    publication.change(1, 1, new float[] {1});
    byte[] state = publication.save(1);
    publication.complete(1);
    String file = manifest().tables().get(1).files().get(0).file();
    Files.delete(directory.resolve(file));

    assertThatThrownBy(() -> open(state))
        .isInstanceOf(UnusableDirectoryException.class)
        .hasMessageStartingWith(directory + " hasn't " + file + " any more");
  }

  /** State of another directory is forgotten: shards tell of all rows again. */
  @Test
  void anotherDirectoryBeginsWithoutState() throws IOException {
    RowPublication publication = open(null);
    publication.change(1, 1, new float[] {1});
    byte[] state = publication.save(1);
    publication.complete(1);

    RowDirectory other = RowDirectory.open(directory.resolve("other").toString());
    RowPublication elsewhere =
        RowPublication.open(
            other, JOB, TABLES, state, () -> "", () -> 0, RowPublication.MOST_BYTES, Runnable::run);
    elsewhere.save(2);
    elsewhere.complete(2);
    assertThat(other.manifest().orElseThrow().rows()).isNotEqualTo(manifest().rows());
    assertThat(other.manifest().orElseThrow().usedFiles()).isEmpty();
  }

  /** Else a copy would keep the rows of a table that was away for a while. */
  @Test
  void readersOfOtherTablesBeginAnew() throws IOException {
    RowPublication publication = open(null);
    byte[] state = publication.save(1);
    publication.complete(1);
    RowManifest before = manifest();
    publication.close();

    open(JOB, TABLES.subList(0, 1), state, () -> 0, RowPublication.MOST_BYTES).close();
    RowManifest after = manifest();
    assertThat(after.rows()).isEqualTo(before.rows());
    assertThat(after.comesOf(before.rows(), before.writer(), before.sequence())).isFalse();
    assertThat(after.tables()).hasSize(1);
  }

  /** A merge must not have readers begin anew that look each second. */
  @Test
  void onlyAReaderThatIsFarBehindBeginsAnewAtAMerge() throws IOException {
    long[] now = {0};
    RowDirectory rows = RowDirectory.open(directory.toString());
    RowPublication publication =
        RowPublication.open(
            rows,
            JOB,
            TABLES,
            null,
            () -> "",
            () -> now[0],
            RowPublication.MOST_BYTES,
            Runnable::run);
    publication.change(1, 1, new float[] {1});
    publication.change(1, 2, new float[] {2});
    publication.save(1);
    publication.complete(1);
    RowManifest first = manifest();
    String stands = "%s %s 1 1".formatted(first.rows(), first.writer());

    for (int checkpoint = 2; checkpoint < 5; checkpoint++) {
      publication.change(1, 1, null);
      publication.change(1, 3, new float[] {3});
      publication.save(checkpoint);
      publication.complete(checkpoint);
    }
    assertThat(manifest().tables().get(1).files().get(0).to()).isGreaterThan(1);
    assertThat(new RowFilesFeed(rows, "rows", stands, 0, 1).goesOn()).isTrue();

    now[0] += 31 * 60_000;
    for (int checkpoint = 5; checkpoint < 8; checkpoint++) {
      publication.change(1, 3, new float[] {3});
      publication.change(1, 4, new float[] {3});
      publication.save(checkpoint);
      publication.complete(checkpoint);
    }
    assertThat(manifest().tables().get(1).files().get(0).dropped()).isGreaterThan(1);
    assertThat(new RowFilesFeed(rows, "rows", stands, 0, 1).goesOn()).isFalse();
  }

  @Test
  void aReaderThatHasHalfOfWhatWasTakenBackBeginsAnew() throws IOException {
    RowPublication publication = open(null);
    publication.change(0, 1, new float[] {1, 1});
    byte[] state = publication.save(1);
    publication.complete(1);
    RowDirectory rows = RowDirectory.open(directory.toString());
    try (SimulatedCopy copy = new SimulatedCopy(directory.resolve("copy"), new Piecewise(rows))) {
      copy.read();
      publication.change(0, 1, new float[] {2, 2});
      for (int id = 2; id < 10; id++) {
        publication.change(0, id, new float[] {2, 2});
      }
      publication.change(1, 1, new float[] {2});
      publication.save(2);
      publication.complete(2);
      Files.delete(directory.resolve(manifest().tables().get(1).files().get(0).file()));
      assertThatThrownBy(copy::read).isInstanceOf(IOException.class);
      assertThat(copy.rows(TABLES, Set.of(2L)).get(0)).as("half of it").isNotEmpty();

      String takenBack = manifest().tables().get(0).files().get(1).file();
      publication.close();
      open(state).close();
      assertThat(manifest().sequence()).as("as a later version").isGreaterThan(2);
      assertThat(directory.resolve(takenBack)).as("others may read it").exists();
      copy.read();
      assertThat(copy.rows(TABLES, Set.of(1L, 2L)))
          .containsExactly(Map.of(1L, List.of(1f, 1f)), Map.of());
    }
  }

  @Test
  void aDamagedFileIsNamed() throws IOException {
    RowPublication publication = open(null);
    publication.change(1, 1, new float[] {1});
    publication.save(1);
    publication.complete(1);
    RowFile file = manifest().tables().get(1).files().get(0);
    Path path = directory.resolve(file.file());
    byte[] bytes = Files.readAllBytes(path);
    bytes[bytes.length - 1] ^= 1;
    Files.write(path, bytes);

    RowDirectory rows = RowDirectory.open(directory.toString());
    Map<Long, Boolean> read = new HashMap<>();
    assertThatThrownBy(
            () ->
                new MergedRows(rows, 1, List.of(file), 0)
                    .forEach(true, (id, removed, from, at) -> read.put(id, removed)))
        .isInstanceOf(IOException.class)
        .hasMessage(file.file() + " is damaged: its checksum isn't that of rows.json");
    assertThat(read).isEmpty();
  }

  /** A manifest that somebody else wrote has no job delete other files, and no reader read them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(\"file\" : \")[^\"]+ | $1../../other.safetensors | is no name",
        "(\"file\" : \")[^\"]+ | $1/etc/passwd | is no name",
        "(\"file\" : \")[^\"]+ | $1rows.json | is no name",
        "(\"rows\" : )1\\b | $1-1 | has -1 rows",
        "(\"rows\" : )1\\b | $19000000000000000000 | has 9000000000000000000 rows",
        "\"crc32\" | \"other\" | has no checksums",
        "\"name\" | \"other\" | has no name",
        "^.* | [1] | format 0"
      })
  void aManifestOfNonsenseIsNamed(String pattern, String replacement, String told)
      throws IOException {
    RowPublication publication = open(null);
    publication.change(0, 1, new float[] {1});
    publication.save(1);
    publication.complete(1);
    Path manifest = directory.resolve(RowManifest.NAME);
    String sound = Files.readString(manifest);
    String other =
        Pattern.compile(pattern, Pattern.DOTALL).matcher(sound).replaceFirst(replacement);
    assertThat(other).isNotEqualTo(sound);
    Files.writeString(manifest, other);

    assertThatThrownBy(() -> RowDirectory.open(directory.toString()).manifest())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(RowManifest.NAME + " in " + directory)
        .hasMessageContaining(told);
  }
}
