package dev.millrace.serve;

import dev.millrace.example.Example;
import dev.millrace.model.IdLists;
import dev.millrace.model.shape.ExampleShape;
import java.util.List;

/** Collects the examples of a request, one a row. */
final class ExampleRows {

  private final ExampleShape shape;
  private final float[] features;
  private final String[] words;
  private final IdLists ids;
  private int rows;

  ExampleRows(ExampleShape shape, int rows) {
    this.shape = shape;
    this.features = new float[rows * shape.features()];
    this.words = new String[rows * shape.words()];
    this.ids = new IdLists(shape.columns().ids().size());
  }

  void add(Example example) {
    System.arraycopy(example.features(), 0, features, rows * shape.features(), shape.features());
    System.arraycopy(example.words(), 0, words, rows * shape.words(), shape.words());
    ids.addRow(example.ids(), 0);
    rows++;
  }

  InferRequest request(String idOrNull, List<WantedOutput> outputs) {
    return new InferRequest(idOrNull, rows, features, words, ids, 0, outputs);
  }
}
