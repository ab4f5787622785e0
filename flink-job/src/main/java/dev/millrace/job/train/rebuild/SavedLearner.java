package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.hook.HookState;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.exchange.replica.Replica;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a checkpoint had of a replica, but for the examples that waited: the log says which these
 * were.
 *
 * @param replica see {@link Replica#save}
 * @param hooks what each hook that keeps something had, in their order
 */
record SavedLearner(byte[] replica, List<List<byte[]>> hooks) {

  /** Saves a replica as it is now. */
  static SavedLearner of(int number, Replica replica, List<ReplicaHook> hooks) {
    try {
      List<List<byte[]>> kept = new ArrayList<>();
      for (HookState state : states(hooks)) {
        kept.add(save(number, state));
      }
      return new SavedLearner(replica.save().toBytes(), kept);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<HookState> states(List<ReplicaHook> hooks) {
    return hooks.stream().map(ReplicaHook::state).flatMap(Optional::stream).toList();
  }

  private static List<byte[]> save(int number, HookState state) throws IOException {
    if (state instanceof HookState.Shared shared) {
      return shared.save();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ((HookState.Own) state).save(number).write(new DataOutputStream(bytes));
    return List.of(bytes.toByteArray());
  }

  /**
   * Has a replica go on from some.
   *
   * @throws UnusableLogException if hooks keep what was dealt out anew, as at a change of their
   *     number
   */
  static void restore(
      List<SavedLearner> saved,
      int number,
      boolean dealtAnew,
      Replica replica,
      List<ReplicaHook> hooks) {
    try {
      replica.restore(saved.stream().map(one -> in(one.replica())).toList());
      List<HookState> states = states(hooks);
      if (dealtAnew && !states.isEmpty()) {
        throw new UnusableLogException(
            "What replicas keep of older examples and models was dealt out anew here, as their"
                + " number changed, and the log doesn't say how");
      }
      for (int at = 0; at < states.size() && !saved.isEmpty(); at++) {
        restore(saved.get(0).hooks().get(at), number, states.get(at));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void restore(List<byte[]> saved, int number, HookState state) throws IOException {
    if (state instanceof HookState.Shared shared) {
      shared.restore(saved);
    } else if (state instanceof HookState.Own own) {
      own.restore(number, in(saved.get(0)));
    }
  }

  private static DataInputStream in(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }
}
