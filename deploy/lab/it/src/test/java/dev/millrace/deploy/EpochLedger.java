package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.PartitionProgress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The ledger of a model that was learned in epochs by two workers. */
final class EpochLedger {

  private EpochLedger() {}

  /**
   * Checks that each example of each epoch is in the model once.
   *
   * @param directory of the training, or one above it
   * @param examples of an epoch
   */
  static void requireAllOnce(Path directory, int epochs, long examples) throws Exception {
    Path models;
    try (Stream<Path> files = Files.walk(directory)) {
      models = files.filter(file -> file.endsWith("models")).findFirst().orElseThrow();
    }
    List<PartitionProgress> ledger =
        LatestSnapshot.find(models).orElseThrow().description().ledger();
    assertThat(ledger).hasSize(2 * epochs);
    Map<String, Long> byEpoch = new TreeMap<>();
    for (PartitionProgress share : ledger) {
      long count = share.learned().count();
      byEpoch.merge(share.topic(), count, Long::sum);
      assertThat(share.learned().sum())
          .as("numbers of the examples of %s", share)
          .isEqualTo(count * (count - 1) / 2);
    }
    assertThat(byEpoch.values()).hasSize(epochs).containsOnly(examples);
  }
}
