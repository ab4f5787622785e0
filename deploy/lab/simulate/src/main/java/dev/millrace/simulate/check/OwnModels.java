package dev.millrace.simulate.check;

import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Knows what each of two jobs that publish to one place has made: it commits nothing else. */
final class OwnModels {

  private static final String OWN = "10 a job commits its own models only";

  private final Checks checks;

  /** The ledgers that models of a version have had. */
  private final Map<ModelVersion, Set<List<PartitionProgress>>> first = new HashMap<>();

  private final Map<ModelVersion, Set<List<PartitionProgress>>> second = new HashMap<>();

  private final Map<ModelVersion, SnapshotDescription> described = new HashMap<>();

  OwnModels(Checks checks) {
    this.checks = checks;
  }

  /** The first job is submitted a second time: both go on from what it has made. */
  void fork() {
    second.clear();
    first.forEach((version, ledgers) -> second.put(version, new HashSet<>(ledgers)));
  }

  /** A job makes a model. */
  void make(PublishedPart.Head head, boolean bySecond) {
    of(bySecond)
        .computeIfAbsent(head.version(), any -> new HashSet<>())
        .add(PartitionProgress.of(head.ledger()));
  }

  /** A job describes a model. */
  void describe(SnapshotDescription model, boolean bySecond) {
    // One whose model is put back while it is deleted is written again as it was.
    boolean again = model.equals(described.put(model.version(), model));
    if (model.state() == SnapshotState.COMMITTED && !again) {
      checks.require(
          OWN,
          of(bySecond).getOrDefault(model.version(), Set.of()).contains(model.ledger()),
          () ->
              "the %s job commits a model %s with %s examples, and has made none of them"
                  .formatted(bySecond ? "second" : "first", model.version(), model.learned()));
    }
  }

  private Map<ModelVersion, Set<List<PartitionProgress>>> of(boolean bySecond) {
    return bySecond ? second : first;
  }
}
