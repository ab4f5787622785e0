package dev.millrace.cli.rows;

import dev.millrace.cli.console.ReadingProgress;
import dev.millrace.exchange.rows.SavedRow;
import dev.millrace.exchange.rows.SavedTable;
import dev.millrace.model.io.Reason;
import dev.millrace.snapshot.AtomicFile;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes the rows of all tables, a file each, into a directory beside the model's archive. */
public final class RowsExport implements AutoCloseable {

  /** A table that was written. */
  public record Written(String table, long rows, Path file, long bytes) {}

  private final List<SavedTable> tables;
  private final Path directory;
  private final List<AtomicFile> files = new ArrayList<>();

  private RowsExport(List<SavedTable> tables, Path archive) {
    this.tables = tables;
    String name = String.valueOf(archive.getFileName());
    int end = name.lastIndexOf('.');
    this.directory = archive.resolveSibling((end > 0 ? name.substring(0, end) : name) + "-rows");
  }

  /**
   * Writes all rows, under hidden names. Memory doesn't grow with the number of rows.
   *
   * @param archive that the directory is called after: {@code model-rows} beside {@code model.zip}
   * @param replace whether files may be there already
   * @param facts of the model, for the files' metadata
   * @throws IOException naming the file and the cause
   */
  public static RowsExport write(
      StoredTables stored,
      Path archive,
      boolean replace,
      Map<String, String> facts,
      ReadingProgress progress)
      throws IOException {
    RowsExport export = new RowsExport(stored.tables(), archive);
    try {
      export.write(stored, replace, facts, progress);
      return export;
    } catch (IOException | RuntimeException e) {
      export.close();
      throw e;
    }
  }

  private void write(
      StoredTables stored, boolean replace, Map<String, String> facts, ReadingProgress progress)
      throws IOException {
    if (tables.isEmpty()) {
      return;
    }
    List<RowTensors> open = new ArrayList<>();
    try {
      Files.createDirectories(directory);
      for (SavedTable table : tables) {
        files.add(AtomicFile.create(file(table), replace));
        open.add(new RowTensors(table, facts, files.get(files.size() - 1).unfinished()));
      }
      stored.forEach((table, row) -> add(open.get(table), row), progress);
      for (RowTensors tensors : open) {
        tensors.finish();
      }
    } catch (FileSystemException e) {
      throw unwritable(e);
    } finally {
      for (RowTensors tensors : open) {
        tensors.close();
      }
    }
  }

  private void add(RowTensors tensors, SavedRow row) throws IOException {
    try {
      tensors.add(row);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private IOException unwritable(IOException cause) {
    return new IOException("%s can't be written: %s".formatted(directory, Reason.of(cause)), cause);
  }

  /** A name of a table may have any characters; a file's has letters, digits and few others. */
  private Path file(SavedTable table) {
    String name =
        URLEncoder.encode(table.name(), StandardCharsets.UTF_8)
            .replace("+", "%20")
            .replace("*", "%2A");
    return directory.resolve(name + ".safetensors");
  }

  /** Puts all files into their places. */
  public List<Written> commit() throws IOException {
    List<Written> written = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      files.get(i).commit();
      Path file = file(tables.get(i));
      written.add(
          new Written(tables.get(i).name(), tables.get(i).counts().rows(), file, Files.size(file)));
    }
    return written;
  }

  /** Deletes what wasn't committed. */
  @Override
  public void close() throws IOException {
    for (AtomicFile file : files) {
      file.close();
    }
  }
}
