package dev.millrace.exchange.replica;

import dev.millrace.exchange.hook.DealtParts;
import dev.millrace.exchange.log.ReplicaLog;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.Steps;
import dev.millrace.model.io.InvalidModelException;
import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Saves a replica, and has it continue from what replicas had saved.
 *
 * <p>Belongs to one thread.
 */
final class ReplicaCheckpoint {

  private final ReplicaParts replica;
  private final DelayedFeedback delayed;
  private final BlockLayout layout;
  private final boolean changesAddUp;

  /**
   * @param layout of the exchanged part of the model's vector
   * @param changesAddUp whether changes not yet contributed are added up, and not averaged
   */
  ReplicaCheckpoint(
      ReplicaParts replica, DelayedFeedback delayed, BlockLayout layout, boolean changesAddUp) {
    this.changesAddUp = changesAddUp;
    this.replica = replica;
    this.delayed = delayed;
    this.layout = layout;
  }

  SavedReplica save() throws IOException {
    OwnContributions contributions = replica.contributions();
    AwaitedFeedback awaited = contributions.awaited();
    Steps made = replica.model().steps();
    Optional<RoundHead> before = delayed.before();
    return SavedReplica.of(
        new ReplicaState(
            replica.index(),
            contributions.isNewcomer(),
            made,
            contributions.newest(),
            awaited.sequence(),
            awaited.covered(),
            awaited.standing(),
            replica.progress().steps(),
            replica.progress().metadata(made.ofUpdater()),
            replica.standardizer().global(),
            replica.standardizer().underWay(),
            replica.job().ahead(),
            before,
            replica.progress().weights(),
            VectorSize.of(replica.model().spec(), layout)),
        replica.vector().save(before.isPresent()));
  }

  /**
   * Takes the place of one, of the same number if it is among them, and takes over from the others
   * what they had yet to contribute.
   *
   * @param saved what those wrote that now belong to this replica; each is read once
   * @param dealt what hooks get back
   * @return the head that it went by while what came of a newer one was kept back; else empty
   * @throws InvalidModelException if they are of another model or layout, or if only one of both
   *     standardizes
   */
  Optional<RoundHead> restore(List<? extends DataInput> saved, List<DealtParts> dealt)
      throws IOException {
    List<ReplicaState> states = new ArrayList<>();
    for (DataInput in : saved) {
      ReplicaState state = ReplicaState.read(in);
      state.requireFor(replica.model().spec(), layout, replica.standardizer().global());
      states.add(state);
    }
    if (states.isEmpty()) {
      tell(states, dealt);
      return Optional.empty();
    }
    int place = ReplicaState.placeOf(replica.index(), states);
    ReplicaState own = states.get(place);
    adopt(own, saved.get(place));
    for (int other = 0; other < states.size(); other++) {
      if (other != place) {
        absorb(states.get(other), saved.get(other));
      }
    }
    states.add(0, states.remove(place));
    tell(states, dealt);
    return own.index() == replica.index() ? own.before() : Optional.empty();
  }

  private void tell(List<ReplicaState> states, List<DealtParts> dealt) {
    Map<Integer, String> before = new LinkedHashMap<>();
    states.forEach(state -> before.put(state.index(), state.metadata().log()));
    List<Integer> taken = List.copyOf(before.keySet());
    dealt.stream()
        .flatMap(parts -> parts.origins().stream())
        .forEach(origin -> before.putIfAbsent(origin.replica(), origin.log()));
    ReplicaLog log = replica.progress().log();
    before.forEach(log::absorb);
    dealt.forEach(parts -> log.deal(parts.hook(), parts.runs()));
    log.restored(taken);
  }

  private void adopt(ReplicaState state, DataInput vector) throws IOException {
    replica.vector().restore(vector);
    replica.model().setSteps(state.made());
    replica.progress().absorb(state.metadata(), state.steps(), state.weights());
    if (state.index() == replica.index()) {
      replica.contributions().restore(state);
      replica.standardizer().restore(state.learned(), state.underWay());
      replica.job().restore(state.ahead());
    } else {
      // Its contributions under way are known by its number, not by ours: take in the whole model
      // again.
      replica.standardizer().restore(state.learned(), Map.of());
      replica.job().absorb(state.ahead());
      replica.vector().forgetRounds();
    }
  }

  private void absorb(ReplicaState state, DataInput vector) throws IOException {
    PendingContribution progress = replica.progress();
    replica
        .vector()
        .absorb(
            vector,
            changesAddUp
                ? MergeShares.sum(layout.count())
                : MergeShares.mean(layout.count(), progress, state));
    progress.absorb(state.metadata(), state.steps(), state.weights());
    replica.job().absorb(state.ahead());
  }
}
