package dev.millrace.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A run that scored in figures, for scripts.
 *
 * @param rejected records that were no example
 * @param seconds from the start of the job to its end
 */
record ScoringSummary(long predictions, long rejected, double seconds) {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  void write(Path file) throws IOException {
    Files.writeString(file, JSON.writeValueAsString(this) + "\n");
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "Predicted for %,d examples in %s; %,d records were rejected",
        predictions,
        ProgressLine.duration(Math.round(seconds)),
        rejected);
  }
}
