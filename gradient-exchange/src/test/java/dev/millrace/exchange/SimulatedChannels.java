package dev.millrace.exchange;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * The channels of a {@link Simulation}: a die picks the next one to deliver from. Each keeps its
 * order.
 */
final class SimulatedChannels {

  private final int replicas;
  private final int blocks;
  private final Random die;

  /**
   * Per replica one to each block and one to the coordinator; then the coordinator's own; then, if
   * there are gatherers, per replica one to its gatherer, and per gatherer one to each block and
   * one from the coordinator.
   */
  private final List<Deque<Runnable>> forward = new ArrayList<>();

  /** Per replica one from each block and one from the coordinator. */
  private final List<Deque<Runnable>> feedback = new ArrayList<>();

  SimulatedChannels(int replicas, int blocks, boolean gatherers, Random die) {
    this.replicas = replicas;
    this.blocks = blocks;
    this.die = die;
    int gathering = gatherers ? replicas * (blocks + 2) : 0;
    for (int i = 0; i < replicas * (blocks + 1) + blocks + gathering; i++) {
      forward.add(new ArrayDeque<>());
    }
    for (int i = 0; i < replicas * (blocks + 1); i++) {
      feedback.add(new ArrayDeque<>());
    }
  }

  void toBlock(int replica, int block, Runnable message) {
    forward.get(replica * (blocks + 1) + block).add(message);
  }

  void toCoordinator(int replica, Runnable message) {
    forward.get(replica * (blocks + 1) + blocks).add(message);
  }

  void fromCoordinatorToBlock(int block, Runnable message) {
    forward.get(replicas * (blocks + 1) + block).add(message);
  }

  void toGatherer(int replica, Runnable message) {
    forward.get(gathering() + replica).add(message);
  }

  void fromGatherer(int gatherer, int block, Runnable message) {
    forward.get(gathering() + replicas + gatherer * (blocks + 1) + block).add(message);
  }

  void fromCoordinatorToGatherer(int gatherer, Runnable message) {
    forward.get(gathering() + replicas + gatherer * (blocks + 1) + blocks).add(message);
  }

  private int gathering() {
    return replicas * (blocks + 1) + blocks;
  }

  void fromBlock(int replica, int block, Runnable message) {
    Deque<Runnable> channel = feedback.get(replica * (blocks + 1) + block);
    if (die.nextBoolean()) {
      channel.clear(); // Conflated: the newest is enough.
    }
    channel.add(message);
  }

  void fromCoordinator(int replica, Runnable message) {
    feedback.get(replica * (blocks + 1) + blocks).add(message);
  }

  /** Delivers a message to the coordinator or to a block, where the picked channel has one. */
  void deliver() {
    deliverOne(forward);
  }

  /** Delivers a message to a replica, where the picked channel has one. */
  void deliverFeedback() {
    deliverOne(feedback);
  }

  /** Delivers all that is on its way to coordinator and blocks. */
  void deliverAll() {
    while (!isEmpty()) {
      deliver();
    }
  }

  /** Whether nothing is on its way to coordinator and blocks. */
  boolean isEmpty() {
    return forward.stream().allMatch(Deque::isEmpty);
  }

  private void deliverOne(List<Deque<Runnable>> among) {
    Deque<Runnable> channel = among.get(die.nextInt(among.size()));
    if (!channel.isEmpty()) {
      channel.removeFirst().run();
    }
  }
}
