package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.IdLists;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A replica that learns partitions: pulls some minibatches ahead, and pushes one after another. */
final class SimulatedRowReplica {

  /** Answers on their way, in any order. */
  final List<byte[]> answers = new ArrayList<>();

  /** For each partition the minibatches that were pushed, by whomever. */
  final int[] pushed;

  private final SimulatedRows job;
  private final int number;
  private final int depth;
  private final int[] taken;
  private final List<Integer> own = new ArrayList<>();
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final RowRouter router;
  private long pulls;

  /** The round that this replica knows; -1 before the first head has come. */
  private long known = RowRound.NONE;

  private static final class Waiting {
    int partition;
    int number;
    long pull;
    IdLists lists;
    TableIds ids;
    RoutedIds routed;
    float[][] rows;
    int[][] uses;
  }

  SimulatedRowReplica(
      SimulatedRows job, int number, int replicas, int depth, int[] pushed, RowRouter router) {
    this.job = job;
    this.number = number;
    this.depth = depth;
    this.pushed = pushed.clone();
    this.taken = pushed.clone();
    this.router = router;
    for (int partition = number; partition < pushed.length; partition += replicas) {
      own.add(partition);
    }
  }

  List<Integer> own() {
    return own;
  }

  /** Does one thing, if there is one to do. */
  void step() {
    SimulatedRounds rounds = job.roundsOrNull();
    if (rounds != null && !learns(rounds)) {
      return;
    }
    if (waiting.size() <= depth && pull()) {
      return;
    }
    if (!answers.isEmpty()) {
      receive(answers.remove(job.random().nextInt(answers.size())));
    } else if (!waiting.isEmpty() && waiting.peek().routed.complete()) {
      push(waiting.remove());
    }
  }

  /** Takes heads in, and contributes. Returns whether it may make a local step. */
  private boolean learns(SimulatedRounds rounds) {
    if (rounds.round() > known && known != RowRound.ENDED) {
      known = rounds.round();
      tellRound();
      return false;
    }
    if (known == RowRound.NONE || known == RowRound.ENDED) {
      return false;
    }
    if (done()) {
      rounds.end(number);
      known = RowRound.ENDED;
      tellRound();
      return false;
    }
    return rounds.isReleased(number, known);
  }

  private void tellRound() {
    for (int shard = 0; shard < router.shards(); shard++) {
      job.send(number, shard, SimulatedRows.bytes(new RowRound(shard, number, known)));
    }
  }

  private boolean pull() {
    int next = -1;
    for (int partition : own) {
      if (taken[partition] < job.minibatches() && (next < 0 || taken[partition] < taken[next])) {
        next = partition;
      }
    }
    if (next < 0) {
      return false;
    }
    Waiting minibatch = new Waiting();
    minibatch.partition = next;
    minibatch.number = taken[next]++;
    minibatch.pull = ++pulls;
    minibatch.lists = job.learner().ids(minibatch.partition, minibatch.number);
    minibatch.ids = new TableIds(job.tables().size(), RowLearner.TABLE_OF);
    minibatch.ids.take(minibatch.lists, job.learner().fresh(minibatch.partition, minibatch.number));
    minibatch.routed = router.route(minibatch.ids);
    minibatch.rows = new float[job.tables().size()][];
    minibatch.uses = new int[job.tables().size()][];
    for (int table = 0; table < minibatch.rows.length; table++) {
      minibatch.uses[table] = new int[minibatch.ids.unique(table).size()];
      minibatch.rows[table] =
          new float[minibatch.ids.unique(table).size() * job.tables().get(table).dimension()];
    }
    for (int shard = 0; shard < router.shards(); shard++) {
      if (minibatch.routed.pulls(shard)) {
        RowPull pull = minibatch.routed.pull(shard, number, minibatch.pull, "home", true);
        job.send(number, shard, SimulatedRows.bytes(pull));
      }
    }
    waiting.add(minibatch);
    return true;
  }

  private void receive(byte[] bytes) {
    RowAnswer answer = SimulatedRows.answer(bytes);
    for (Waiting minibatch : waiting) {
      if (minibatch.pull == answer.number()) {
        minibatch.routed.place(answer, minibatch.rows, minibatch.uses);
        return;
      }
    }
    assertThat(answer).as("an answer to no pull").isNull();
  }

  private void push(Waiting minibatch) {
    float[][] gradients =
        job.learner()
            .gradients(
                minibatch.partition,
                minibatch.number,
                minibatch.lists,
                minibatch.ids,
                minibatch.rows);
    RowMinibatch of = job.learner().minibatch(minibatch.partition, minibatch.number);
    for (int shard = 0; shard < router.shards(); shard++) {
      if (minibatch.routed.pushes(shard) || job.roundsOrNull() != null) {
        RowPush push = minibatch.routed.push(shard, number, minibatch.pull, gradients, of);
        job.send(number, shard, SimulatedRows.bytes(push));
      }
    }
    pushed[minibatch.partition]++;
    if (job.roundsOrNull() != null) {
      job.roundsOrNull().stepped(number);
    }
  }

  /** Whether it has learned all, and said so. */
  boolean isOver() {
    return done() && (job.roundsOrNull() == null || known == RowRound.ENDED);
  }

  private boolean done() {
    return waiting.isEmpty()
        && own.stream().allMatch(partition -> pushed[partition] == job.minibatches());
  }
}
