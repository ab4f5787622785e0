package dev.millrace.simulate.job;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.simulate.task.SavedState;
import dev.millrace.simulate.task.SourceHead;
import dev.millrace.source.TaskLink;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Reads partitions, as a reader of Kafka's does: its places are its state. */
final class PartitionReader implements SourceHead<Received> {

  private static final String STATE = "splits";

  private final Input input;
  private final ExampleShape shape;

  /** Of a job without a checkpoint. */
  private final List<long[]> initial;

  private final boolean restored;
  private final List<long[]> splits = new ArrayList<>();
  private int turn;

  PartitionReader(Input input, ExampleShape shape, List<long[]> initial, boolean restored) {
    this.input = input;
    this.shape = shape;
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
  public void read(long now, Consumer<StreamRecord<Received>> out) {
    for (int tried = 0; tried < splits.size(); tried++) {
      long[] split = splits.get(turn++ % splits.size());
      int partition = (int) split[0];
      if (split[1] < input.count(partition) && input.arrives(partition, split[1]) <= now) {
        long offset = split[1]++;
        out.accept(new StreamRecord<>(record(partition, offset)));
        return;
      }
    }
  }

  private Received record(int partition, long offset) {
    if (Input.isRejected(offset)) {
      return RejectedRecord.withoutBytes(Input.partition(partition), offset, "it is no example");
    }
    Example example = new Example(shape);
    example.features()[0] = Input.value(partition, offset);
    example.setOrigin(Input.partition(partition), offset);
    return example;
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
