package dev.millrace.simulate.task;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The ways into a task. Those that a barrier has come over wait for the others. */
final class Inputs {

  private final List<Edge> edges = new ArrayList<>();
  private final Deque<Edge> arrivals = new ArrayDeque<>();
  private Barrier aligning;
  private long newest;

  void add(Edge edge) {
    edges.add(edge);
  }

  List<Edge> edges() {
    return List.copyOf(edges);
  }

  int size() {
    return edges.size();
  }

  void cut() {
    edges.forEach(Edge::cut);
  }

  /** Something has come over an edge. */
  void arrived(Edge edge) {
    arrivals.add(edge);
  }

  /** Whether nothing is to be looked at. */
  boolean isEmpty() {
    return arrivals.isEmpty();
  }

  /** Returns the edge that something is to be taken from; null if it has to wait. */
  Edge next() {
    Edge edge = arrivals.removeFirst();
    return !edge.isBlocked() && edge.waiting() > 0 ? edge : null;
  }

  /** Whether nothing comes any more. */
  boolean haveEnded() {
    return edges.stream().allMatch(Edge::hasEnded);
  }

  /** Whether no record comes any more. */
  boolean haveNoMoreData() {
    return edges.stream().allMatch(Edge::hasDataEnded);
  }

  /** Whether all senders have finished. Where one was stopped, Flink takes all for stopped. */
  boolean areDrained() {
    return edges.stream().allMatch(Edge::isDrained);
  }

  /** Whether none comes to one input of the operator. */
  boolean hasNoMoreData(int input) {
    return edges.stream().filter(edge -> edge.input() == input).allMatch(Edge::hasDataEnded);
  }

  /** Whether all senders to one input have finished. */
  boolean isDrained(int input) {
    return edges.stream().filter(edge -> edge.input() == input).allMatch(Edge::isDrained);
  }

  /**
   * A barrier begins at the task, as nothing comes any more. Returns what {@link #aligned} does.
   */
  Barrier begin(Barrier barrier) {
    newest = barrier.checkpoint();
    aligning = barrier;
    return aligned();
  }

  /** A barrier has come over an edge. Returns what {@link #aligned} does. */
  Barrier align(Edge edge, Barrier barrier) {
    if (barrier.checkpoint() < newest) {
      return null;
    }
    if (barrier.checkpoint() > newest) {
      unblock();
      newest = barrier.checkpoint();
      aligning = barrier;
    }
    if (aligning == null) {
      return null;
    }
    edge.block(true);
    return aligned();
  }

  /** Returns, once, the barrier that has come over all edges that haven't ended; null for none. */
  Barrier aligned() {
    if (aligning == null || !edges.stream().allMatch(edge -> edge.isBlocked() || edge.hasEnded())) {
      return null;
    }
    Barrier barrier = aligning;
    aligning = null;
    unblock();
    return barrier;
  }

  /**
   * A barrier won't come.
   *
   * @return whether that is news
   */
  boolean cancel(long checkpoint) {
    if (checkpoint < newest || (aligning == null && checkpoint == newest)) {
      return false;
    }
    newest = checkpoint;
    aligning = null;
    unblock();
    return true;
  }

  private void unblock() {
    for (Edge edge : edges) {
      if (edge.isBlocked()) {
        edge.block(false);
        for (int i = 0; i < edge.waiting(); i++) {
          arrivals.add(edge);
        }
      }
    }
  }
}
