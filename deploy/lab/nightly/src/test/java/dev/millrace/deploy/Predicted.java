package dev.millrace.deploy;

import static org.awaitility.Awaitility.await;

import dev.millrace.kafka.testing.Predictions;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which records have been predicted, and by which models. It keeps neither predictions nor offsets
 * as objects: hours of them would leave the processor to the garbage collector.
 */
final class Predicted {

  private final Predictions predictions;
  private final Map<Partition, BitSet> offsets = new HashMap<>();
  private final Set<ModelVersion> versions = new HashSet<>();

  Predicted(Predictions predictions) {
    this.predictions = predictions;
  }

  /** How many there are by now, each counted once. */
  long records() throws IOException {
    for (Predictions.One one : predictions.readMore()) {
      offsets
          .computeIfAbsent(one.partition(), any -> new BitSet())
          .set(Math.toIntExact(one.offset()));
      versions.add(ModelVersion.parse(one.value().get("version").asText()));
    }
    return offsets.values().stream().mapToLong(BitSet::cardinality).sum();
  }

  /** Of the models of those that {@link #records} has counted. */
  Set<ModelVersion> versions() {
    return versions;
  }

  void awaitMore(int count, Duration limit) throws IOException {
    long before = records();
    await().pollInSameThread().atMost(limit).until(() -> records() >= before + count);
  }
}
