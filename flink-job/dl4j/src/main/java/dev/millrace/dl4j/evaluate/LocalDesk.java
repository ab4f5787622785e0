package dev.millrace.dl4j.evaluate;

import dev.millrace.dl4j.run.LocalHandle;
import java.io.Serializable;
import org.apache.flink.util.CloseableIterator;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * A desk in this process, for tasks that run in it.
 *
 * @param handle gives what tasks share
 */
record LocalDesk(LocalHandle<OpenDesk> handle) implements Desk {

  @Override
  public Model network() {
    return handle.get().copyOfNetwork();
  }

  @Override
  public CloseableIterator<MultiDataSet> part(int number) {
    return CloseableIterator.adapterForIterator(handle.get().part(number));
  }

  @Override
  public void put(int number, Serializable result) {
    handle.get().put(number, result);
  }
}
