package dev.millrace.exchange.replay;

import dev.millrace.exchange.minibatch.RecordClock;
import dev.millrace.model.Minibatch;
import dev.millrace.model.io.WireFormat;
import dev.millrace.model.shape.ExampleShape;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The examples that a replica keeps.
 *
 * <p>Not thread-safe.
 */
final class ReplayBuffer {

  private static final int FORMAT = 1;

  /** Parts of a full buffer in a checkpoint: so evenly it is dealt out to more replicas. */
  private static final int PARTS = 64;

  private static final int PLACE = 0;
  private static final int REPLAY = 1;
  private static final int MERGE = 2;

  private final ReplaySettings settings;
  private final ExampleShape shape;
  private final int readers;
  private final ReplayRows rows;
  private final KeepRule rule;
  private final SplitMixRandom draws;

  /** All rows, in ascending order but while some are drawn. */
  private final int[] order;

  private final int[] drawn;
  private long seen;

  /** Examples of the whole job since this was made or restored, as this replica can tell. */
  private long clock;

  private long contributed;

  /** Goes by the records that were learned. */
  private RecordClock time = RecordClock.UNKNOWN;

  /** When what is offered was learned; not known before any time is. */
  private long offered = Minibatch.NO_TIME;

  ReplayBuffer(ReplaySettings settings, ExampleShape shape, int index, int readers) {
    this.settings = settings;
    this.shape = shape;
    this.readers = readers;
    this.rows = new ReplayRows(shape, settings.size());
    this.rule = settings.keep().rule(shape.outputs());
    this.draws = new SplitMixRandom(settings.seed(), index);
    this.order = new int[settings.size()];
    this.drawn = new int[settings.size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
  }

  /** Examples that were offered so far. */
  long seen() {
    return seen;
  }

  int size() {
    return rows.size();
  }

  /**
   * Notes a time: what is offered from here on is as old as a record of it, or as one before it.
   */
  void noteTime(long newest) {
    if (newest != Minibatch.NO_TIME) {
      time = time.told(newest, (long) settings.age().length());
    }
    offered = time.isKnown() ? time.use(newest) : Minibatch.NO_TIME;
  }

  /** Offers an example that was learned, and row {@code predicted} of what was predicted before. */
  void offer(ReplayRows from, int row, float[] predictions, int predicted) {
    seen++;
    clock += readers;
    draws.begin(seen, PLACE);
    int place = rule.place(rows, seen, from.label(row), draws);
    if (place != KeepRule.NOWHERE) {
      rows.put(from, row, place, clock, offered);
      if (settings.distillation() > 0) {
        rows.distil(place, predictions, predicted, settings.distillation());
      }
    }
  }

  /**
   * Adds so many rows to a minibatch, each at most once; all, where there are fewer.
   *
   * @param before examples that come before the minibatch's, from which the draw follows
   */
  void replay(Minibatch minibatch, long before, int count) {
    int most = Math.min(count, rows.size());
    draws.begin(before, REPLAY);
    for (int i = 0; i < most; i++) {
      drawn[i] = i + draws.below(rows.size() - i);
      swap(i, drawn[i]);
      int row = order[i];
      rows.addTo(minibatch, row, settings.age().weight(age(row)));
    }
    for (int i = most - 1; i >= 0; i--) {
      swap(i, drawn[i]);
    }
  }

  private double age(int row) {
    if (!settings.age().byTime()) {
      return clock - rows.came(row);
    }
    // Without a time, as from files, age has no effect.
    return rows.time(row) == Minibatch.NO_TIME ? 0 : Math.max(0, time.now() - rows.time(row));
  }

  private void swap(int a, int b) {
    int kept = order[a];
    order[a] = order[b];
    order[b] = kept;
  }

  void contributed() {
    contributed = clock;
  }

  void refused() {
    for (int row = rows.size() - 1; row >= 0; row--) {
      if (rows.came(row) > contributed) {
        rows.remove(row);
      }
    }
    rule.left();
  }

  /** Saves the rows in parts; without a row a part says what was seen. */
  List<byte[]> save() throws IOException {
    List<byte[]> saved = new ArrayList<>();
    if (rows.size() == 0 && seen > 0) {
      saved.add(save(0, 0, seen));
    }
    int part = (rows.capacity() + PARTS - 1) / PARTS;
    for (int from = 0; from < rows.size(); from += part) {
      int to = Math.min(from + part, rows.size());
      saved.add(save(from, to, Shares.of(seen, from, to, rows.size())));
    }
    return saved;
  }

  private byte[] save(int from, int to, long share) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    boolean timed = settings.age().byTime();
    out.writeByte(FORMAT);
    out.writeBoolean(timed);
    out.writeLong(share);
    out.writeLong(clock - contributed);
    rule.write(rows, from, to, out);
    rows.write(from, to, clock, out);
    if (timed) {
      time.write(out);
      rows.writeTimes(from, to, out);
    }
    return bytes.toByteArray();
  }

  void restore(List<byte[]> saved) throws IOException {
    List<ReplayRows> parts = new ArrayList<>();
    List<Double> shares = new ArrayList<>();
    long since = 0;
    for (byte[] bytes : saved) {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
      WireFormat.readVersion(in, FORMAT, ReplayBuffer.class);
      boolean timed = in.readBoolean();
      long share = in.readLong();
      since = Math.max(since, in.readLong());
      rule.read(in);
      ReplayRows part = ReplayRows.read(shape, clock, in);
      if (timed) {
        time = time.latest(RecordClock.read(in));
        part.readTimes(in);
      }
      seen += share;
      parts.add(part);
      shares.add((double) share / part.size());
    }
    contributed = clock - since;
    take(parts, shares);
  }

  private void take(List<ReplayRows> parts, List<Double> sharesOfParts) {
    int count = parts.stream().mapToInt(ReplayRows::size).sum();
    ReplayRows all = count > rows.capacity() ? new ReplayRows(shape, count) : rows;
    double[] shares = new double[count];
    for (int part = 0; part < parts.size(); part++) {
      ReplayRows some = parts.get(part);
      for (int row = 0; row < some.size(); row++) {
        shares[all.size()] = sharesOfParts.get(part);
        all.put(some, row, all.size(), some.came(row), some.time(row));
      }
    }
    if (all != rows) {
      boolean[] stays = new boolean[count];
      draws.begin(seen, MERGE);
      rule.choose(all, shares, rows.capacity(), draws, stays);
      for (int row = 0; row < count; row++) {
        if (stays[row]) {
          rows.put(all, row, rows.size(), all.came(row), all.time(row));
        }
      }
    }
    rule.left();
  }
}
