package dev.millrace.exchange.slow;

import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.round.EarlyStop;
import dev.millrace.exchange.round.ModelTotals;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.RoundMaker;
import dev.millrace.exchange.round.RoundWait;
import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.round.StopRules;
import dev.millrace.exchange.round.WholeRound;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.features.FeatureStatistics;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The coordinator with its timer, as the job's operator drives it. */
final class VirtualCoordinator {

  /** As by default. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private static final int WINDOW = 1_000;
  private static final long UNSET = Long.MAX_VALUE;

  private final VirtualTime time;
  private final Coordinator coordinator;
  private final RoundMaker rounds;
  private final Consumer<ClosedRound> made;
  private long timer = UNSET;

  /**
   * A new job's.
   *
   * @param ofStep examples that a step of the whole job takes
   * @param made is told of each round
   */
  VirtualCoordinator(VirtualTime time, Schedule schedule, int ofStep, Consumer<ClosedRound> made) {
    this.time = time;
    this.coordinator =
        new Coordinator(ModelTotals.open(new FeatureStatistics(0), 0, WINDOW, ofStep));
    this.rounds =
        new RoundMaker(
            coordinator,
            new EarlyStop(StopRules.NONE),
            schedule,
            new RoundWait(TIMEOUT, 0),
            WholeRound.OF_ALL,
            time.millis());
    this.made = made;
  }

  void take(CoordinatorMessage message) {
    if (message instanceof Hello hello) {
      coordinator.hello(hello);
    } else if (message instanceof Announcement announcement) {
      rounds.announce(announcement, time.now());
    } else if (message instanceof Farewell farewell) {
      coordinator.farewell(farewell);
    } else if (message instanceof Refusal refusal) {
      throw new AssertionError("Nothing is to be refused: " + refusal.reason());
    }
    makeRounds();
  }

  private void makeRounds() {
    while (rounds.isReady()) {
      made.accept(rounds.make(time.now(), time.millis()).round());
    }
    rounds.waitsUntil(time.millis()).ifPresent(this::setTimer);
  }

  private void setTimer(long at) {
    if (at < timer) {
      timer = at;
      time.at(TimeUnit.MILLISECONDS.toNanos(at), () -> fire(at));
    }
  }

  private void fire(long at) {
    // Otherwise it was set for an earlier time since.
    if (at == timer) {
      timer = UNSET;
      rounds.expire(time.millis());
      makeRounds();
    }
  }

  RoundHead head() {
    return rounds.head();
  }

  Standing standing(int replica) {
    return coordinator.standing(replica);
  }

  /** What is in the global model. */
  ModelTotals totals() {
    return coordinator.totals();
  }
}
