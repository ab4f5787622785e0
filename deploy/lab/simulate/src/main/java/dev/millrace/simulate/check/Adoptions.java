package dev.millrace.simulate.check;

import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.model.ModelVersion;
import dev.millrace.simulate.job.Completed;
import dev.millrace.simulate.job.JobOptions;
import dev.millrace.simulate.task.SavedState;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotState;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Knows what a job that begins again has to commit: what the checkpoint covers, and what attempts
 * before it had released and not committed. Each checkpoint since says what is left of it, or it is
 * committed; in the end none of it is left.
 */
final class Adoptions {

  private static final String KEPT = "10 what a job has yet to commit is in its checkpoints";
  private static final String ADOPTED = "10 what a checkpoint covers is committed in the end";

  private static final String RELEASED = "released";
  private static final String LEFT = "adoptions";

  private final Checks checks;

  /** The newest model that each checkpoint covers; of a generation all up to there. */
  private final Set<ModelVersion> covered = new HashSet<>();

  /** The ones that aren't known to be committed. */
  private final Set<ModelVersion> left = new HashSet<>();

  private final Set<ModelVersion> described = new HashSet<>();

  /** Models that came to the place as it was gone on from them: a lost process wrote them. */
  private final Set<ModelVersion> late = new HashSet<>();

  /** Whether a second job has published to the place: either may commit what both go on from. */
  private boolean forked;

  Adoptions(Checks checks) {
    this.checks = checks;
  }

  /** The job begins, or begins again. */
  void begins(Completed fromOrNull, JobOptions options) {
    if (!options.publishes()) {
      rolledBack();
    } else if (fromOrNull != null) {
      List<ModelVersion> released = versions(fromOrNull, RELEASED);
      covered.addAll(released);
      left.addAll(released);
    }
  }

  /** A model's description is in the place. */
  void described(ModelVersion version) {
    if (described.add(version) && covers(covered, version)) {
      late.add(version);
    }
  }

  /** The job is submitted a second time. */
  void forked() {
    forked = true;
  }

  /**
   * A checkpoint is complete.
   *
   * @param models in the place
   */
  void completed(Completed checkpoint, Supplier<List<SnapshotDescription>> models) {
    if (forked || left.isEmpty()) {
      return;
    }
    Set<ModelVersion> known = new HashSet<>(versions(checkpoint, RELEASED));
    known.addAll(versions(checkpoint, LEFT));
    List<ModelVersion> gone = left.stream().filter(version -> !covers(known, version)).toList();
    if (!gone.isEmpty()) {
      requireCommitted(KEPT, new HashSet<>(gone), models.get());
      left.removeAll(gone);
    }
  }

  private static List<ModelVersion> versions(Completed checkpoint, String state) {
    return checkpoint.part("publisher", 0).stream()
        .flatMap(publisher -> texts(publisher, state).stream())
        // What is left names its checkpoint, too.
        .map(text -> ModelVersion.parse(text.split(" ", 2)[0]))
        .toList();
  }

  private static List<String> texts(SavedState publisher, String state) {
    try {
      return ByteStringState.strings(publisher.list(ByteStringState.descriptor(state))).stream()
          .map(text -> new String(text, StandardCharsets.UTF_8))
          .toList();
    } catch (Exception e) {
      throw new IllegalStateException("The publisher's state can't be read", e);
    }
  }

  /** Forgets what was covered since, which is no part of the job any more. */
  void rolledBack() {
    covered.clear();
    left.clear();
  }

  /** The job has ended, with these models in the place. */
  void ended(List<SnapshotDescription> models) {
    requireCommitted(ADOPTED, covered, models);
  }

  private void requireCommitted(
      String invariant, Set<ModelVersion> newest, List<SnapshotDescription> models) {
    for (SnapshotDescription model : models) {
      checks.require(
          invariant,
          model.state() != SnapshotState.FRESH
              || late.contains(model.version())
              || !covers(newest, model.version()),
          () -> "model %s is still fresh, and %s are covered".formatted(model.version(), newest));
    }
  }

  private static boolean covers(Set<ModelVersion> all, ModelVersion version) {
    return all.stream()
        .anyMatch(
            newest ->
                newest.generation() == version.generation() && version.compareTo(newest) <= 0);
  }
}
