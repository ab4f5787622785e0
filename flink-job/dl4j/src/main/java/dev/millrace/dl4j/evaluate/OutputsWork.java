package dev.millrace.dl4j.evaluate;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * Has outputs computed, one array of them for each item, in order. Items whose examples have the
 * same shape are asked about together.
 *
 * @param batch examples that the network is asked about at once
 */
record OutputsWork(int batch) implements NetworkWork<OutputsWork.Outputs> {

  /**
   * What came out.
   *
   * @param ofItems of each item the arrays of all outputs
   */
  record Outputs(ArrayList<INDArray[]> ofItems) implements Serializable {}

  @Override
  public Outputs of(Model network, Iterator<MultiDataSet> items) {
    ArrayList<INDArray[]> outputs = new ArrayList<>();
    List<MultiDataSet> group = new ArrayList<>();
    long examples = 0;
    while (items.hasNext()) {
      MultiDataSet item = items.next();
      if (!group.isEmpty() && (examples >= batch || !ItemGroup.fit(group.get(0), item))) {
        outputs.addAll(new ItemGroup(group).outputs(network));
        group.clear();
        examples = 0;
      }
      group.add(item);
      examples += item.getFeatures(0).size(0);
    }
    outputs.addAll(new ItemGroup(group).outputs(network));
    return new Outputs(outputs);
  }
}
