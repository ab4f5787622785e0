package dev.millrace.dl4j.evaluate;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** What tasks of this process share. Thread-safe, as long as nobody changes the network. */
final class OpenDesk {

  private final Model network;
  private final List<? extends List<? extends MultiDataSet>> parts;
  private final AtomicReferenceArray<Serializable> results;

  OpenDesk(Model network, List<? extends List<? extends MultiDataSet>> parts) {
    this.network = network;
    this.parts = parts;
    this.results = new AtomicReferenceArray<>(parts.size());
  }

  synchronized Model copyOfNetwork() {
    return Networks.copy(network);
  }

  Iterator<MultiDataSet> part(int number) {
    Iterator<? extends MultiDataSet> items = parts.get(number).iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return items.hasNext();
      }

      @Override
      public MultiDataSet next() {
        return items.next();
      }
    };
  }

  void put(int number, Serializable result) {
    results.set(number, result);
  }

  /** Returns the results, in the order of the parts. */
  List<Serializable> results() {
    List<Serializable> all = new ArrayList<>();
    for (int i = 0; i < results.length(); i++) {
      all.add(results.get(i));
    }
    return all;
  }
}
