package dev.millrace.snapshot;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
  private final WriterClaim claim;

  /** Written, and not known to be covered by a checkpoint. */
  private final List<SnapshotDescription> fresh = new ArrayList<>();

  /** Models that are committed, whose writer may have failed or died before it pointed to them. */
  private final List<SnapshotDescription> toPointTo = new ArrayList<>();

  /**
   * Begins to write models that nobody signs where others may have written before, continuing from
   * none of them.
   *
   * @throws IOException if the place can't be made ready
   */
  public SnapshotWriter(
      SnapshotStore store,
      ModelEngine engine,
      Optional<PublicationGate> gate,
      Retention retention,
      InstantSource clock)
      throws IOException {
    this(store, engine, gate, retention, clock, Writers.first(), Optional.empty());
  }

  /**
   * Begins to write where others may have written before.
   *
   * @param writers models of any other writer are neither replaced nor committed
   * @param signer signs each model, if there is one
   * @throws IOException if the place can't be made ready
   */
  public SnapshotWriter(
      SnapshotStore store,
      ModelEngine engine,
      Optional<PublicationGate> gate,
      Retention retention,
      InstantSource clock,
      Writers writers,
      Optional<ModelSigner> signer)
      throws IOException {
    this.store = store;
    this.catalog = new SnapshotCatalog(store);
    this.engine = engine;
    this.gate = gate;
    this.sweeper = new Retention.Sweeper(retention, store);
    this.clock = clock;
    this.signer = signer;
    this.claim = new WriterClaim(store, writers);
    store.clean();
  }

  /**
   * Writes one snapshot, {@linkplain SnapshotState#FRESH fresh}. It is served from now on unless
   * the gate refuses it or another is held. One that is there already, from before a failure, stays
   * as it is, also where another job has taken over since.
   *
   * @param holdOut what this model does on the hold-out set
   * @throws IOException if it couldn't be written; earlier snapshots, and the pointer to the latest
   *     of them, are then as they were
   */
  public SnapshotDescription write(GlobalModel model, Optional<HoldOutResult> holdOut)
      throws IOException {
    return write(model, holdOut, false);
  }

  /**
   * Writes one snapshot, which may be the model of before a drift.
   *
   * @param beforeDrift whether it is the model of before a drift, which {@link Retention} spares
   */
  public SnapshotDescription write(
      GlobalModel model, Optional<HoldOutResult> holdOut, boolean beforeDrift) throws IOException {
    return write(model, holdOut, beforeDrift, false);
  }

  /**
   * Writes the model that the job goes on from when it is started again, and has it served, also
   * where later rounds of the same generation have been published: what they learned will be
   * learned again.
   *
   * @param holdOut what this model does on the hold-out set
   * @throws IOException as of {@link #write}
   */
  public SnapshotDescription writeLast(GlobalModel model, Optional<HoldOutResult> holdOut)
      throws IOException {
    return write(model, holdOut, false, true);
  }

  private SnapshotDescription write(
      GlobalModel model, Optional<HoldOutResult> holdOut, boolean beforeDrift, boolean last)
      throws IOException {
    Optional<SnapshotDescription> there = catalog.find(model.version());
    if (there.isEmpty() || !claim.isOwn(model.version().generation())) {
      claim.require(model.version().generation());
    }
    if (there.isPresent()) {
      track(there.get());
      // Whoever wrote it may have died before it got so far.
      pointToLatest(there.get(), last);
      return there.get();
    }
    SnapshotName name = new SnapshotName(model.version());
    // Looked up each time: an attempt given up may write until it notices.
    Optional<ModelVersion> newest = catalog.newest();
    requireNewer(model.version(), newest, last);
    SnapshotDescription snapshot =
        SnapshotDescription.of(model, holdOut.map(HoldOutResult::quality), clock.instant())
            .numbered(numberOf(newest) + 1);
    if (beforeDrift) {
      snapshot = snapshot.ofBeforeDrift();
    }
    if (gate.isPresent()) {
      snapshot = snapshot.judged(judge(gate.get(), holdOut));
    }
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
    there = catalog.find(model.version());
    if (there.isPresent() && there.get().state() == SnapshotState.COMMITTED) {
      // Whoever goes on from this attempt has written it meanwhile.
      snapshot = snapshot.committed(there.get().checkpoint());
    }
    put(name.description(), snapshot.toJson());
    track(snapshot);
    pointToLatest(snapshot, last);
    return snapshot;
  }

  /**
   * Deletes snapshots that needn't be kept. Not to be called behind {@link #writeLast}: what the
   * job ends with may be older than others, and isn't committed yet.
   *
   * @throws IOException if some couldn't be deleted; they are tried again with the next call
   */
  public void sweep() throws IOException {
    sweeper.sweep(deleted -> fresh.removeIf(snapshot -> snapshot.version().equals(deleted)));
  }

  private PublicationGate.Verdict judge(PublicationGate by, Optional<HoldOutResult> candidate)
      throws IOException {
    Optional<SnapshotDescription> serving = catalog.described(Pointer.LATEST);
    return by.judge(
        candidate.map(HoldOutResult::quality),
        serving.map(SnapshotDescription::version),
        candidate.flatMap(ours -> serving.flatMap(theirs -> ours.ofServed(theirs, store))));
  }

  private void pointToLatest(SnapshotDescription snapshot, boolean last) throws IOException {
    if (snapshot.mayBeServed() && (last || !claim.isAboutToBeOvertaken())) {
      point(Pointer.LATEST, snapshot.version(), last);
    }
  }

  /**
   * Takes over what an earlier attempt wrote ahead of the checkpoint that this one goes on from,
   * and had not committed. Models of a writer that this one doesn't continue from are left alone.
   *
   * @param covered the newest of its snapshots; each attempt has a generation of its own
   * @return those that had been committed, oldest first
   */
  public List<SnapshotDescription> adopt(ModelVersion covered) throws IOException {
    List<SnapshotDescription> committed = new ArrayList<>();
    if (claim.isOwn(covered.generation())) {
      ModelVersion first = new ModelVersion(covered.generation(), 0);
      for (ModelVersion version : catalog.versions().subSet(first, true, covered, true)) {
        Optional<SnapshotDescription> found = catalog.find(version);
        found.ifPresent(this::track);
        found.filter(one -> one.state() == SnapshotState.COMMITTED).ifPresent(committed::add);
      }
    }
    if (!committed.isEmpty()) {
      // There may be later ones, and the pointer may name what a person has just let go of.
      catalog.newest(SnapshotDescription::mayBeServedAsCommitted).ifPresent(toPointTo::add);
    }
    return committed;
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
   * @throws RefusedModelException if another job has taken over, and written a later model: the
   *     pointer would go back
   */
  public List<SnapshotDescription> commit(ModelVersion covered, long checkpoint)
      throws IOException {
    List<SnapshotDescription> committed = new ArrayList<>();
    for (SnapshotDescription snapshot : fresh) {
      if (snapshot.version().compareTo(covered) <= 0) {
        committed.add(snapshot.committed(checkpoint));
      }
    }
    if (!committed.isEmpty()) {
      requireNotOvertaken(covered);
    }
    for (SnapshotDescription snapshot : committed) {
      put(new SnapshotName(snapshot.version()).description(), snapshot.toJson());
    }
    toPointTo.addAll(committed);
    Optional<ModelVersion> newestServed =
        toPointTo.stream()
            .filter(SnapshotDescription::mayBeServed)
            .map(SnapshotDescription::version)
            .max(Comparator.naturalOrder());
    if (newestServed.isPresent()) {
      point(Pointer.COMMITTED, newestServed.get(), false);
    }
    toPointTo.clear();
    fresh.removeIf(snapshot -> snapshot.version().compareTo(covered) <= 0);
    return committed;
  }

  private void requireNewer(ModelVersion version, Optional<ModelVersion> newest, boolean last)
      throws IOException {
    if (newest.isEmpty() || newest.get().compareTo(version) < 0) {
      return;
    }
    boolean ofThisAttempt = newest.get().generation() == version.generation();
    if (last && ofThisAttempt) {
      return;
    }
    throw new RefusedModelException(
        "Model %s isn't written to %s, where there is model %s: versions only go up. %s"
            .formatted(
                version,
                store.locate(""),
                newest.get(),
                ofThisAttempt
                    ? "A later model of this job was published before it"
                    : "Does another job publish to the same place? Give each a directory of its"
                        + " own"));
  }

  private void requireNotOvertaken(ModelVersion covered) throws IOException {
    Optional<ModelVersion> newest = catalog.newest();
    if (claim.newest() >= 0 && newest.isPresent() && newest.get().generation() > claim.newest()) {
      throw new RefusedModelException(
          "Models up to %s aren't committed in %s, where another job has published %s since: stop one of the two, or give each a directory of its own"
              .formatted(covered, store.locate(""), newest.get()));
    }
  }

  private long numberOf(Optional<ModelVersion> version) throws IOException {
    return version.isEmpty()
        ? 0
        : catalog.find(version.get()).map(SnapshotDescription::number).orElse(0L);
  }

  /**
   * Never back to an older model, but for the last one, nor away from one that is held. A store may
   * take long to write, so it is looked at again afterwards: meanwhile a person may have put a
   * model back, and another job may have pointed to a later one.
   */
  private void point(String pointer, ModelVersion version, boolean last) throws IOException {
    Optional<Hold> held;
    Optional<ModelVersion> later = Optional.empty();
    do {
      held = catalog.hold();
      boolean written = point(pointer, later.orElse(version), last && later.isEmpty(), held);
      later = written ? later(pointer, later.orElse(version)) : Optional.empty();
    } while (later.isPresent() || !catalog.hold().equals(held));
  }

  /** Returns whether the pointer was another one. */
  private boolean point(String pointer, ModelVersion version, boolean last, Optional<Hold> held)
      throws IOException {
    Optional<Pointer> there = catalog.written(pointer);
    Optional<Pointer> wanted =
        held.isPresent()
            ? held.get().insteadOf(pointer)
            : there
                .filter(named -> stays(ModelVersion.parse(named.version()), version, last))
                .or(() -> Optional.of(Pointer.to(new SnapshotName(version))));
    if (wanted.equals(there)) {
      return false;
    }
    if (wanted.isPresent()) {
      put(pointer, wanted.get().toJson());
    } else {
      store.delete(pointer);
    }
    return true;
  }

  /** Finds what a pointer should name where a later generation has models that are served. */
  private Optional<ModelVersion> later(String pointer, ModelVersion than) throws IOException {
    boolean none =
        catalog.newest().filter(newest -> newest.generation() > than.generation()).isEmpty();
    return none
        ? Optional.empty()
        : catalog
            .newest(
                pointer.equals(Pointer.COMMITTED)
                    ? SnapshotDescription::mayBeServedAsCommitted
                    : SnapshotDescription::mayBeServed)
            .map(SnapshotDescription::version)
            .filter(newest -> newest.generation() > than.generation());
  }

  private static boolean stays(ModelVersion named, ModelVersion version, boolean last) {
    return named.compareTo(version) >= 0 && !(last && named.generation() == version.generation());
  }

  private void put(String name, String text) throws IOException {
    store.put(name, file -> Files.writeString(file, text, StandardCharsets.UTF_8));
  }
}
