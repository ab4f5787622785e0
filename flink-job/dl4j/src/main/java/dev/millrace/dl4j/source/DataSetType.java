package dev.millrace.dl4j.source;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.nd4j.linalg.dataset.DataSet;

/** The type of DL4J's data sets in Flink's streams. */
public final class DataSetType extends TypeInformation<DataSet> {

  private static final long serialVersionUID = 1;

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public Class<DataSet> getTypeClass() {
    return DataSet.class;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public TypeSerializer<DataSet> createSerializer(SerializerConfig config) {
    return DataSetSerializer.INSTANCE;
  }

  @Override
  public String toString() {
    return DataSet.class.getSimpleName();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DataSetType;
  }

  @Override
  public int hashCode() {
    return DataSet.class.hashCode();
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof DataSetType;
  }
}
