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

/**
 * Knows what a job that begins again has to commit: what the checkpoint covers, and what attempts
 * before it had released and not committed. In the end none of it is left.
 */
final class Adoptions {

  private static final String ADOPTED = "10 what a checkpoint covers is committed in the end";

  private final Checks checks;

  /** The newest model that each checkpoint covers; of a generation all up to there. */
  private final Set<ModelVersion> covered = new HashSet<>();

  Adoptions(Checks checks) {
    this.checks = checks;
  }

  /** The job begins, or begins again. */
  void begins(Completed fromOrNull, JobOptions options) {
    if (!options.publishes()) {
      covered.clear();
    } else if (fromOrNull != null) {
      for (SavedState publisher : fromOrNull.part("publisher", 0)) {
        released(publisher).stream().map(ModelVersion::parse).forEach(covered::add);
      }
    }
  }

  private static List<String> released(SavedState publisher) {
    try {
      return ByteStringState.strings(publisher.list(ByteStringState.descriptor("released")))
          .stream()
          .map(text -> new String(text, StandardCharsets.UTF_8))
          .toList();
    } catch (Exception e) {
      throw new IllegalStateException("The publisher's state can't be read", e);
    }
  }

  /** Forgets what was covered since, which is no part of the job any more. */
  void rolledBack() {
    covered.clear();
  }

  /** The job has ended, with these models in the place. */
  void ended(List<SnapshotDescription> models) {
    for (SnapshotDescription model : models) {
      checks.require(
          ADOPTED,
          model.state() != SnapshotState.FRESH || !isCovered(model.version()),
          () -> "model %s is still fresh, and %s are covered".formatted(model.version(), covered));
    }
  }

  private boolean isCovered(ModelVersion version) {
    return covered.stream()
        .anyMatch(
            newest ->
                newest.generation() == version.generation() && version.compareTo(newest) <= 0);
  }
}
