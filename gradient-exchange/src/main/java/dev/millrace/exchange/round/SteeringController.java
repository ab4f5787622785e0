package dev.millrace.exchange.round;

import dev.millrace.exchange.steering.CoordinatorHook;
import dev.millrace.exchange.steering.Steering;
import dev.millrace.exchange.steering.Verdict;
import dev.millrace.model.io.BulkArrays;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Has replicas follow what a hook makes of each round. Part of the coordinator's state.
 *
 * <p>Not thread-safe.
 */
public final class SteeringController {

  private final CoordinatorHook hook;
  private Steering steering = Steering.NONE;
  private Verdict newest = Verdict.NOTHING;

  SteeringController(CoordinatorHook hook) {
    this.hook = hook;
  }

  /** Has replicas follow it until the next round is closed. */
  public void steer(Steering newest) {
    steering = newest;
  }

  /** Returns what replicas follow. */
  public Steering steering() {
    return steering;
  }

  /** Returns what steers. */
  public CoordinatorHook hook() {
    return hook;
  }

  /** Looks at a member of the round that is being closed. */
  void add(ContributionMetadata metadata) {
    hook.add(metadata.errors(), metadata.statistics(), metadata.sample());
  }

  /** Decides what follows from a round that is closed, and whose members are in the totals. */
  void close(ModelTotals totals) {
    newest = hook.close(totals.progress().examples(), totals.statistics());
    steering = steering.after(newest);
  }

  /** Returns what the hook made of the newest round. */
  public Verdict newest() {
    return newest;
  }

  void write(DataOutput out) throws IOException {
    steering.write(out);
    out.writeUTF(hook.name());
    ByteArrayOutputStream state = new ByteArrayOutputStream();
    hook.write(new DataOutputStream(state));
    out.writeInt(state.size());
    out.write(state.toByteArray());
  }

  /** Goes on from what {@link #write} wrote; what another hook wrote is left aside. */
  void read(DataInput in) throws IOException {
    steering = Steering.read(in);
    boolean isOfHook = in.readUTF().equals(hook.name());
    byte[] state = BulkArrays.readBytes(in);
    if (isOfHook) {
      hook.read(new DataInputStream(new ByteArrayInputStream(state)));
    } else {
      // Nobody would take back what another hook had set.
      steering = steering.asConfigured();
    }
  }
}
