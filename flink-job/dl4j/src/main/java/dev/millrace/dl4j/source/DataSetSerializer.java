package dev.millrace.dl4j.source;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.nd4j.linalg.dataset.DataSet;

/** Writes data sets as DL4J saves them, behind their length. */
public final class DataSetSerializer extends TypeSerializerSingleton<DataSet> {

  static final DataSetSerializer INSTANCE = new DataSetSerializer();

  private static final long serialVersionUID = 1;

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public DataSet createInstance() {
    return new DataSet();
  }

  @Override
  public DataSet copy(DataSet from) {
    return from.copy();
  }

  @Override
  public DataSet copy(DataSet from, DataSet reuse) {
    return copy(from);
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(DataSet dataSet, DataOutputView target) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    dataSet.save(bytes);
    target.writeInt(bytes.size());
    target.write(bytes.toByteArray());
  }

  @Override
  public DataSet deserialize(DataInputView source) throws IOException {
    byte[] bytes = new byte[source.readInt()];
    source.readFully(bytes);
    DataSet dataSet = new DataSet();
    dataSet.load(new ByteArrayInputStream(bytes));
    return dataSet;
  }

  @Override
  public DataSet deserialize(DataSet reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    int length = source.readInt();
    target.writeInt(length);
    target.write(source, length);
  }

  @Override
  public TypeSerializerSnapshot<DataSet> snapshotConfiguration() {
    return new Snapshot();
  }

  /** What checkpoints keep of it: its class. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<DataSet> {

    /** Flink makes it by this. */
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
