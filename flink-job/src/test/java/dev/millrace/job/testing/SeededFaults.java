package dev.millrace.job.testing;

import dev.millrace.exchange.flink.FaultInjector;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Throws at places and steps that a seed decides, a given number of times in all. Each kind of
 * place has its turn. A job whose input ends before, as one with busy replicas that share rounds,
 * fails there as often as is left. Only within one process: what has been thrown is kept in static
 * fields.
 */
public final class SeededFaults implements FaultInjector {

  /** All places of training by which contributions are gathered. */
  public static final Set<Place> GATHERED =
      EnumSet.complementOf(
          EnumSet.of(Place.INPUT_END, Place.PREDICTION, Place.JOIN, Place.JOIN_END));

  private static final Set<Place> TRAINING =
      EnumSet.complementOf(
          EnumSet.of(
              Place.INPUT_END, Place.GATHERING, Place.PREDICTION, Place.JOIN, Place.JOIN_END));

  private static final Map<Long, Plan> PLANS = new ConcurrentHashMap<>();

  private static final class Plan {
    final AtomicInteger thrown = new AtomicInteger();
    final AtomicLong countdown = new AtomicLong();
    final Random die;
    int pause;
    boolean isSecond;

    Plan(long seed) {
      die = new Random(seed);
    }

    /**
     * Long enough apart for checkpoints to be made, mostly. Two pauses are always twice the mean
     * together, so no seed makes them outlast a stream that is long enough for the mean.
     */
    synchronized void rearm(int meanSteps) {
      pause = isSecond ? 2 * meanSteps + 1 - pause : 1 + die.nextInt(2 * meanSteps);
      isSecond = !isSecond;
      countdown.set(pause);
    }
  }

  private final long seed;
  private final int faults;
  private final int meanSteps;
  private final List<Place> places;

  /**
   * Faults at all places of training where nothing is gathered.
   *
   * @param meanSteps how often the place whose turn it is is reached between two faults, on average
   */
  public SeededFaults(long seed, int faults, int meanSteps) {
    this(seed, faults, meanSteps, TRAINING);
  }

  /** As the other, at these places. */
  public SeededFaults(long seed, int faults, int meanSteps, Set<Place> places) {
    this.seed = seed;
    this.faults = faults;
    this.meanSteps = meanSteps;
    this.places = List.copyOf(places);
  }

  @Override
  public void reach(Place place, int subtask) {
    Plan plan = plan();
    int turn = plan.thrown.get();
    if (turn < faults && isDue(place, turn, plan) && plan.thrown.compareAndSet(turn, turn + 1)) {
      plan.rearm(meanSteps);
      throw new InjectedFault(place + " " + subtask);
    }
  }

  private Plan plan() {
    return PLANS.computeIfAbsent(
        seed,
        any -> {
          Plan fresh = new Plan(seed);
          fresh.rearm(meanSteps);
          return fresh;
        });
  }

  private boolean isDue(Place place, int turn, Plan plan) {
    if (place == Place.INPUT_END) {
      return places.contains(Place.COORDINATOR);
    }
    return place == places.get(turn % places.size()) && plan.countdown.decrementAndGet() == 0;
  }

  /** Throws no more: a job whose input goes on, and has nothing in it, comes to no further step. */
  public void end() {
    plan().thrown.set(faults);
  }

  public int thrown() {
    return plan().thrown.get();
  }

  /** Tells an injected failure from a real one. */
  public static final class InjectedFault extends RuntimeException {
    InjectedFault(String where) {
      super("Injected at " + where);
    }
  }
}
