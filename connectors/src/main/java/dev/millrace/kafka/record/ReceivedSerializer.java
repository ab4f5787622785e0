package dev.millrace.kafka.record;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.example.SkippedRecord;
import dev.millrace.model.IdLists;
import dev.millrace.model.Partition;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.StringValue;

/**
 * Carries examples and rejected records between tasks and into checkpoints. Each value begins with
 * a byte that says what it is and in which format: a new format takes a new number, and those of
 * old savepoints stay readable.
 *
 * <p>Not thread-safe; {@link #duplicate} it.
 */
public final class ReceivedSerializer extends TypeSerializer<Received> {

  private static final int EXAMPLE_V1 = 1;
  private static final int REJECTED_V1 = 2;

  /** An example with the record's key at the end. */
  private static final int EXAMPLE_V2 = 3;

  /** An example with all of its shape, words and steps: where it is more than arrays of numbers. */
  private static final int EXAMPLE_V3 = 4;

  private static final int SKIPPED_V1 = 5;

  /** Their order is part of the format. */
  private static final List<Target> TARGETS =
      List.of(Target.CLASSIFICATION, Target.MULTI_LABEL, Target.REGRESSION);

  private transient PartitionPool partitions;
  private transient ShapeBytes shapes;

  @Override
  public void serialize(Received received, DataOutputView target) throws IOException {
    if (received instanceof Example example) {
      boolean plain = example.shape().isFlat() && example.shape().columns().isPlain();
      target.writeByte(plain ? EXAMPLE_V2 : EXAMPLE_V3);
      writeOrigin(received, target);
      if (plain) {
        target.writeInt(example.shape().features());
        target.writeInt(example.shape().outputs());
        target.writeByte(TARGETS.indexOf(example.shape().target()));
      } else {
        BulkArrays.writeBytes(target, shapes().bytes(example.shape()));
        target.writeInt(example.steps());
        for (String word : example.words()) {
          StringValue.writeString(word, target);
        }
        example.ids().write(target, example.ids().rows());
      }
      BulkArrays.writeFloats(target, example.features());
      BulkArrays.writeFloats(target, example.labels());
      target.writeFloat(example.weight());
      target.writeLong(example.timestamp());
      StringValue.writeString(example.id(), target);
      writeNullable(example.key(), target);
    } else if (received instanceof RejectedRecord record) {
      target.writeByte(REJECTED_V1);
      writeOrigin(received, target);
      target.writeLong(record.timestamp());
      writeNullable(record.key(), target);
      writeNullable(record.value(), target);
      StringValue.writeString(record.reason(), target);
    } else {
      target.writeByte(SKIPPED_V1);
      writeOrigin(received, target);
    }
  }

  @Override
  public Received deserialize(DataInputView source) throws IOException {
    return deserialize(null, source);
  }

  @Override
  public Received deserialize(Received reuse, DataInputView source) throws IOException {
    int kind = source.readUnsignedByte();
    return switch (kind) {
      case EXAMPLE_V1, EXAMPLE_V2, EXAMPLE_V3 -> readExample(reuse, source, kind);
      case REJECTED_V1 ->
          new RejectedRecord(
              readPartition(source),
              source.readLong(),
              source.readLong(),
              readNullable(source),
              readNullable(source),
              StringValue.readString(source));
      case SKIPPED_V1 -> new SkippedRecord(readPartition(source), source.readLong());
      default ->
          throw new IOException(
              "A received record of format %s; this release reads formats %s to %s"
                  .formatted(kind, EXAMPLE_V1, SKIPPED_V1));
    };
  }

  @Override
  public Received copy(Received from) {
    // All else never changes, so it is its own copy.
    return from instanceof Example example ? example.copy() : from;
  }

  @Override
  public Received copy(Received from, Received reuse) {
    if (from instanceof Example source
        && reuse instanceof Example target
        && source.shape().equals(target.shape())) {
      target.set(source);
      return target;
    }
    return copy(from);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    serialize(deserialize(source), target);
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public TypeSerializer<Received> duplicate() {
    return new ReceivedSerializer();
  }

  /** None: what a record is shows only when it is read. */
  @Override
  public Received createInstance() {
    return null;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ReceivedSerializer;
  }

  @Override
  public int hashCode() {
    return ReceivedSerializer.class.hashCode();
  }

  @Override
  public TypeSerializerSnapshot<Received> snapshotConfiguration() {
    return new Snapshot();
  }

  private ShapeBytes shapes() {
    if (shapes == null) {
      shapes = new ShapeBytes();
    }
    return shapes;
  }

  private Example readExample(Received reuse, DataInputView source, int kind) throws IOException {
    Partition partition = readPartition(source);
    long offset = source.readLong();
    ExampleShape shape =
        kind == EXAMPLE_V3
            ? shapes().shape(BulkArrays.readBytes(source))
            : new ExampleShape(
                source.readInt(), source.readInt(), TARGETS.get(source.readUnsignedByte()));
    Example example =
        reuse instanceof Example old && old.shape().equals(shape) ? old : new Example(shape);
    if (kind == EXAMPLE_V3) {
      example.setSteps(source.readInt());
      for (int word = 0; word < example.words().length; word++) {
        example.words()[word] = StringValue.readString(source);
      }
      example.ids().set(IdLists.read(source));
    }
    BulkArrays.readFloats(source, example.features());
    BulkArrays.readFloats(source, example.labels());
    example.setWeight(source.readFloat());
    example.setTimestamp(source.readLong());
    example.setId(StringValue.readString(source));
    example.setKey(kind == EXAMPLE_V1 ? null : readNullable(source));
    example.setOrigin(partition, offset);
    return example;
  }

  private Partition readPartition(DataInputView source) throws IOException {
    if (partitions == null) {
      partitions = new PartitionPool();
    }
    return partitions.get(
        StringValue.readString(source), StringValue.readString(source), source.readInt());
  }

  private static void writeOrigin(Received received, DataOutputView target) throws IOException {
    StringValue.writeString(received.partition().topic(), target);
    StringValue.writeString(received.partition().topicId(), target);
    target.writeInt(received.partition().number());
    target.writeLong(received.offset());
  }

  private static void writeNullable(byte[] bytes, DataOutputView target) throws IOException {
    target.writeBoolean(bytes != null);
    if (bytes != null) {
      BulkArrays.writeBytes(target, bytes);
    }
  }

  private static byte[] readNullable(DataInputView source) throws IOException {
    return source.readBoolean() ? BulkArrays.readBytes(source) : null;
  }

  /** The formats are told apart in the data, so that there is nothing to keep here. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<Received> {
    public Snapshot() {
      super(ReceivedSerializer::new);
    }
  }
}
