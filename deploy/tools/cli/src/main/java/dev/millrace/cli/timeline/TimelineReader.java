package dev.millrace.cli.timeline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads the timelines among the records of a metrics file, one line at a time. */
final class TimelineReader {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private TimelineReader() {}

  /**
   * Lines that are no whole record, as a killed job leaves them.
   *
   * @param first number of the first one, from 1; 0 where there is none
   */
  record Unreadable(int count, long first) {}

  /**
   * Gives every round to {@code rounds}, in the file's order.
   *
   * @throws IOException naming the file, where it can't be read
   */
  static Unreadable read(Path file, Consumer<TimelineRound> rounds) throws IOException {
    if (!Files.exists(file)) {
      throw new IOException("%s: there is no such file".formatted(file));
    }
    if (Files.isDirectory(file)) {
      throw new IOException("%s is a directory; name a file of metric records".formatted(file));
    }
    if (!Files.isReadable(file)) {
      throw new IOException("%s can't be read: this user may not".formatted(file));
    }
    int count = 0;
    long first = 0;
    // Not by Files, whose readers fail where a character is cut in half.
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
      long number = 0;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        number++;
        if (!line.isBlank() && !take(line, rounds)) {
          first = count == 0 ? number : first;
          count++;
        }
      }
    }
    return new Unreadable(count, first);
  }

  private static boolean take(String line, Consumer<TimelineRound> rounds) {
    TimelineRound round;
    try {
      JsonNode record = MAPPER.readTree(line);
      if (!record.isObject()) {
        return false;
      }
      if (!record.path("type").asText().equals("timeline")) {
        return true;
      }
      round = MAPPER.treeToValue(record, TimelineRound.class);
    } catch (JsonProcessingException e) {
      return false;
    }
    rounds.accept(round);
    return true;
  }
}
