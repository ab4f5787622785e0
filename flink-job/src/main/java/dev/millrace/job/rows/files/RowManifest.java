package dev.millrace.job.rows.files;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.job.rows.RowRecords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A version of the rows in a directory, which is that of one checkpoint: which files have them.
 *
 * <p>Versions have sequence numbers, and the name of the writer that made them: of one attempt of
 * the job. Two versions may have one number, such as where a job goes back to a savepoint. Writers
 * that a version comes of are in it, so a reader knows whether it may go on from the one that it
 * has.
 *
 * @param rows the name of the rows, which other jobs' don't have
 * @param writers the attempts that this version comes of, the latest last
 * @param sequence its number
 * @param checkpoint whose rows these are
 * @param time of publication, in milliseconds since 1970
 * @param model the version of the newest model then; empty for none
 * @param unused files that aren't of this version, and that readers may have open
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RowManifest(
    int format,
    String rows,
    List<Writer> writers,
    long sequence,
    long checkpoint,
    long time,
    String model,
    List<Table> tables,
    List<Unused> unused) {

  /** The name of its file. */
  static final String NAME = "rows.json";

  private static final int FORMAT = 1;

  /** A reader that stands at one of an earlier one begins anew. */
  private static final int MOST_WRITERS = 100;

  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /** An attempt, with the first and last version of it that this one comes of. */
  public record Writer(String writer, long from, long to) {

    public Writer {
      if (writer == null || from > to) {
        throw new IllegalArgumentException(
            "the writer %s has versions from %s to %s".formatted(writer, from, to));
      }
    }
  }

  /**
   * A table.
   *
   * @param table what it is like, as {@link RowRecords#describe} says it
   * @param files in the order in which they are applied
   */
  public record Table(String name, JsonNode table, List<RowFile> files) {

    public Table {
      if (name == null || table == null) {
        throw new IllegalArgumentException("a table has no name, or isn't described");
      }
      files = files == null ? List.of() : List.copyOf(files);
    }

    static Table of(RowTable table, List<RowFile> files) {
      try {
        return new Table(
            table.name(), JSON.readTree(RowRecords.describe(table)), List.copyOf(files));
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Returns what {@link RowRecords#table} reads. */
    byte[] described() throws IOException {
      return JSON.writeValueAsBytes(table);
    }
  }

  /** A file that is deleted a while after it was last used. */
  public record Unused(String file, long since) {

    public Unused {
      RowFile.requireName(file);
    }
  }

  public RowManifest {
    if (rows == null) {
      throw new IllegalArgumentException("it doesn't say whose rows these are");
    }
    writers = writers == null ? List.of() : List.copyOf(writers);
    tables = tables == null ? List.of() : List.copyOf(tables);
    unused = unused == null ? List.of() : List.copyOf(unused);
    model = model == null ? "" : model;
  }

  /** Returns what there is before the first version of rows of a name. */
  static RowManifest first(String rows) {
    return new RowManifest(FORMAT, rows, List.of(), 0, 0, 0, "", List.of(), List.of());
  }

  /** Returns the same files as another writer's version. */
  RowManifest by(String writer, long newSequence) {
    List<Writer> all = new ArrayList<>(writers);
    all.add(new Writer(writer, newSequence, newSequence));
    return with(
        all.subList(Math.max(0, all.size() - MOST_WRITERS), all.size()),
        newSequence,
        checkpoint,
        tables,
        unused);
  }

  /** Returns the next version of its writer. */
  RowManifest next(long ofCheckpoint, List<Table> newTables, List<Unused> newUnused) {
    List<Writer> all = new ArrayList<>(writers);
    Writer last = all.remove(all.size() - 1);
    all.add(new Writer(last.writer, last.from, sequence + 1));
    return with(all, sequence + 1, ofCheckpoint, newTables, newUnused);
  }

  private RowManifest with(
      List<Writer> newWriters,
      long newSequence,
      long newCheckpoint,
      List<Table> newTables,
      List<Unused> newUnused) {
    return new RowManifest(
        FORMAT, rows, newWriters, newSequence, newCheckpoint, time, model, newTables, newUnused);
  }

  RowManifest published(long now, String newestModel) {
    return new RowManifest(
        FORMAT, rows, writers, sequence, checkpoint, now, newestModel, tables, unused);
  }

  /** Returns the attempt whose version it is; empty before the first. */
  String writer() {
    return writers.isEmpty() ? "" : writers.get(writers.size() - 1).writer;
  }

  /** Whether it is a version, or comes of it. */
  boolean comesOf(String ofRows, String writer, long number) {
    return rows.equals(ofRows)
        && writers.stream()
            .anyMatch(one -> one.writer.equals(writer) && one.from <= number && number <= one.to);
  }

  /** Returns the names of all files that are in use, or were a while ago. */
  Set<String> files() {
    Set<String> all = new LinkedHashSet<>(usedFiles());
    unused.forEach(file -> all.add(file.file));
    return all;
  }

  /** Returns the names of the files that have the rows. */
  Set<String> usedFiles() {
    Set<String> used = new LinkedHashSet<>();
    tables.forEach(table -> table.files.forEach(file -> used.add(file.file())));
    return used;
  }

  byte[] toJson() {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Reads a manifest.
   *
   * @param where it was found, for messages
   * @throws IOException if it is damaged, or of another release
   */
  static RowManifest read(byte[] json, Object where) throws IOException {
    try {
      JsonNode tree = JSON.readTree(json);
      int format = tree.path("format").asInt();
      if (format != FORMAT) {
        throw new IOException(
            "%s in %s has the format %s, and this release reads %s"
                .formatted(NAME, where, format, FORMAT));
      }
      return JSON.treeToValue(tree, RowManifest.class);
    } catch (JsonProcessingException e) {
      String why =
          e.getCause() instanceof IllegalArgumentException wrong
              ? wrong.getMessage()
              : e.getOriginalMessage();
      throw new IOException("%s in %s is damaged: %s".formatted(NAME, where, why), e);
    }
  }
}
