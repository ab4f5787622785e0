package dev.millrace.exchange.rows;

import dev.millrace.exchange.minibatch.RecordClock;

/**
 * What a table keeps of each key group of a shard, see {@link GroupState}. Belongs to one thread.
 */
final class TableGroups {

  private final RowTable table;
  private final RowStore store;
  private final KeyGroups groups;
  private final GroupState[] states;
  private long rows;

  TableGroups(RowTable table, RowStore store, KeyGroups groups, RecordClock firstClock) {
    this.table = table;
    this.store = store;
    this.groups = groups;
    this.states = new GroupState[groups.size()];
    for (int i = 0; i < states.length; i++) {
      byte[] bytes = store.group(groups.first() + i);
      if (bytes == null) {
        states[i] = new GroupState(firstClock);
        // What is saved says of each table what it looks like, of one without rows, too.
        states[i].changed = true;
      } else {
        states[i] = GroupState.read(table, groups.first() + i, bytes);
      }
      if (table.admission().uses() == 1) {
        states[i].dropSketch();
      }
      rows += states[i].rows;
    }
  }

  /** The key group's state that an id belongs to. */
  GroupState of(long id) {
    return states[number(id) - groups.first()];
  }

  GroupState get(int group) {
    return states[group - groups.first()];
  }

  /** The rows of all groups. */
  long rows() {
    return rows;
  }

  /** Counts a row that came, 1, or went, -1. */
  void add(GroupState group, int row) {
    group.rows += row;
    rows += row;
  }

  int first() {
    return groups.first();
  }

  int last() {
    return groups.last();
  }

  /**
   * Refuses an id that another shard has.
   *
   * @throws IllegalArgumentException if it does
   */
  int number(long id) {
    int group = groups.groupOf().applyAsInt(id);
    if (group < groups.first() || group > groups.last()) {
      throw new IllegalArgumentException(
          ("Id %s of table '%s' is of key group %s, and this shard has the groups %s to %s: it was"
                  + " sent by another rule than the shard's")
              .formatted(id, table.name(), group, groups.first(), groups.last()));
    }
    return group;
  }

  /** The latest of the groups' clocks: the shard that a group was in may have heard of more. */
  RecordClock clock() {
    RecordClock clock = states[0].clock;
    for (GroupState state : states) {
      clock = clock.latest(state.clock);
    }
    return clock;
  }

  /** Whether somebody was told of all rows of all groups. */
  boolean areKnownTo(long listener) {
    for (GroupState state : states) {
      if (state.listener != listener) {
        return false;
      }
    }
    return true;
  }

  /** Notes who knows all rows. */
  void knownTo(long listener) {
    for (GroupState state : states) {
      state.changed |= state.listener != listener;
      state.listener = listener;
    }
  }

  /**
   * Puts those that have changed into the store.
   *
   * @param all whether all of them have, since the clock has
   */
  void save(RecordClock clock, boolean all) {
    for (int i = 0; i < states.length; i++) {
      if (states[i].changed || all) {
        states[i].clock = clock;
        store.putGroup(groups.first() + i, states[i].toBytes(table));
        states[i].changed = false;
      }
    }
  }

  RowCounts counts(RowCache cache) {
    RowCounts sum =
        new RowCounts(0, 0, 0, 0, 0, 0, 0, cache.hits(), cache.misses(), cache.written());
    for (GroupState state : states) {
      sum = sum.plus(state.counts());
    }
    return sum;
  }
}
