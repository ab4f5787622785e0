package dev.millrace.snapshot;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes snapshots: {@code model-<version>.zip}, then its description {@code model-<version>.json},
 * then {@value #LATEST}, which names both. So there is an archive for every description, and
 * complete files for every pointer, whenever a writer dies.
 *
 * <p>Not thread-safe.
 */
public final class SnapshotWriter {

  /** The file that names the files of the snapshot written last. */
  public static final String LATEST = "latest.json";

  private static final Pattern FILE = Pattern.compile("(model-\\d+\\.\\d+)\\.(zip|json)");

  private final SnapshotStore store;
  private final ModelEngine engine;
  private final Map<String, String> configuration;
  private final int keep;
  private final InstantSource clock;

  /** What {@value #LATEST} holds. */
  record Pointer(String version, String archive, String description) {}

  /**
   * @param configuration goes into every description
   * @param keep how many snapshots stay, the newest ones; at least 1
   */
  public SnapshotWriter(
      SnapshotStore store,
      ModelEngine engine,
      Map<String, String> configuration,
      int keep,
      InstantSource clock) {
    if (keep < 1) {
      throw new IllegalArgumentException("At least one snapshot must be kept, not " + keep);
    }
    this.store = store;
    this.engine = engine;
    this.configuration = Map.copyOf(configuration);
    this.keep = keep;
    this.clock = clock;
  }

  /**
   * Writes one snapshot and deletes those that needn't be kept.
   *
   * @param holdOut measures of this model on the hold-out set
   * @throws IOException if it couldn't be written; earlier snapshots, and the pointer to the latest
   *     of them, are then as they were
   */
  public Snapshot write(GlobalModel model, Optional<Measures> holdOut) throws IOException {
    String name = "model-" + model.version();
    String archive = name + ".zip";
    String description = name + ".json";
    SnapshotDescription described =
        SnapshotDescription.of(model, holdOut, configuration, clock.instant());
    Pointer pointer = new Pointer(model.version().toString(), archive, description);

    store.put(archive, file -> engine.writeArchive(model, file));
    store.put(description, file -> Files.writeString(file, described.toJson()));
    store.put(LATEST, file -> SnapshotDescription.MAPPER.writeValue(file.toFile(), pointer));
    deleteAllBut(name);
    return new Snapshot(model.version(), store.locate(archive), store.locate(description));
  }

  /** Descriptions go first, so that each that is there has its archive. */
  private void deleteAllBut(String newest) throws IOException {
    // By age and not by version: a job that starts anew in the same place begins with version 0.0.
    Set<String> others = new LinkedHashSet<>();
    for (String file : store.names()) {
      Matcher matcher = FILE.matcher(file);
      if (matcher.matches() && !matcher.group(1).equals(newest)) {
        others.add(matcher.group(1));
      }
    }
    List<String> oldestFirst = new ArrayList<>(others);
    for (String name : oldestFirst.subList(0, Math.max(0, oldestFirst.size() - (keep - 1)))) {
      store.delete(name + ".json");
      store.delete(name + ".zip");
    }
  }
}
