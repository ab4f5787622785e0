package dev.millrace.exchange.round;

import dev.millrace.exchange.drift.DriftWatch;
import dev.millrace.exchange.drift.Finding;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;

/**
 * Where it is decided what training does beside what it is configured to: what replicas follow from
 * a round on, and what is done to the global model once. Part of the coordinator's state.
 *
 * <p>What follows a drift: learning rates and local steps change from the round on that found it,
 * updaters of replicas start anew with it, and the global model is treated in the round after it.
 * So the model of the round itself is that of before.
 *
 * <p>Not thread-safe.
 */
public final class Helm {

  /** Moments of the model that is left lead a past model astray. */
  private static final Treatment RETURN = new Treatment(1, 0, true, 0);

  private final SteeringRules rules;
  private final DriftWatch watch;
  private final Plateau plateau = new Plateau();
  private final PastTrial trial = new PastTrial();
  private Steering steering = Steering.NONE;
  private Treatment treatment = Treatment.NONE;

  /** Examples of the whole job up to which learning rates are raised. */
  private long raisedUntil;

  private long shortUntil;
  private long pausedUntil;
  private long anchoredAt;
  private List<Finding> found = List.of();
  private boolean reacted;
  private OptionalInt returnedTo = OptionalInt.empty();

  Helm(SteeringRules rules) {
    this.rules = rules;
    this.watch = new DriftWatch(rules.detection());
    if (rules.areSome()) {
      steering = new Steering(rules.course().at(0), 0, 0, 1);
    }
  }

  /** Has replicas follow it from the newest round on, where no rules say anything else. */
  public void steer(Steering newest) {
    steering = newest;
  }

  /** What replicas follow. */
  public Steering steering() {
    return steering;
  }

  /** Has the next round treat the global model, once. */
  public void treat(Treatment ofNextRound) {
    treatment = ofNextRound;
  }

  /** A member of the round that is being closed. */
  void add(ContributionMetadata metadata) {
    if (rules.detection().isOn()) {
      watch.add(metadata.errors(), metadata.statistics(), metadata.sample());
    }
    trial.add(metadata.past());
  }

  /**
   * A round is closed, and its members are in the totals.
   *
   * @return what is done to the global model in it
   */
  Treatment close(long round, ModelTotals totals) {
    Treatment ofRound = treatment;
    treatment = Treatment.NONE;
    if (rules.areSome()) {
      decide(round, totals, ofRound.past().returnTo() > 0);
    }
    return ofRound;
  }

  /** {@code returned} says whether a past model takes the place of the model in this round. */
  private void decide(long round, ModelTotals totals, boolean returned) {
    long examples = totals.progress().examples();
    found = rules.detection().isOn() ? watch.close(totals.statistics()) : List.of();
    reacted = !found.isEmpty() && examples >= pausedUntil;
    // Replicas hear of it with the model: their moments are of the one that is left.
    int resets = steering.resets() + (returned ? 1 : 0);
    int past = steering.past();
    int anchors = steering.anchors();
    if (rules.course().kind() == RateCourse.Kind.PLATEAU) {
      plateau.observe(rules.course(), totals.recent(), examples);
    }
    returnedTo = reacted ? OptionalInt.empty() : trial.end(rules.reactions());
    returnedTo.ifPresent(number -> treatment = RETURN.with(PastOrder.returnTo(number)));
    if (returned) {
      // A model that knows the data needs no haste.
      raisedUntil = examples;
      shortUntil = examples;
    }
    if (reacted) {
      Reactions reactions = rules.reactions();
      pausedUntil = after(examples, reactions.pause());
      raisedUntil = after(examples, reactions.raiseFor());
      shortUntil = after(examples, reactions.shortFor());
      plateau.startAnew(rules.course(), examples);
      past += reactions.keep() > 0 ? 1 : 0;
      trial.begin(reactions, past);
      treatment = reactions.treatment(round, past);
      resets += reactions.resetUpdater() ? 1 : 0;
      anchors += reactions.anchor() ? 1 : 0;
    }
    if (rules.anchorEvery() > 0 && examples - anchoredAt >= rules.anchorEvery()) {
      anchoredAt = examples;
      anchors++;
    }
    boolean isShort = examples < shortUntil;
    steering =
        new Steering(
            rate(examples),
            resets,
            anchors,
            isShort ? rules.reactions().steps() : 1,
            isShort ? rules.reactions().batch() : 1,
            past,
            trial.isOn());
  }

  /** Without end where the sum has no place in a long. */
  private static long after(long examples, long more) {
    return more > Long.MAX_VALUE - examples ? Long.MAX_VALUE : examples + more;
  }

  private double rate(long examples) {
    double raise = examples < raisedUntil ? rules.reactions().raise() : 1;
    return rules.course().at(examples) * plateau.factor() * raise;
  }

  /** What was found in the newest round. */
  List<Finding> found() {
    return found;
  }

  /** Whether training reacts to what was found in the newest round. */
  boolean reacted() {
    return reacted
        && (rules.reactions().areSome() || rules.course().kind() == RateCourse.Kind.PLATEAU);
  }

  /** Number of the past model that training goes back to in the next round; empty for none. */
  OptionalInt returnedTo() {
    return returnedTo;
  }

  /** Whether the model of the newest round is to be published, as it is before a reaction. */
  boolean publishes() {
    return reacted && rules.reactions().publish();
  }

  /** Whether there is anything to keep. */
  boolean isSteered() {
    return rules.areSome() || treatment.isSome() || !steering.equals(Steering.NONE);
  }

  void write(DataOutput out) throws IOException {
    steering.write(out);
    treatment.write(out);
    out.writeLong(raisedUntil);
    out.writeLong(shortUntil);
    out.writeLong(pausedUntil);
    out.writeLong(anchoredAt);
    plateau.write(out);
    watch.write(out);
    if (hasMore()) {
      steering.writeMore(out);
      trial.write(out);
    }
  }

  /** Whether it has anything that the first format has no place for. */
  boolean hasMore() {
    return rules.reactions().hasMore() || steering.hasMore() || trial.isOn();
  }

  /**
   * Goes on from what {@link #write} wrote, by rules of its own.
   *
   * @param more whether it {@linkplain #hasMore had more}
   */
  void read(DataInput in, boolean more) throws IOException {
    steering = Steering.read(in);
    treatment = Treatment.read(in);
    raisedUntil = in.readLong();
    shortUntil = in.readLong();
    pausedUntil = in.readLong();
    anchoredAt = in.readLong();
    plateau.read(in);
    watch.read(in);
    if (more) {
      steering = steering.withMore(in);
      trial.read(in);
    }
  }
}
