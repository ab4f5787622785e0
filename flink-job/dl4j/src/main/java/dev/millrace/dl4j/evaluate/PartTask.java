package dev.millrace.dl4j.evaluate;

import java.io.Serializable;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.util.CloseableIterator;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** Does the work of the parts whose numbers come, with one copy of the network. */
final class PartTask extends RichMapFunction<Long, Long> {

  private static final long serialVersionUID = 1;

  private final Desk desk;
  private final NetworkWork<?> work;

  private transient Model network;

  PartTask(Desk desk, NetworkWork<?> work) {
    this.desk = desk;
    this.work = work;
  }

  @Override
  public void open(OpenContext context) throws Exception {
    network = desk.network();
  }

  @Override
  @SuppressWarnings("try") // Closing waits for nothing.
  public Long map(Long number) throws Exception {
    int part = Math.toIntExact(number);
    try (CloseableIterator<MultiDataSet> items = desk.part(part)) {
      Serializable result = work.of(network, items);
      desk.put(part, result);
    }
    return number;
  }
}
