package dev.millrace.exchange.flink;

import dev.millrace.exchange.flink.ByteStringState.Deferred;
import dev.millrace.model.io.BulkArrays;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes {@linkplain ByteString byte strings}, and what becomes one when it is written, in pieces:
 * they may be larger than an array. Reads byte strings. Neither ever changes, so Flink needs no
 * copy of them.
 */
final class ByteStringSerializer extends TypeSerializerSingleton<Object> {

  static final ByteStringSerializer INSTANCE = new ByteStringSerializer();

  private static final long serialVersionUID = 1;

  private ByteStringSerializer() {}

  @Override
  public void serialize(Object string, DataOutputView target) throws IOException {
    try (DataOutputStream out = new DataOutputStream(new PieceOutputStream(target))) {
      if (string instanceof Deferred deferred) {
        deferred.write(out);
      } else {
        for (byte[] piece : ((ByteString) string).pieces()) {
          out.write(piece);
        }
      }
    }
  }

  @Override
  public ByteString deserialize(DataInputView source) throws IOException {
    List<byte[]> pieces = new ArrayList<>();
    for (int length = source.readInt(); length > 0; length = source.readInt()) {
      pieces.add(BulkArrays.readBytes(source, length));
    }
    return new ByteString(pieces);
  }

  @Override
  public ByteString deserialize(Object reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    serialize(deserialize(source), target);
  }

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public ByteString createInstance() {
    return new ByteString(List.of());
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

  /** What a checkpoint says of it. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<Object> {

    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
