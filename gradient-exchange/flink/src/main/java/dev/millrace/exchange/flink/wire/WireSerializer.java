package dev.millrace.exchange.flink.wire;

import dev.millrace.model.io.WireFormat;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Flink's view of a {@link WireFormat}, for messages between tasks. Messages are immutable, so
 * copies are the message itself. State is kept as bytes that carry their own version, never through
 * this class.
 */
final class WireSerializer<T> extends TypeSerializer<T> {

  private final Class<T> type;
  private final WireFormat<T> format;

  WireSerializer(Class<T> type, WireFormat<T> format) {
    this.type = type;
    this.format = format;
  }

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public TypeSerializer<T> duplicate() {
    return this;
  }

  @Override
  public T createInstance() {
    return null;
  }

  @Override
  public T copy(T from) {
    return from;
  }

  @Override
  public T copy(T from, T reuse) {
    return from;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(T value, DataOutputView target) throws IOException {
    format.write(value, target);
  }

  @Override
  public T deserialize(DataInputView source) throws IOException {
    return format.read(source);
  }

  @Override
  public T deserialize(T reuse, DataInputView source) throws IOException {
    return format.read(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    format.write(format.read(source), target);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WireSerializer<?> serializer && type.equals(serializer.type);
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }

  @Override
  public TypeSerializerSnapshot<T> snapshotConfiguration() {
    throw new UnsupportedOperationException(
        type.getSimpleName() + " travels between tasks and is never state of its own");
  }
}
