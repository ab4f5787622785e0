package dev.millrace.simulate.job;

import dev.millrace.simulate.task.SavedState;
import dev.millrace.simulate.task.SourceHead;
import dev.millrace.source.TaskLink;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Reads partitions, as a reader of Kafka's does: its places are its state.
 *
 * @param <T> what it makes of a record
 */
final class PartitionReader<T> implements SourceHead<T> {

  private static final String STATE = "splits";

  private final Input input;
  private final Records<T> records;

  /** Where a job without a checkpoint begins. */
  private final List<long[]> initial;

  private final boolean restored;
  private final List<long[]> splits = new ArrayList<>();
  private int turn;

  /** Makes something of records. */
  interface Records<T> {

    T at(int partition, long offset);
  }

  PartitionReader(Input input, Records<T> records, List<long[]> initial, boolean restored) {
    this.input = input;
    this.records = records;
    this.initial = initial;
    this.restored = restored;
  }

  @Override
  public void begin(SavedState saved, TaskLink link) {
    if (restored) {
      for (byte[] bytes : saved.lists().getOrDefault(STATE, List.of())) {
        ByteBuffer split = ByteBuffer.wrap(bytes);
        splits.add(new long[] {split.getLong(), split.getLong()});
      }
    } else {
      initial.forEach(split -> splits.add(split.clone()));
    }
  }

  @Override
  public long ready(long now) {
    long soonest = ENDED;
    for (long[] split : splits) {
      if (split[1] < input.count((int) split[0])) {
        long arrives = input.arrives((int) split[0], split[1]);
        soonest = soonest == ENDED ? arrives : Math.min(soonest, arrives);
      }
    }
    return soonest;
  }

  @Override
  public void read(long now, Consumer<StreamRecord<T>> out) {
    for (int tried = 0; tried < splits.size(); tried++) {
      long[] split = splits.get(turn++ % splits.size());
      int partition = (int) split[0];
      if (split[1] < input.count(partition) && input.arrives(partition, split[1]) <= now) {
        long offset = split[1]++;
        out.accept(new StreamRecord<>(records.at(partition, offset)));
        return;
      }
    }
  }

  @Override
  public SavedState save() {
    List<byte[]> saved = new ArrayList<>();
    for (long[] split : splits) {
      saved.add(ByteBuffer.allocate(2 * Long.BYTES).putLong(split[0]).putLong(split[1]).array());
    }
    return new SavedState(Map.of(STATE, saved), Map.of(), Map.of());
  }
}
