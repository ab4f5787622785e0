package dev.millrace.chaos;

import dev.millrace.snapshot.LatestSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * What one job reads and writes.
 *
 * @param directory holds all of it
 */
record JobFiles(Path directory) {

  private static final long POLL_MILLIS = 100;

  Path metrics() {
    return directory.resolve("metrics.jsonl");
  }

  Path models() {
    return directory.resolve("models");
  }

  /**
   * Writes the job's configuration.
   *
   * @param more options that win over the others
   * @return the file
   */
  Path write(Map<String, String> options, Map<String, String> more) throws IOException {
    Files.createDirectories(directory);
    Map<String, String> all = new TreeMap<>(options);
    all.put("snapshot.directory", models().toString());
    all.put("snapshot.interval", "2 s");
    all.put("metrics.file", metrics().toString());
    all.put("metrics.interval", "100 ms");
    all.putAll(more);
    List<String> lines =
        all.entrySet().stream()
            .map(
                option ->
                    "%s: '%s'".formatted(option.getKey(), option.getValue().replace("'", "''")))
            .toList();
    return Files.write(directory.resolve("train.yaml"), lines);
  }

  /**
   * Waits for a latest model that has learned from so many records.
   *
   * @return the latest there is after {@code limit}, where none such comes
   * @throws ChaosException if there is none
   */
  LatestSnapshot latest(long records, Duration limit) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      Optional<LatestSnapshot> latest = LatestSnapshot.find(models());
      if (latest.filter(found -> found.description().learned() >= records).isPresent()
          || System.nanoTime() > deadline) {
        return latest.orElseThrow(
            () -> new ChaosException("There is no latest model in " + models()));
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }
}
