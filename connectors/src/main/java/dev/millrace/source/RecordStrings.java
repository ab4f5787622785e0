package dev.millrace.source;

import dev.millrace.example.Example;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Records as byte strings, some in each. In front of them stands what their serializer says of
 * itself, by which a later one tells whether it has the same records.
 *
 * @param <T> the records
 */
final class RecordStrings<T> {

  private static final byte FORMAT = 1;
  private static final int SOME_BYTES = 1024;

  /** A string that has as many bytes takes no further record. */
  private static final int ENOUGH_BYTES = 1 << 20;

  private final TypeSerializer<T> serializer;
  private final ClassLoader classes;

  /**
   * @param classes finds those of records
   */
  RecordStrings(TypeSerializer<T> serializer, ClassLoader classes) {
    this.serializer = serializer;
    this.classes = classes;
  }

  /** Returns no string where there are no records. */
  List<byte[]> write(Iterable<StreamRecord<T>> records) throws IOException {
    List<byte[]> strings = new ArrayList<>();
    DataOutputSerializer out = new DataOutputSerializer(SOME_BYTES);
    for (StreamRecord<T> record : records) {
      if (out.length() == 0) {
        out.writeByte(FORMAT);
        TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
      }
      out.writeLong(ParkedRecords.time(record));
      serializer.serialize(record.getValue(), out);
      if (out.length() >= ENOUGH_BYTES) {
        strings.add(out.getCopyOfBuffer());
        out.clear();
      }
    }
    if (out.length() > 0) {
      strings.add(out.getCopyOfBuffer());
    }
    return strings;
  }

  /**
   * Reads the records of a string.
   *
   * @throws OtherRecordsException if they are of another type than the serializer's
   */
  void read(byte[] string, Consumer<StreamRecord<T>> records) throws IOException {
    DataInputDeserializer in = new DataInputDeserializer(string);
    byte format = in.readByte();
    if (format != FORMAT) {
      throw new IOException("Records that wait, of another format version: " + format);
    }
    TypeSerializer<T> reader = reader(in);
    while (in.available() > 0) {
      long time = in.readLong();
      T value = reader.deserialize(in);
      records.accept(
          time == Example.NO_TIMESTAMP
              ? new StreamRecord<>(value)
              : new StreamRecord<>(value, time));
    }
  }

  /** Returns the serializer that wrote the records: it reads them, whatever the present one is. */
  private TypeSerializer<T> reader(DataInputDeserializer in) {
    TypeSerializerSnapshot<T> written;
    try {
      written = TypeSerializerSnapshot.readVersionedSnapshot(in, classes);
    } catch (IOException e) {
      // A class that is gone, mostly.
      throw new OtherRecordsException(e.getMessage());
    }
    TypeSerializerSnapshot<T> present = serializer.snapshotConfiguration();
    if (present.resolveSchemaCompatibility(written).isIncompatible()) {
      throw new OtherRecordsException("Flink can't convert them");
    }
    return written.restoreSerializer();
  }
}
