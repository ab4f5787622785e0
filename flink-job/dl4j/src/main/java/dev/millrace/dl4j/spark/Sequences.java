package dev.millrace.dl4j.spark;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** Sequences in data. */
final class Sequences {

  private static final int RANK = 3;

  private Sequences() {}

  /** Returns the most steps of a sequence; 0 where the first data set has none. Reads all else. */
  static long longest(List<? extends MultiDataSet> dataSets) {
    if (dataSets.isEmpty() || steps(dataSets.get(0)) == 0) {
      return 0;
    }
    return dataSets.stream().mapToLong(Sequences::steps).max().orElse(0);
  }

  private static long steps(MultiDataSet dataSet) {
    return Stream.concat(Arrays.stream(dataSet.getFeatures()), Arrays.stream(dataSet.getLabels()))
        .filter(array -> array.rank() == RANK)
        .mapToLong(Sequences::steps)
        .max()
        .orElse(0);
  }

  private static long steps(INDArray array) {
    return array.size(2);
  }
}
