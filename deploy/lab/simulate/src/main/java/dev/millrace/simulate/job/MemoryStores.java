package dev.millrace.simulate.job;

import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotStoreExtension;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Where jobs find stores in memory, by their location. */
public final class MemoryStores implements SnapshotStoreExtension {

  /** Begins each location. */
  public static final String SCHEME = "simulated";

  private static final Map<String, SnapshotStore> STORES = new ConcurrentHashMap<>();

  /** Has a store be found. */
  public static void add(String location, SnapshotStore store) {
    STORES.put(location, store);
  }

  /** Has a store be found no more. */
  public static void remove(String location) {
    STORES.remove(location);
  }

  @Override
  public String name() {
    return SCHEME;
  }

  @Override
  public SnapshotStore create(Map<String, String> options) {
    return STORES.get(options.get(LOCATION));
  }
}
