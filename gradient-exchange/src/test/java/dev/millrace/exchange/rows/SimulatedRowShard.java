package dev.millrace.exchange.rows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A shard with a channel from each replica, which waits at barriers as Flink's tasks do. */
final class SimulatedRowShard {

  /** In a channel between messages. */
  static final byte[] BARRIER = {};

  final List<Deque<byte[]>> channels = new ArrayList<>();
  final List<HeapRowStore> stores;
  final RowShard rows;

  /** In replica order; null where pushes are applied as they come. */
  private final OrderedPushes order;

  private final KeyGroups groups;

  private final SimulatedRows job;
  private final boolean[] blocked;
  private int barriers;

  SimulatedRowShard(
      SimulatedRows job,
      int replicas,
      KeyGroups groups,
      List<HeapRowStore> stores,
      List<byte[]> heldOrNull,
      int[] cached) {
    this.job = job;
    this.groups = groups;
    this.stores = stores;
    this.rows = new RowShard(job.tables(), List.copyOf(stores), groups, cached);
    this.order =
        heldOrNull == null ? null : new OrderedPushes(job.tables(), replicas, this::perform);
    if (order != null) {
      order.restore(groups, heldOrNull);
    }
    this.blocked = new boolean[replicas];
    for (int i = 0; i < replicas; i++) {
      channels.add(new ArrayDeque<>());
    }
  }

  void step(Random random) {
    if (random.nextInt(10) == 0) {
      rows.sweep(1 + random.nextInt(5));
    } else {
      take(random.nextInt(channels.size()));
    }
  }

  private void take(int channel) {
    if (blocked[channel] || channels.get(channel).isEmpty()) {
      return;
    }
    byte[] bytes = channels.get(channel).remove();
    if (bytes == BARRIER) {
      blocked[channel] = true;
      barriers++;
      if (barriers == channels.size()) {
        rows.flush();
        job.saved(stores, order == null ? Map.of() : order.save(groups));
        Arrays.fill(blocked, false);
        barriers = 0;
      }
      return;
    }
    RowMessage message = SimulatedRows.message(bytes);
    if (order == null) {
      perform(message);
    } else {
      order.take(message);
    }
  }

  private void perform(RowMessage message) {
    if (message instanceof RowPull pull) {
      job.answer(pull.replica(), SimulatedRows.bytes(rows.answer(pull)));
    } else if (message instanceof RowPush push) {
      rows.apply(push);
    }
  }

  boolean idle() {
    return channels.stream().allMatch(Deque::isEmpty) && (order == null || order.isEmpty());
  }
}
