package dev.millrace.job.updates;

import dev.millrace.model.ModelVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Updates whose whole models aren't there yet. While one model is read, updates of two are sent.
 * Where they take too much memory, those of the oldest model are dropped.
 *
 * <p>Not thread-safe.
 */
final class WaitingUpdates {

  private static final long MOST_BYTES = 64 << 20;

  /** What an update takes besides its change, and a ledger of many partitions. */
  private static final long EACH = 4096;

  private final NavigableMap<ModelVersion, List<ModelUpdate>> byModel = new TreeMap<>();
  private long bytes;

  void add(ModelUpdate update) {
    byModel.computeIfAbsent(update.whole(), any -> new ArrayList<>()).add(update);
    bytes += size(update);
    while (bytes > MOST_BYTES) {
      forget(byModel.pollFirstEntry().getValue());
    }
  }

  /**
   * Returns those of a model in the order in which they came; they wait no more, nor do those of
   * older models.
   */
  List<ModelUpdate> take(ModelVersion whole) {
    List<ModelUpdate> taken = byModel.getOrDefault(whole, List.of());
    NavigableMap<ModelVersion, List<ModelUpdate>> past = byModel.headMap(whole, true);
    past.values().forEach(this::forget);
    past.clear();
    return taken;
  }

  private void forget(List<ModelUpdate> updates) {
    updates.forEach(update -> bytes -= size(update));
  }

  private static long size(ModelUpdate update) {
    return EACH + update.change().length;
  }
}
