package dev.millrace.dl4j;

import dev.millrace.dl4j.source.DataSetType;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.nd4j.linalg.dataset.DataSet;

/** DL4J's data sets as records of Flink's streams. */
@PublicEvolving
public final class DataSets {

  private DataSets() {}

  /**
   * Returns how Flink writes data sets: as DL4J saves them. Without it Flink takes Kryo, which
   * can't write ND4J's arrays: {@code stream.map(…).returns(DataSets.type())}.
   */
  public static TypeInformation<DataSet> type() {
    return new DataSetType();
  }
}
