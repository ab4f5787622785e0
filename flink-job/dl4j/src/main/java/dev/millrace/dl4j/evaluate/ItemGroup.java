package dev.millrace.dl4j.evaluate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Items that a network is asked about at once: the first dimension of arrays is that of examples.
 *
 * @param items at least one
 */
record ItemGroup(List<MultiDataSet> items) {

  /** Whether examples of both have the same shape, and both have masks or neither has. */
  static boolean fit(MultiDataSet one, MultiDataSet other) {
    return fit(one.getFeatures(), other.getFeatures())
        && fit(one.getFeaturesMaskArrays(), other.getFeaturesMaskArrays());
  }

  private static boolean fit(INDArray[] some, INDArray[] others) {
    if (some == null || others == null) {
      return some == others;
    }
    for (int i = 0; i < some.length; i++) {
      if (some[i] == null || others[i] == null) {
        if (some[i] != others[i]) {
          return false;
        }
      } else if (!Arrays.equals(ofExample(some[i]), ofExample(others[i]))) {
        return false;
      }
    }
    return true;
  }

  private static long[] ofExample(INDArray array) {
    return Arrays.copyOfRange(array.shape(), 1, array.rank());
  }

  /** Returns the outputs of each item. */
  List<INDArray[]> outputs(Model network) {
    INDArray[] outputs =
        Networks.output(
            network,
            joined(items.stream().map(MultiDataSet::getFeatures).toList()),
            joined(items.stream().map(MultiDataSet::getFeaturesMaskArrays).toList()));
    List<INDArray[]> ofItems = new ArrayList<>();
    long from = 0;
    for (MultiDataSet item : items) {
      long to = from + item.getFeatures(0).size(0);
      ofItems.add(rows(outputs, from, to));
      from = to;
    }
    return ofItems;
  }

  private static INDArray[] joined(List<INDArray[]> arrays) {
    INDArray[] first = arrays.get(0);
    if (first == null || arrays.size() == 1) {
      return first;
    }
    INDArray[] joined = new INDArray[first.length];
    for (int i = 0; i < first.length; i++) {
      int place = i;
      joined[i] =
          first[i] == null
              ? null
              : Nd4j.concat(0, arrays.stream().map(array -> array[place]).toArray(INDArray[]::new));
    }
    return joined;
  }

  private static INDArray[] rows(INDArray[] outputs, long from, long to) {
    INDArray[] rows = new INDArray[outputs.length];
    for (int i = 0; i < outputs.length; i++) {
      rows[i] = Rows.of(outputs[i], from, to).dup();
    }
    return rows;
  }
}
