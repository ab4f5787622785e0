package dev.millrace.dl4j.source;

import dev.millrace.dl4j.data.DataSetRows;
import dev.millrace.dl4j.data.MinibatchRows;
import java.io.IOException;
import java.io.InputStream;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.MultiDataSet;

/** What DL4J has saved. Only who reads such files loads it: it needs ND4J. */
final class SavedDataSet {

  private SavedDataSet() {}

  static MinibatchRows read(InputStream in) {
    DataSet minibatch = new DataSet();
    minibatch.load(in);
    return DataSetRows.of(minibatch);
  }

  static MinibatchRows readMulti(InputStream in) throws IOException {
    MultiDataSet minibatch = new MultiDataSet();
    minibatch.load(in);
    return DataSetRows.of(minibatch);
  }
}
