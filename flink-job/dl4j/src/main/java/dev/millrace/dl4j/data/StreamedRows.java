package dev.millrace.dl4j.data;

import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;
import org.nd4j.linalg.dataset.DataSet;

/** Takes the examples out of a stream's data sets. They have no place of their own. */
public final class StreamedRows implements FlatMapFunction<DataSet, DataRow> {

  private static final long serialVersionUID = 1;

  @Override
  public void flatMap(DataSet dataSet, Collector<DataRow> out) {
    if (dataSet.isEmpty()) {
      return;
    }
    MinibatchRows rows = DataSetRows.of(dataSet);
    for (int i = 0; i < rows.rows(); i++) {
      DataRow row = new DataRow();
      row.share = DataRow.NO_SHARE;
      rows.copy(i, row);
      out.collect(row);
    }
  }
}
