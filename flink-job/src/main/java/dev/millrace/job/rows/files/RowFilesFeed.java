package dev.millrace.job.rows.files;

import dev.millrace.exchange.rows.RowTable;
import dev.millrace.job.rows.LocalRows;
import dev.millrace.job.rows.RowFeed;
import dev.millrace.job.rows.RowRecords;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Brings a copy the versions of a directory, each with the files that it hasn't yet. */
final class RowFilesFeed implements RowFeed {

  /** Between two looks at the manifest. */
  static final long LOOK_MILLIS = 1_000;

  /** A version with more is written in pieces: then readers of the copy see some of it before. */
  static final long MOST_BYTES = 16 << 20;

  private final RowDirectory directory;
  private final String name;
  private final long lookMillis;
  private final long mostBytes;
  private Place place;

  /** The version to apply next; null where the directory has to be looked at. */
  private RowManifest next;

  private final boolean goesOn;
  private boolean caughtUp;
  private long looked;

  /**
   * Where a copy stands: it has what had changed up to {@code from} of the version {@code to}, and
   * may have some of the rest.
   */
  private record Place(String rows, String writer, long from, long to) {

    /** A copy without any rows. */
    static final Place NONE = new Place("", "", 0, 0);

    static Place of(String text) {
      if (text.isEmpty()) {
        return NONE;
      }
      String[] parts = text.split(" ", -1);
      return new Place(parts[0], parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[3]));
    }

    /** Whether the rows of a version can be had from here by applying files of it. */
    boolean leadsTo(RowManifest manifest) {
      return manifest.comesOf(rows, writer, to)
          && manifest.tables().stream()
              .flatMap(table -> table.files().stream())
              .allMatch(file -> file.dropped() <= from);
    }

    boolean isAt(RowManifest manifest) {
      return from == to && to == manifest.sequence() && writer.equals(manifest.writer());
    }

    @Override
    public String toString() {
      return "%s %s %s %s".formatted(rows, writer, from, to);
    }
  }

  /**
   * Opens a directory.
   *
   * @param name that the copy has it under
   * @param stands where the copy stands
   * @param lookMillis between two looks at the manifest
   * @param mostBytes of changes that are written at once
   * @throws IOException if nothing was published there
   */
  RowFilesFeed(RowDirectory directory, String name, String stands, long lookMillis, long mostBytes)
      throws IOException {
    this.directory = directory;
    this.name = name;
    this.lookMillis = lookMillis;
    this.mostBytes = mostBytes;
    this.next = look();
    this.goesOn = Place.of(stands).leadsTo(next);
    this.place = goesOn ? Place.of(stands) : Place.NONE;
  }

  private RowManifest look() throws IOException {
    looked = System.currentTimeMillis();
    return directory
        .manifest()
        .orElseThrow(
            () ->
                new FileNotFoundException(
                    "there is no %s; start the job that publishes rows there"
                        .formatted(RowManifest.NAME)));
  }

  @Override
  public boolean goesOn() {
    return goesOn;
  }

  @Override
  public int read(Duration limit, LocalRows copy) throws IOException {
    if (next == null) {
      long wait = looked + lookMillis - System.currentTimeMillis();
      if (wait > 0) {
        sleep(Math.min(wait, limit.toMillis()));
        return 0;
      }
      next = look();
      if (!place.leadsTo(next)) {
        throw new IOException(
            "the copy can't go on to version %s of checkpoint %s, and begins anew"
                .formatted(next.sequence(), next.checkpoint()));
      }
    }
    int changes = place.isAt(next) ? 0 : apply(next, copy);
    next = null;
    caughtUp = true;
    return changes;
  }

  private static void sleep(long millis) throws InterruptedIOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  private int apply(RowManifest manifest, LocalRows copy) throws IOException {
    int changes = 0;
    Place onTheWay = new Place(manifest.rows(), manifest.writer(), place.from, manifest.sequence());
    for (RowManifest.Table table : manifest.tables()) {
      byte[] described = table.described();
      copy.take(RowRecords.key(table.name()), described);
      RowTable like = RowRecords.table(table.name(), described);
      for (RowFile file : table.files()) {
        if (file.to() > place.from) {
          apply(like, file, onTheWay, copy);
          changes += (int) (file.rows() + file.removed());
        }
      }
    }
    place = new Place(manifest.rows(), manifest.writer(), manifest.sequence(), manifest.sequence());
    copy.commit(name, place.toString());
    return changes;
  }

  private void apply(RowTable table, RowFile file, Place onTheWay, LocalRows copy)
      throws IOException {
    byte[] key = RowRecords.key(RowRecords.key(table.name()), 0);
    ByteBuffer id = ByteBuffer.wrap(key);
    int width = table.dimension() * Float.BYTES;
    new MergedRows(directory, table.dimension(), List.of(file), 0)
        .forEach(
            true,
            (row, removed, from, at) -> {
              id.putLong(key.length - Long.BYTES, row);
              copy.take(key, removed ? null : Arrays.copyOfRange(from, at, at + width));
              if (copy.waiting() > mostBytes) {
                copy.commit(name, onTheWay.toString());
                requireNotInterrupted();
              }
            });
  }

  /** A first version may take long, and who closes a copy waits. */
  private static void requireNotInterrupted() throws InterruptedIOException {
    if (Thread.interrupted()) {
      throw new InterruptedIOException();
    }
  }

  @Override
  public boolean hasCaughtUp() {
    return caughtUp;
  }

  @Override
  public void close() {
    // Nothing is open between two reads.
  }
}
