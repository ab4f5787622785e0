package dev.millrace.job.rows.files;

import dev.millrace.exchange.rows.RowTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the changes of rows in a directory: {@linkplain #save saved} with a checkpoint, and
 * {@linkplain #complete published} once that is complete. What is saved is the manifest that is
 * published then, so a restored attempt publishes it where the one before didn't come to it.
 * Belongs to one thread.
 */
final class RowPublication implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RowPublication.class);

  /** Changes of all tables take as much in memory. */
  static final int MOST_BYTES = 16 << 20;

  /** Readers that are so far behind go on, and find their files. */
  private static final long KEPT_MILLIS = Duration.ofMinutes(30).toMillis();

  private static final int MOST_NAME = 40;

  /** Characters of a writer's name that say which job it is of, and as many of the attempt. */
  private static final int HALF = 8;

  /** A name that this class gives, see {@link #name}. */
  private static final Pattern NAME =
      Pattern.compile(".*-\\d+-([0-9a-f]{16})-\\d+" + Pattern.quote(RowDirectory.SUFFIX));

  private final RowDirectory directory;
  private final List<RowTable> tables;
  private final Supplier<String> newestModel;
  private final LongSupplier clock;
  private final int mostBytes;
  private final RowMerges merges;
  private final String job;
  private final String writer;
  private final List<ChangedRows> changed = new ArrayList<>();
  private final List<List<RowFile>> files = new ArrayList<>();
  private final Deque<SavedVersion> underWay = new ArrayDeque<>();
  private List<RowManifest.Unused> unused = new ArrayList<>();
  private RowManifest newest;

  /** It is in the directory; null for none. */
  private RowManifest published;

  private final Deque<Published> times = new ArrayDeque<>();

  /** All later versions are younger than {@link #KEPT_MILLIS}. */
  private long settled;

  /** Changes of all tables take as much now. */
  private long bytesInMemory;

  private boolean isWhole = true;
  private int written;

  private record Published(long sequence, long time) {}

  private RowPublication(
      RowDirectory directory,
      String job,
      List<RowTable> tables,
      Supplier<String> newestModel,
      LongSupplier clock,
      int mostBytes,
      Executor merging) {
    this.directory = directory;
    this.job = job;
    this.writer = job + UUID.randomUUID().toString().substring(0, HALF);
    this.tables = tables;
    this.newestModel = newestModel;
    this.clock = clock;
    this.mostBytes = mostBytes;
    this.merges = new RowMerges(directory, merging);
    tables.forEach(table -> changed.add(new ChangedRows(table.dimension())));
  }

  /**
   * Begins, or goes on from a checkpoint.
   *
   * @param job a name of eight characters, which attempts of one job share, and other jobs haven't
   * @param tables in the order of their numbers
   * @param state what {@link #save} returned; null for none
   * @param newestModel returns the version of the newest model that was published; empty for none
   * @param clock in milliseconds
   * @param mostBytes of changes that are in memory
   * @param merging runs merges
   * @throws UnusableDirectoryException if the directory has rows of others, or not those of the
   *     state any more
   */
  static RowPublication open(
      RowDirectory directory,
      String job,
      List<RowTable> tables,
      byte[] state,
      Supplier<String> newestModel,
      LongSupplier clock,
      int mostBytes,
      Executor merging)
      throws IOException {
    RowPublication publication =
        new RowPublication(directory, job, tables, newestModel, clock, mostBytes, merging);
    directory.make();
    publication.published = directory.manifest().orElse(null);
    SavedVersion saved = state == null ? null : SavedVersion.of(state);
    // State of another directory is of no use: shards tell of all rows again.
    if (saved != null && saved.location().equals(directory.toString())) {
      publication.restore(saved);
    } else {
      publication.begin();
    }
    return publication;
  }

  private void begin() {
    if (published != null) {
      throw UnusableDirectoryException.ofAnother(directory);
    }
    use(RowManifest.first(UUID.randomUUID().toString()).by(writer, 0));
  }

  private void restore(SavedVersion saved) throws IOException {
    RowManifest state = saved.manifest();
    requireSame(state, published);
    Set<String> there = new HashSet<>(directory.names());
    for (String file : state.usedFiles()) {
      if (!there.contains(file)) {
        throw UnusableDirectoryException.lacks(directory, file);
      }
    }
    boolean goesOn = published == null || comesOf(state, published);
    use(state);
    if (goesOn && hasSameTables(state)) {
      if (saved.isWhole() && !isPublished(state)) {
        publish(state);
      }
      newest = state.by(writer, state.sequence());
    } else {
      goBack(state, saved.isWhole());
    }
    deleteLeftovers(there, state);
  }

  /** Deletes what attempts of this job have left, and those that it comes of. */
  private void deleteLeftovers(Set<String> there, RowManifest state) {
    Set<String> writers = new HashSet<>();
    state.writers().forEach(one -> writers.add(one.writer()));
    there.removeAll(newest.files());
    if (published != null) {
      there.removeAll(published.files());
      published.writers().forEach(one -> writers.add(one.writer()));
    }
    for (String file : there) {
      Matcher name = NAME.matcher(file);
      if (name.matches() && (name.group(1).startsWith(job) || writers.contains(name.group(1)))) {
        delete(file);
      }
    }
  }

  private static boolean comesOf(RowManifest later, RowManifest earlier) {
    return later.comesOf(earlier.rows(), earlier.writer(), earlier.sequence());
  }

  private boolean isPublished(RowManifest manifest) {
    return published != null
        && published.writer().equals(manifest.writer())
        && published.sequence() == manifest.sequence();
  }

  private boolean hasSameTables(RowManifest manifest) {
    return manifest.tables().stream()
        .map(RowManifest.Table::name)
        .collect(Collectors.toSet())
        .equals(tables.stream().map(RowTable::name).collect(Collectors.toSet()));
  }

  /** Makes a version of its own that readers of later ones, or of other tables, don't go on to. */
  private void goBack(RowManifest state, boolean whole) throws IOException {
    Set<String> others = state.usedFiles();
    if (published != null) {
      others.addAll(published.files());
    }
    files.forEach(ofTable -> ofTable.forEach(file -> others.remove(file.file())));
    others.forEach(this::noteUnused);
    long last = Math.max(state.sequence(), published == null ? 0 : published.sequence());
    RowManifest begun = hasSameTables(state) ? state : RowManifest.first(state.rows());
    newest = begun.by(writer, last).next(state.checkpoint(), tables(), unused);
    if (whole) {
      publish(newest);
    }
  }

  private void noteUnused(String file) {
    unused.add(new RowManifest.Unused(file, clock.getAsLong()));
  }

  private void use(RowManifest manifest) {
    newest = manifest;
    unused = new ArrayList<>(manifest.unused());
    for (RowTable table : tables) {
      files.add(
          manifest.tables().stream()
              .filter(one -> one.name().equals(table.name()))
              .findFirst()
              .map(one -> new ArrayList<>(one.files()))
              .orElseGet(ArrayList::new));
    }
  }

  private List<RowManifest.Table> tables() {
    List<RowManifest.Table> all = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      all.add(RowManifest.Table.of(tables.get(i), files.get(i)));
    }
    return all;
  }

  /**
   * Takes a change of a row.
   *
   * @param rowOrNull null where it was removed
   */
  void change(int table, long id, float[] rowOrNull) throws IOException {
    ChangedRows rows = changed.get(table);
    bytesInMemory -= rows.bytes();
    rows.put(id, rowOrNull);
    bytesInMemory += rows.bytes();
    if (bytesInMemory > mostBytes) {
      // Well below, or tables of one size would each be written as it grows by a row.
      while (bytesInMemory > mostBytes / 2) {
        writePart(largest());
      }
    }
  }

  private int largest() {
    int largest = 0;
    for (int table = 1; table < changed.size(); table++) {
      if (changed.get(table).bytes() > changed.get(largest).bytes()) {
        largest = table;
      }
    }
    return largest;
  }

  /** Says that the next checkpoint has rows that weren't told of: it isn't published. */
  void lacksRows() {
    isWhole = false;
  }

  private void writePart(int number) throws IOException {
    ChangedRows rows = changed.get(number);
    if (rows.bytes() == 0) {
      return;
    }
    RowTable table = tables.get(number);
    long version = newest.sequence() + 1;
    files
        .get(number)
        .add(
            RowFileWriter.write(
                directory,
                table.name(),
                table.dimension(),
                rows,
                RowFile.plan(name(table), 0, version, version)));
    bytesInMemory -= rows.bytes();
    rows.clear();
  }

  /** Returns a name that no other file has; a table's may have any characters. */
  private String name(RowTable table) {
    String plain = table.name().replaceAll("[^A-Za-z0-9_-]", "_");
    return "%s-%s-%s-%s%s"
        .formatted(
            plain.substring(0, Math.min(plain.length(), MOST_NAME)),
            newest.sequence() + 1,
            writer,
            ++written,
            RowDirectory.SUFFIX);
  }

  /**
   * Writes all changes, and adopts what was merged meanwhile.
   *
   * @return what the checkpoint has to keep
   */
  byte[] save(long checkpoint) throws IOException {
    for (int table = 0; table < tables.size(); table++) {
      writePart(table);
    }
    adoptMerges();
    forgetUnused();
    newest = newest.next(checkpoint, tables(), unused);
    SavedVersion saved = new SavedVersion(directory.toString(), newest, isWhole);
    underWay.add(saved);
    isWhole = true;
    beginMerges();
    return saved.bytes();
  }

  /** Has files be deleted with the next version, which a published one lists, and nobody reads. */
  private void forgetUnused() {
    Set<String> listed = published == null ? Set.of() : published.files();
    unused.removeIf(
        file -> file.since() + KEPT_MILLIS < clock.getAsLong() && listed.contains(file.file()));
  }

  private void adoptMerges() {
    for (RowMerges.Merge ended : merges.ended()) {
      for (int i = 0; i < tables.size(); i++) {
        if (tables.get(i).name().equals(ended.table()) && ended.replaceIn(files.get(i))) {
          ended.inputs().forEach(input -> noteUnused(input.file()));
        }
      }
    }
  }

  private void beginMerges() {
    for (int i = 0; i < tables.size(); i++) {
      List<RowFile> chosen = RowMerges.choose(files.get(i));
      if (!chosen.isEmpty() && merges.mayMerge(tables.get(i))) {
        RowFile first = files.get(i).get(0);
        long dropped = chosen.get(0).equals(first) ? Math.max(first.dropped(), settled()) : 0;
        merges.begin(tables.get(i), chosen, dropped, name(tables.get(i)));
      }
    }
  }

  /** Readers that are further behind begin anew where a table's first file is merged. */
  private long settled() {
    while (!times.isEmpty() && times.peek().time + KEPT_MILLIS < clock.getAsLong()) {
      settled = times.poll().sequence;
    }
    return settled;
  }

  /**
   * Publishes the version of a checkpoint that is complete. Where the directory can't be written to
   * now, a later checkpoint's does.
   *
   * @throws UnusableDirectoryException if others have published there
   */
  void complete(long checkpoint) {
    SavedVersion last = null;
    while (!underWay.isEmpty() && underWay.peek().manifest().checkpoint() <= checkpoint) {
      last = underWay.poll();
    }
    if (last == null || !last.isWhole()) {
      return;
    }
    try {
      requireOwn(last.manifest(), directory.manifest().orElse(null));
      publish(last.manifest());
    } catch (IOException e) {
      LOG.warn(
          "The rows of checkpoint {} can't be published in {}; those of a later one are",
          checkpoint,
          directory,
          e);
    }
  }

  private void requireSame(RowManifest own, RowManifest found) {
    if (found != null && !found.rows().equals(own.rows())) {
      throw UnusableDirectoryException.ofAnother(directory);
    }
  }

  /** An attempt of this job that isn't dead yet may still publish what this one comes of. */
  private void requireOwn(RowManifest own, RowManifest found) {
    if (found != null && !isPublished(found) && !comesOf(own, found)) {
      throw UnusableDirectoryException.ofAnother(directory);
    }
  }

  private void publish(RowManifest manifest) throws IOException {
    RowManifest next = manifest.published(clock.getAsLong(), newestModel.get());
    directory.publish(next);
    if (published != null) {
      Set<String> gone = published.files();
      gone.removeAll(next.files());
      // Whatever was of use until now has readers.
      Set<String> used = published.usedFiles();
      gone.stream().filter(used::contains).forEach(this::noteUnused);
      gone.removeAll(used);
      gone.forEach(this::delete);
    }
    published = next;
    settled();
    times.add(new Published(next.sequence(), next.time()));
  }

  /** Deletes a file. One that can't be deleted now is deleted when the job starts again. */
  private void delete(String file) {
    try {
      directory.delete(file);
    } catch (IOException e) {
      LOG.warn("The file {} in {} isn't used any more, and can't be deleted", file, directory, e);
    }
  }

  @Override
  public void close() {
    merges.close();
  }
}
