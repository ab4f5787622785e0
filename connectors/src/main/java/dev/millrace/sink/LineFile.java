package dev.millrace.sink;

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
import org.apache.flink.metrics.Counter;

/**
 * A sink that appends lines of text, UTF-8, to one file on the machine where it runs. The file and
 * the directories above it are made with the first line. Each line is in the file when the next one
 * comes; after a failure, lines since the last checkpoint may be there twice. A line that can't be
 * written, as on a full disk, is counted as {@code numRecordsSendErrors} and told in the log, and
 * the next one is tried.
 *
 * <p>Writers of several subtasks on one machine may share the file: each line is one append.
 */
public final class LineFile implements Sink<String> {

  private final String file;

  public LineFile(Path file) {
    this.file = file.toAbsolutePath().toString();
  }

  @Override
  public SinkWriter<String> createWriter(WriterInitContext context) {
    return open(context.metricGroup().getNumRecordsSendErrorsCounter());
  }

  /**
   * @param lost counts lines that couldn't be written
   */
  SinkWriter<String> open(Counter lost) {
    return new Appender(Path.of(file), new LostLines("The file " + file, lost));
  }

  private static final class Appender implements SinkWriter<String> {

    private final Path file;
    private final LostLines lost;

    /** Null before the first line, and after one that couldn't be written. */
    private OutputStream out;

    Appender(Path file, LostLines lost) {
      this.file = file;
      this.lost = lost;
    }

    @Override
    public void write(String line, Context context) {
      try {
        if (out == null) {
          reopen();
        }
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        lost.add(e.getClass().getSimpleName() + " " + e.getMessage());
        close();
      }
    }

    private void reopen() throws IOException {
      Files.createDirectories(file.getParent());
      boolean cut = endsWithinALine();
      out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      if (cut) {
        out.write('\n');
      }
    }

    /** Says whether the file ends within a line, as a full disk leaves it. */
    private boolean endsWithinALine() throws IOException {
      if (!Files.exists(file) || Files.size(file) == 0) {
        return false;
      }
      try (RandomAccessFile end = new RandomAccessFile(file.toFile(), "r")) {
        end.seek(end.length() - 1);
        return end.read() != '\n';
      }
    }

    @Override
    public void flush(boolean endOfInput) {
      // Nothing is held back.
    }

    @Override
    public void close() {
      OutputStream open = out;
      out = null;
      try {
        if (open != null) {
          open.close();
        }
      } catch (IOException e) {
        lost.add(e.getClass().getSimpleName() + " " + e.getMessage());
      }
    }
  }
}
