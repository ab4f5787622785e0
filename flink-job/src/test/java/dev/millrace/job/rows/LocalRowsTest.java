package dev.millrace.job.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy on disk, of records of a topic that is a list here. */
class LocalRowsTest {

  private static final String TOPIC = "rows";
  private static final byte[] USERS = RowRecords.key("users");
  private static final int IDS = 50;

  @TempDir private Path directory;

  private static String place(long offset) {
    return Long.toString(offset);
  }

  private static byte[] key(long id) {
    return RowRecords.key(USERS, id);
  }

  private static byte[] value(float value) {
    return RowRecords.value(new float[] {value});
  }

  private static float read(LocalRows rows, long id) {
    float[] values = {Float.NaN};
    byte[] row = rows.get(USERS, new long[] {id}, 1).get(0);
    if (row != null) {
      assertThat(RowRecords.read(row, values, 0, 1)).isTrue();
    }
    return values[0];
  }

  /** Changes of rows, by id; NaN for a row that was removed. */
  private record Change(long id, float value) {

    void give(LocalRows rows) {
      rows.take(key(id), Float.isNaN(value) ? null : LocalRowsTest.value(value));
    }
  }

  private static List<Change> changes(Random random, int count) {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      changes.add(
          new Change(random.nextInt(IDS), random.nextInt(5) == 0 ? Float.NaN : random.nextFloat()));
    }
    return changes;
  }

  private static float[] after(List<Change> changes, long count) {
    float[] values = new float[IDS];
    java.util.Arrays.fill(values, Float.NaN);
    changes.stream()
        .limit(count)
        .forEach(change -> values[Math.toIntExact(change.id)] = change.value);
    return values;
  }

  private static float[] all(LocalRows rows) {
    float[] values = new float[IDS];
    for (int id = 0; id < IDS; id++) {
      values[id] = read(rows, id);
    }
    return values;
  }

  @Test
  void whatWasTakenIsReadOnceItIsCommitted() throws IOException {
    try (LocalRows rows = LocalRows.open(directory)) {
      rows.take(key(1), value(1));
      assertThat(read(rows, 1)).isNaN();
      rows.commit(TOPIC, place(1));
      assertThat(read(rows, 1)).isEqualTo(1);
      rows.take(key(1), null);
      rows.take(key(2), value(2));
      rows.commit(TOPIC, place(3));

      assertThat(read(rows, 1)).isNaN();
      assertThat(read(rows, 2)).isEqualTo(2);
      assertThat(rows.stands(TOPIC)).isEqualTo(place(3));
      assertThat(rows.stands("another")).isEmpty();
    }
  }

  @Test
  void aCopyThatIsOpenedAgainGoesOn() throws IOException {
    try (LocalRows rows = LocalRows.open(directory)) {
      rows.take(key(1), value(1));
      rows.commit(TOPIC, place(7));
    }

    try (LocalRows rows = LocalRows.open(directory)) {
      assertThat(rows.stands(TOPIC)).isEqualTo(place(7));
      assertThat(rows.isWhole()).isTrue();
      assertThat(read(rows, 1)).isEqualTo(1);
    }
  }

  /**
   * The files of a copy that is open are what a process that was killed leaves: they have a place,
   * and the rows of that place. Whoever goes on from it has all.
   */
  @Test
  void aCopyThatWasKilledHasTheRowsOfItsPlaceAndGoesOn() throws IOException {
    long seed = Seeds.next();
    Random random = new Random(seed);
    List<Change> changes = changes(random, 400);
    try (LocalRows rows = LocalRows.open(directory.resolve("live"))) {
      for (int at = 0; at < changes.size(); at++) {
        changes.get(at).give(rows);
        if (random.nextInt(5) == 0) {
          rows.commit(TOPIC, place(at + 1));
        }
        // Few enough files that none are put together, and deleted, while they are copied.
        if (at % 130 == 70) {
          rows.flush();
        }
        if (random.nextInt(50) == 0) {
          Path killed = copy(directory.resolve("live"), directory.resolve("killed-" + at));
          assertGoesOn(killed, changes, seed);
        }
      }
    }
  }

  private static void assertGoesOn(Path killed, List<Change> changes, long seed)
      throws IOException {
    try (LocalRows rows = LocalRows.open(killed)) {
      String stands = rows.stands(TOPIC);
      long from = stands.isEmpty() ? 0 : Long.parseLong(stands);
      assertThat(all(rows)).as("seed %s, place %s", seed, from).isEqualTo(after(changes, from));
      changes.stream().skip(from).forEach(change -> change.give(rows));
      rows.commit(TOPIC, place(changes.size()));
      assertThat(all(rows)).as("seed %s", seed).isEqualTo(after(changes, changes.size()));
    }
  }

  private static Path copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
    return to;
  }

  @Test
  void rowsAreReadOnUntilTheCopyThatIsMadeAnewIsWhole() throws IOException {
    try (LocalRows rows = LocalRows.open(directory)) {
      rows.take(key(1), value(1));
      rows.take(key(2), value(1));
      rows.commit(TOPIC, place(2));
      // Was taken of a topic that is gone.
      rows.take(key(3), value(1));

      rows.beginAnew();
      rows.take(key(2), value(2));
      rows.commit(TOPIC, place(1));

      assertThat(rows.isWhole()).isFalse();
      assertThat(all(rows)).startsWith(Float.NaN, 1, 1, Float.NaN);
      rows.becomeWhole();
      assertThat(rows.isWhole()).isTrue();
      assertThat(all(rows)).startsWith(Float.NaN, Float.NaN, 2, Float.NaN);
    }
    try (LocalRows rows = LocalRows.open(directory)) {
      assertThat(all(rows)).startsWith(Float.NaN, Float.NaN, 2, Float.NaN);
    }
  }

  @Test
  void aCopyThatWasBeingMadeAnewGoesOnOrBeginsOnceMore() throws IOException {
    Path one = directory.resolve("one");
    try (LocalRows rows = LocalRows.open(one)) {
      rows.take(key(1), value(1));
      rows.commit(TOPIC, place(1));
      rows.beginAnew();
      rows.take(key(2), value(2));
      rows.commit(TOPIC, place(1));
    }

    Path other = copy(one, directory.resolve("other"));
    try (LocalRows rows = LocalRows.open(one)) {
      assertThat(rows.isWhole()).isFalse();
      assertThat(rows.stands(TOPIC)).isEqualTo(place(1));
      rows.take(key(3), value(3));
      rows.commit(TOPIC, place(2));
      rows.becomeWhole();
      assertThat(all(rows)).startsWith(Float.NaN, Float.NaN, 2, 3);
    }
    try (LocalRows rows = LocalRows.open(other)) {
      rows.beginAnew();
      assertThat(rows.stands(TOPIC)).isEmpty();
      rows.take(key(3), value(3));
      rows.commit(TOPIC, place(2));
      rows.becomeWhole();
      assertThat(all(rows)).startsWith(Float.NaN, Float.NaN, Float.NaN, 3);
    }
  }

  @Test
  void whatWasTakenAndNotCommittedMayBeForgotten() throws IOException {
    try (LocalRows rows = LocalRows.open(directory)) {
      rows.take(key(1), value(1));
      rows.discard();
      rows.take(key(2), value(2));
      rows.commit(TOPIC, place(1));

      assertThat(all(rows)).startsWith(Float.NaN, Float.NaN, 2);
    }
  }

  @Test
  void recordsOfOthersAreLeftOut() throws IOException {
    try (LocalRows rows = LocalRows.open(directory)) {
      rows.take(null, value(1));
      rows.take(new byte[] {'s'}, value(1));
      rows.take(new byte[0], value(1));
      rows.commit(TOPIC, place(3));

      assertThat(rows.get(new byte[] {'s'})).isNull();
      assertThat(rows.stands(TOPIC)).isEqualTo(place(3));
    }
  }

  @Test
  void aDirectoryIsOfOneAlone() throws IOException {
    try (LocalRows rows = LocalRows.open(directory)) {
      rows.commit(TOPIC, place(1));

      assertThatThrownBy(() -> LocalRows.open(directory))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the copy in %s can't be opened", directory)
          .hasMessageEndingWith(
              "Give each process a directory of its own; a damaged one can be deleted");
    }
  }

  /** A database that is read while it is closed would end this process. */
  @Test
  void whoeverReadsAClosedCopyIsToldSo() throws Exception {
    LocalRows rows = LocalRows.open(directory);
    rows.take(key(1), value(1));
    rows.commit(TOPIC, place(1));
    int readers = 4;
    CountDownLatch reading = new CountDownLatch(readers);
    ExecutorService threads = Executors.newFixedThreadPool(readers);
    List<Future<?>> ends = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      ends.add(
          threads.submit(
              () -> {
                reading.countDown();
                while (true) {
                  assertThat(read(rows, 1)).isEqualTo(1);
                }
              }));
    }
    reading.await();

    rows.close();
    rows.close();

    for (Future<?> end : ends) {
      assertThatThrownBy(() -> end.get(1, TimeUnit.MINUTES))
          .hasRootCauseInstanceOf(IllegalStateException.class)
          .hasRootCauseMessage("The copy of rows in %s is closed".formatted(directory));
    }
    threads.shutdown();
  }
}
