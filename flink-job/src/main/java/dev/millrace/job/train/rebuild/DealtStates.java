package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.PartRun;
import dev.millrace.exchange.log.UnusableLogException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds what a restore gives to one replica: states of replicas before it, and parts of what their
 * hooks kept.
 */
final class DealtStates {

  private final Map<Integer, SavedLearner> saved = new HashMap<>();
  private final Map<String, List<PartRun>> parts = new HashMap<>();

  /** Takes what a replica had then. */
  void add(int replica, SavedLearner one) {
    saved.put(replica, one);
  }

  /** Takes what the log says that a hook got back. */
  void add(String hook, List<PartRun> runs) {
    parts.put(hook, runs);
  }

  /** Returns the states of some replicas. */
  List<SavedLearner> of(List<Integer> replicas) {
    return replicas.stream().map(this::of).toList();
  }

  private SavedLearner of(int replica) {
    SavedLearner one = saved.get(replica);
    if (one == null) {
      throw new UnusableLogException(
          "A replica goes on from replica %s, and the log doesn't say what that had done"
              .formatted(replica));
    }
    return one;
  }

  /** Returns the parts that a hook gets back, in their order. */
  List<byte[]> parts(String hook) {
    List<byte[]> all = new ArrayList<>();
    for (PartRun run : parts.getOrDefault(hook, List.of())) {
      List<byte[]> ofReplica = of(run.replica()).parts(hook);
      if (run.first() + run.count() > ofReplica.size()) {
        throw new UnusableLogException(
            "Parts %s of '%s' were dealt out, and replica %s had %s; take the options that the job had"
                .formatted(run.text(), hook, run.replica(), ofReplica.size()));
      }
      all.addAll(ofReplica.subList(run.first(), run.first() + run.count()));
    }
    return all;
  }

  void clear() {
    saved.clear();
    parts.clear();
  }
}
