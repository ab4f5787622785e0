package dev.millrace.exchange.flink;

import dev.millrace.exchange.flink.ByteStringState.Deferred;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes byte strings, and what becomes one when it is written, as {@link
 * BytePrimitiveArraySerializer} does; reads byte strings. Neither ever changes, so Flink needs no
 * copy of them.
 */
final class ByteStringSerializer extends TypeSerializerSingleton<Object> {

  static final ByteStringSerializer INSTANCE = new ByteStringSerializer();

  private static final long serialVersionUID = 1;

  private ByteStringSerializer() {}

  @Override
  public void serialize(Object string, DataOutputView target) throws IOException {
    if (string instanceof Deferred deferred) {
      DataOutputStream counter = new DataOutputStream(OutputStream.nullOutputStream());
      deferred.write(counter);
      // It counts no further.
      if (counter.size() == Integer.MAX_VALUE) {
        throw new IOException("What is to be saved is larger than the 2 GB of one byte string");
      }
      target.writeInt(counter.size());
      deferred.write(target);
    } else {
      BytePrimitiveArraySerializer.INSTANCE.serialize((byte[]) string, target);
    }
  }

  @Override
  public byte[] deserialize(DataInputView source) throws IOException {
    return BytePrimitiveArraySerializer.INSTANCE.deserialize(source);
  }

  @Override
  public byte[] deserialize(Object reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    BytePrimitiveArraySerializer.INSTANCE.copy(source, target);
  }

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public byte[] createInstance() {
    return new byte[0];
  }

  @Override
  public Object copy(Object string) {
    return string;
  }

  @Override
  public Object copy(Object string, Object reuse) {
    return string;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public TypeSerializerSnapshot<Object> snapshotConfiguration() {
    return new Snapshot();
  }

  /** What a checkpoint says of it; checkpoints of byte arrays are read as they are. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<Object> {

    public Snapshot() {
      super(() -> INSTANCE);
    }

    @Override
    public TypeSerializerSchemaCompatibility<Object> resolveSchemaCompatibility(
        TypeSerializerSnapshot<Object> older) {
      TypeSerializer<?> writer = older.restoreSerializer();
      return writer instanceof ByteStringSerializer
              || writer instanceof BytePrimitiveArraySerializer
          ? TypeSerializerSchemaCompatibility.compatibleAsIs()
          : TypeSerializerSchemaCompatibility.incompatible();
    }
  }
}
