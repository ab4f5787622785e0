package dev.millrace.exchange.slow;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.feedback.FeedbackChannel;
import dev.millrace.exchange.feedback.ReplicaLink;
import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.model.Minibatch;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * A replica with its input, as the job's operator drives it: it does one thing after the other, and
 * takes in what has come between two steps. Records are there when it asks for them, so it is never
 * idle.
 */
final class VirtualReplica {

  /** Where it sends what it has to tell. */
  record Outputs(Consumer<List<Contribution>> blocks, Consumer<CoordinatorMessage> coordinator) {}

  /**
   * The clock of a replica.
   *
   * @param step moves it by a local step
   */
  record Clock(LongSupplier nanos, Runnable step) {}

  private final VirtualTime time;
  private final Disturbance disturbance;
  private final Iterator<Minibatch> input;
  private final Outputs outputs;
  private final ReplicaLink link = ReplicaLinks.open();
  private final Replica replica;

  /** Its own clock, which is ahead of the time while a step is under way. */
  private long clock;

  private boolean asleep;
  private boolean ended;

  /**
   * A replica of a new job.
   *
   * @param step makes of the time at which a step begins the time at which it is done
   * @param made of its clock
   */
  VirtualReplica(
      VirtualTime time,
      Disturbance disturbance,
      LongUnaryOperator step,
      Iterator<Minibatch> input,
      Outputs outputs,
      Function<Clock, Replica> made) {
    this.time = time;
    this.disturbance = disturbance;
    this.input = input;
    this.outputs = outputs;
    this.replica = made.apply(new Clock(() -> clock, () -> clock = step.applyAsLong(clock)));
    link.feedback().listen(() -> time.at(time.now(), this::look));
  }

  Replica replica() {
    return replica;
  }

  FeedbackChannel feedback() {
    return link.feedback();
  }

  /** Takes in what has come, and makes a step if it may; not while it makes one, or sleeps. */
  private void look() {
    if (ended || asleep || clock > time.now()) {
      return;
    }
    long awake = disturbance.awake(time.now());
    if (awake > time.now()) {
      asleep = true;
      time.at(awake, this::wake);
      return;
    }
    clock = time.now();
    link.feedback().drain(replica::accept, replica::accept);
    if (replica.mayTrain()) {
      train();
    }
  }

  private void wake() {
    asleep = false;
    look();
  }

  private void train() {
    if (!input.hasNext()) {
      end();
      return;
    }
    replica.learn(
        input.next(),
        (partition, offset, reason) -> {
          throw new AssertionError(reason);
        });
    time.at(clock, this::stepped);
  }

  private void stepped() {
    if (replica.isDue()) {
      List<Contribution> contribution = new ArrayList<>();
      send(contribution, replica.contribute(contribution::add));
    }
    look();
  }

  private void send(List<Contribution> contribution, CoordinatorMessage message) {
    outputs.blocks().accept(contribution);
    outputs.coordinator().accept(message);
  }

  private void end() {
    List<Contribution> last = new ArrayList<>();
    Optional<CoordinatorMessage> outcome = replica.contributeLast(last::add);
    while (outcome.isPresent()) {
      send(last, outcome.get());
      last = new ArrayList<>();
      outcome = replica.contributeLast(last::add);
    }
    outputs.coordinator().accept(replica.farewell());
    ended = true;
    link.feedback().end();
    ReplicaLinks.close(link);
  }
}
