package dev.millrace.snapshot;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Writes the snapshots of one job into one place: the archive, then its description, then {@value
 * Pointer#LATEST}, which names both. So there is an archive for every description, and there are
 * whole files for every pointer, whenever a writer dies.
 *
 * <p>Versions in a place only grow: a model that isn't newer than all that are there is refused, so
 * that an attempt of a job which has been given up can't undo what the next one wrote.
 *
 * <p>Not thread-safe.
 */
public final class SnapshotWriter {

  private final SnapshotStore store;
  private final SnapshotCatalog catalog;
  private final ModelEngine engine;
  private final Optional<PublicationGate> gate;
  private final Retention.Sweeper sweeper;
  private final InstantSource clock;
  private final Optional<ModelSigner> signer;

  /** Written, and not known to be covered by a checkpoint. */
  private final List<SnapshotDescription> fresh = new ArrayList<>();

  /**
   * Begins to write where others may have written before.
   *
   * @throws IOException if it can't be found out what is there
   */
  public SnapshotWriter(
      SnapshotStore store,
      ModelEngine engine,
      Optional<PublicationGate> gate,
      Retention retention,
      InstantSource clock,
      Optional<ModelSigner> signer)
      throws IOException {
    this.store = store;
    this.catalog = new SnapshotCatalog(store);
    this.engine = engine;
    this.gate = gate;
    this.sweeper = new Retention.Sweeper(retention, store);
    this.clock = clock;
    this.signer = signer;
    store.clean();
  }

  /** Begins to write models that nobody signs. */
  public SnapshotWriter(
      SnapshotStore store,
      ModelEngine engine,
      Optional<PublicationGate> gate,
      Retention retention,
      InstantSource clock)
      throws IOException {
    this(store, engine, gate, retention, clock, Optional.empty());
  }

  /**
   * Writes one snapshot, {@linkplain SnapshotState#FRESH fresh}, and deletes those that needn't be
   * kept. It is served from now on unless the gate refuses it or another is held. One that is there
   * already, from before a failure, stays as it is.
   *
   * @param holdOut measures of this model on the hold-out set
   * @throws IOException if it couldn't be written; earlier snapshots, and the pointer to the latest
   *     of them, are then as they were
   */
  public SnapshotDescription write(GlobalModel model, Optional<Measures> holdOut)
      throws IOException {
    return write(model, holdOut, false);
  }

  /**
   * The same.
   *
   * @param beforeDrift whether it is the model of before a drift, which {@link Retention} spares
   */
  public SnapshotDescription write(
      GlobalModel model, Optional<Measures> holdOut, boolean beforeDrift) throws IOException {
    Optional<SnapshotDescription> there = catalog.find(model.version());
    if (there.isPresent()) {
      track(there.get());
      return there.get();
    }
    // Looked up each time: an attempt given up may write until it notices.
    Optional<ModelVersion> newest = catalog.newest();
    requireNewer(model.version(), newest);
    SnapshotDescription snapshot =
        SnapshotDescription.of(model, holdOut, clock.instant()).numbered(numberOf(newest) + 1);
    if (beforeDrift) {
      snapshot = snapshot.ofBeforeDrift();
    }
    if (gate.isPresent()) {
      snapshot =
          snapshot.judged(gate.get().judge(snapshot.holdOut(), catalog.described(Pointer.LATEST)));
    }
    SnapshotName name = new SnapshotName(model.version());
    String text = snapshot.toJson();
    AtomicReference<String> signature = new AtomicReference<>();
    store.put(
        name.archive(),
        file -> {
          engine.writeArchive(model, Optional.of(text), file);
          if (signer.isPresent()) {
            signature.set(signer.get().sign(model.version(), file));
          }
        });
    snapshot = snapshot.signed(signature.get());
    put(name.description(), snapshot.toJson());
    track(snapshot);
    if (snapshot.mayBeServed()) {
      point(Pointer.LATEST, name);
    }
    Set<ModelVersion> deleted = sweeper.sweep();
    fresh.removeIf(other -> deleted.contains(other.version()));
    return snapshot;
  }

  /**
   * Takes over what an earlier attempt wrote ahead of the checkpoint that this one goes on from,
   * and had not committed.
   *
   * @param covered the newest of its snapshots; each attempt has a generation of its own
   */
  public void adopt(ModelVersion covered) throws IOException {
    ModelVersion first = new ModelVersion(covered.generation(), 0);
    for (ModelVersion version : catalog.versions().subSet(first, true, covered, true)) {
      catalog.find(version).ifPresent(this::track);
    }
  }

  private void track(SnapshotDescription snapshot) {
    if (snapshot.state() == SnapshotState.FRESH && !fresh.contains(snapshot)) {
      fresh.add(snapshot);
    }
  }

  /**
   * A completed checkpoint holds {@code covered}: with it, all snapshots up to there are committed.
   *
   * @return those that have become so, oldest first
   */
  public List<SnapshotDescription> commit(ModelVersion covered, long checkpoint)
      throws IOException {
    List<SnapshotDescription> committed = new ArrayList<>();
    for (SnapshotDescription snapshot : fresh) {
      if (snapshot.version().compareTo(covered) <= 0) {
        committed.add(snapshot.committed(checkpoint));
      }
    }
    for (SnapshotDescription snapshot : committed) {
      put(new SnapshotName(snapshot.version()).description(), snapshot.toJson());
    }
    Optional<SnapshotDescription> newestServed =
        committed.stream().filter(SnapshotDescription::mayBeServed).reduce((older, newer) -> newer);
    if (newestServed.isPresent()) {
      point(Pointer.COMMITTED, new SnapshotName(newestServed.get().version()));
    }
    fresh.removeIf(snapshot -> snapshot.version().compareTo(covered) <= 0);
    return committed;
  }

  private void requireNewer(ModelVersion version, Optional<ModelVersion> newest)
      throws IOException {
    if (newest.isPresent() && newest.get().compareTo(version) >= 0) {
      throw new IOException(
          ("Model %s isn't written to %s, where there is model %s: versions only go up. Does"
                  + " another job publish to the same place? Give each a directory"
                  + " of its own")
              .formatted(version, store.locate(""), newest.get()));
    }
  }

  private long numberOf(Optional<ModelVersion> version) throws IOException {
    return version.isEmpty()
        ? 0
        : catalog.find(version.get()).map(SnapshotDescription::number).orElse(0L);
  }

  /** Never back to an older model, nor away from one that is held. */
  private void point(String pointer, SnapshotName name) throws IOException {
    if (catalog.pointer(Pointer.LATEST).filter(Pointer::held).isPresent()) {
      return;
    }
    Optional<Pointer> there = catalog.pointer(pointer);
    if (there.isEmpty()
        || ModelVersion.parse(there.get().version()).compareTo(name.version()) < 0) {
      put(pointer, Pointer.to(name).toJson());
    }
  }

  private void put(String name, String text) throws IOException {
    store.put(name, file -> Files.writeString(file, text, StandardCharsets.UTF_8));
  }
}
