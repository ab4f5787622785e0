package dev.millrace.simulate.task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** Values of states, as a checkpoint has them. */
final class StateBytes {

  private StateBytes() {}

  /** What is to be written of one state, later. */
  interface Written {
    List<byte[]> write();
  }

  static <T> byte[] write(TypeSerializer<T> serializer, T value) {
    try {
      DataOutputSerializer out = new DataOutputSerializer(64);
      serializer.serialize(value, out);
      return out.getCopyOfBuffer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static <T> T read(TypeSerializer<T> serializer, byte[] bytes) {
    try {
      return serializer.deserialize(new DataInputDeserializer(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
