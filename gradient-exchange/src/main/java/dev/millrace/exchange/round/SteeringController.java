package dev.millrace.exchange.round;

import dev.millrace.exchange.drift.DriftWatch;
import dev.millrace.exchange.drift.Finding;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/**
 * Decides what training does beside what it is configured to: what replicas follow from a round on.
 * Part of the coordinator's state.
 *
 * <p>Not thread-safe.
 */
public final class SteeringController {

  private final SteeringRules rules;
  private final DriftWatch watch;
  private Steering steering = Steering.NONE;

  /** Examples of the whole job up to which local steps and minibatches are fewer. */
  private long shortUntil;

  private long pausedUntil;
  private List<Finding> found = List.of();
  private boolean reacted;

  SteeringController(SteeringRules rules) {
    this.rules = rules;
    this.watch = new DriftWatch(rules.detection());
  }

  /** Has replicas follow it from the newest round on, where no rules say anything else. */
  public void steer(Steering newest) {
    steering = newest;
  }

  /** Returns what replicas follow. */
  public Steering steering() {
    return steering;
  }

  /** Looks at a member of the round that is being closed. */
  void add(ContributionMetadata metadata) {
    if (rules.areSome()) {
      watch.add(metadata.errors(), metadata.statistics(), metadata.sample());
    }
  }

  /** Decides what follows from a round that is closed, and whose members are in the totals. */
  void close(ModelTotals totals) {
    if (!rules.areSome()) {
      return;
    }
    long examples = totals.progress().examples();
    Reactions reactions = rules.reactions();
    found = watch.close(totals.statistics());
    reacted = !found.isEmpty() && examples >= pausedUntil;
    int anchors = steering.anchors();
    if (reacted) {
      pausedUntil = after(examples, reactions.pause());
      shortUntil = after(examples, reactions.shortFor());
      anchors += reactions.anchor() ? 1 : 0;
    }
    boolean isShort = examples < shortUntil;
    steering =
        new Steering(anchors, isShort ? reactions.steps() : 1, isShort ? reactions.batch() : 1);
  }

  /** Adds examples, without end where the sum has no place in a long. */
  private static long after(long examples, long more) {
    return more > Long.MAX_VALUE - examples ? Long.MAX_VALUE : examples + more;
  }

  /** Returns what was found in the newest round. */
  List<Finding> found() {
    return found;
  }

  /** Whether training reacts to what was found in the newest round. */
  boolean reacted() {
    return reacted && rules.reactions().areSome();
  }

  /** Whether the model of the newest round is to be published. */
  boolean publishes() {
    return reacted && rules.reactions().publish();
  }

  void write(DataOutput out) throws IOException {
    steering.write(out);
    out.writeLong(shortUntil);
    out.writeLong(pausedUntil);
    watch.write(out);
  }

  /** Goes on from what {@link #write} wrote, by rules of its own. */
  void read(DataInput in) throws IOException {
    steering = Steering.read(in);
    shortUntil = in.readLong();
    pausedUntil = in.readLong();
    watch.read(in);
  }
}
