package dev.millrace.file;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * A sink that appends lines of text, UTF-8, to one file on the machine where it runs. The file and
 * the directories above it are made when the job starts. Each line is in the file when the next one
 * comes; after a failure, lines since the last checkpoint may be there twice.
 *
 * <p>Writers of several subtasks on one machine may share the file: each line is one append.
 */
public final class LineFile implements Sink<String> {

  private final String file;

  public LineFile(Path file) {
    this.file = file.toAbsolutePath().toString();
  }

  @Override
  public SinkWriter<String> createWriter(WriterInitContext context) throws IOException {
    return new Appender(Path.of(file));
  }

  private static final class Appender implements SinkWriter<String> {

    private final OutputStream out;

    Appender(Path file) throws IOException {
      Files.createDirectories(file.getParent());
      boolean cut = endsWithinALine(file);
      out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      if (cut) {
        out.write('\n');
      }
    }

    /** As a full disk leaves it. */
    private static boolean endsWithinALine(Path file) throws IOException {
      if (!Files.exists(file) || Files.size(file) == 0) {
        return false;
      }
      try (RandomAccessFile end = new RandomAccessFile(file.toFile(), "r")) {
        end.seek(end.length() - 1);
        return end.read() != '\n';
      }
    }

    @Override
    public void write(String line, Context context) throws IOException {
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void flush(boolean endOfInput) {
      // Nothing is held back.
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
