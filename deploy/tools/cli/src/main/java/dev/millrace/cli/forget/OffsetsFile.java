package dev.millrace.cli.forget;

import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file that names records by their places: {@code clicks 0:1200+32}, a line for each run. */
final class OffsetsFile {

  private OffsetsFile() {}

  /**
   * Reads one. Lines that are empty or begin with {@code #} say nothing.
   *
   * @throws IOException if it can't be read, or a line is something else
   */
  static RecordSet read(Path file) throws IOException {
    RecordSet records = new RecordSet();
    List<String> lines = Files.readAllLines(file);
    for (int number = 1; number <= lines.size(); number++) {
      String line = lines.get(number - 1).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        records.add(run(line, file, number));
      }
    }
    return records;
  }

  private static RecordRun run(String line, Path file, int number) throws IOException {
    int space = line.lastIndexOf(' ');
    try {
      String topic = line.substring(0, Math.max(space, 0)).strip();
      String place = line.substring(space + 1);
      if (topic.isEmpty()) {
        throw new IllegalArgumentException("It names no topic");
      }
      return RecordRun.parse(topic, place.contains("+") ? place : place + "+1");
    } catch (IllegalArgumentException e) {
      throw new IOException(
          ("Line %s of %s is '%s'; a topic, a partition and an offset are expected, such as"
                  + " 'clicks 0:1200', or 'clicks 0:1200+32' for 32 records")
              .formatted(number, file, line),
          e);
    }
  }
}
