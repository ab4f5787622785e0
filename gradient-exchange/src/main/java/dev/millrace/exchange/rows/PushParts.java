package dev.millrace.exchange.rows;

import java.util.List;

/**
 * Splits pushes by key group, and puts them together again: so they can be saved, and move with
 * their rows.
 */
final class PushParts {

  private final KeyGroups groups;
  private final int[] dimensions;

  PushParts(List<RowTable> tables, KeyGroups groups) {
    this.groups = groups;
    this.dimensions = tables.stream().mapToInt(RowTable::dimension).toArray();
  }

  /**
   * Returns for each key group of the shard its part of a push, with its ids in the order that they
   * had. A group without any has a part too: so whatever groups a shard gets, it knows all pushes.
   */
  RowPush[] split(RowPush push) {
    int size = push.ids().length;
    int[] groupOf = new int[size];
    int[] starts = new int[groups.size() + 1];
    for (int i = 0; i < size; i++) {
      groupOf[i] = groups.groupOf().applyAsInt(push.ids()[i]) - groups.first();
      starts[groupOf[i] + 1]++;
    }
    for (int group = 0; group < groups.size(); group++) {
      starts[group + 1] += starts[group];
    }
    int[] next = starts.clone();
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      order[next[groupOf[i]]++] = i;
    }
    int[] tableOf = tables(push);
    int[] gradientAt = gradients(tableOf);
    RowPush[] parts = new RowPush[groups.size()];
    for (int group = 0; group < parts.length; group++) {
      int from = starts[group];
      parts[group] = part(push, order, from, starts[group + 1] - from, tableOf, gradientAt);
    }
    return parts;
  }

  private static int[] tables(RowPush push) {
    int[] tableOf = new int[push.ids().length];
    int at = 0;
    for (int table = 0; table < push.ends().length; table++) {
      for (; at < push.ends()[table]; at++) {
        tableOf[at] = table;
      }
    }
    return tableOf;
  }

  private int[] gradients(int[] tableOf) {
    int[] at = new int[tableOf.length];
    int next = 0;
    for (int i = 0; i < at.length; i++) {
      at[i] = next;
      next += dimensions[tableOf[i]];
    }
    return at;
  }

  private RowPush part(
      RowPush push, int[] order, int from, int count, int[] tableOf, int[] gradientAt) {
    int[] ends = new int[push.ends().length];
    long[] ids = new long[count];
    int[] uses = new int[count];
    int floats = 0;
    for (int i = 0; i < count; i++) {
      int of = order[from + i];
      ids[i] = push.ids()[of];
      uses[i] = push.uses()[of];
      ends[tableOf[of]]++;
      floats += dimensions[tableOf[of]];
    }
    for (int table = 1; table < ends.length; table++) {
      ends[table] += ends[table - 1];
    }
    float[] gradients = new float[floats];
    int at = 0;
    for (int i = 0; i < count; i++) {
      int of = order[from + i];
      int dimension = dimensions[tableOf[of]];
      System.arraycopy(push.gradients(), gradientAt[of], gradients, at, dimension);
      at += dimension;
    }
    return new RowPush(
        push.shard(), ends, ids, push.replica(), push.number(), uses, gradients, push.minibatch());
  }

  /** Puts parts of one push together. Ids of a key group stay in the order that they had. */
  RowPush join(List<RowPush> parts) {
    RowPush first = parts.get(0);
    int[] ends = new int[dimensions.length];
    int floats = 0;
    for (int table = 0; table < ends.length; table++) {
      int count = 0;
      for (RowPush part : parts) {
        count += part.ends()[table] - start(part, table);
      }
      ends[table] = (table == 0 ? 0 : ends[table - 1]) + count;
      floats += count * dimensions[table];
    }
    int size = parts.stream().mapToInt(part -> part.ids().length).sum();
    long[] ids = new long[size];
    int[] uses = new int[size];
    float[] gradients = new float[floats];
    int[] read = new int[parts.size()];
    int to = 0;
    int gradientTo = 0;
    for (int table = 0; table < ends.length; table++) {
      for (int i = 0; i < read.length; i++) {
        RowPush part = parts.get(i);
        int from = start(part, table);
        int count = part.ends()[table] - from;
        System.arraycopy(part.ids(), from, ids, to, count);
        System.arraycopy(part.uses(), from, uses, to, count);
        int length = count * dimensions[table];
        System.arraycopy(part.gradients(), read[i], gradients, gradientTo, length);
        to += count;
        read[i] += length;
        gradientTo += length;
      }
    }
    return new RowPush(
        first.shard(),
        ends,
        ids,
        first.replica(),
        first.number(),
        uses,
        gradients,
        first.minibatch());
  }

  private static int start(RowPush push, int table) {
    return table == 0 ? 0 : push.ends()[table - 1];
  }
}
