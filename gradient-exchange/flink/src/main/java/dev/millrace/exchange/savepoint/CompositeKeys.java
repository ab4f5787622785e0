package dev.millrace.exchange.savepoint;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.runtime.state.CompositeKeySerializationUtils;

/** Keys as RocksDB and canonical savepoints have them: key group, key, namespace. */
final class CompositeKeys {

  private final TypeSerializer<? extends Number> keys;
  private final int prefix;
  private final DataInputDeserializer in = new DataInputDeserializer();

  /**
   * @param keys reads a key of a fixed length
   * @param keyGroups of the operator
   */
  CompositeKeys(TypeSerializer<? extends Number> keys, int keyGroups) {
    this.keys = keys;
    this.prefix = CompositeKeySerializationUtils.computeRequiredBytesInKeyGroupPrefix(keyGroups);
  }

  int keyGroup(byte[] composite) {
    return CompositeKeySerializationUtils.extractKeyGroup(prefix, composite);
  }

  /**
   * Returns the key alone, behind which {@link #namespace} is known.
   *
   * @throws IOException if it is too short
   */
  long read(byte[] composite) throws IOException {
    if (composite.length < prefix) {
      throw new IOException("a key of it has %s bytes".formatted(composite.length));
    }
    in.setBuffer(composite, prefix, composite.length - prefix);
    return keys.deserialize(in).longValue();
  }

  /** Returns the namespace of the key that was read last; 0 if its state has none. */
  int namespace() throws IOException {
    return in.available() == Integer.BYTES ? in.readInt() : 0;
  }
}
