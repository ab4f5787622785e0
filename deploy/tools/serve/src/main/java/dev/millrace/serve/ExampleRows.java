package dev.millrace.serve;

import dev.millrace.example.Example;
import dev.millrace.model.shape.ExampleShape;
import java.util.List;

/** Collects the examples of a request, one a row. */
final class ExampleRows {

  private final ExampleShape shape;
  private final float[] features;
  private final String[] words;
  private int rows;

  ExampleRows(ExampleShape shape, int rows) {
    this.shape = shape;
    this.features = new float[rows * shape.features()];
    this.words = new String[rows * shape.words()];
  }

  void add(Example example) {
    System.arraycopy(example.features(), 0, features, rows * shape.features(), shape.features());
    System.arraycopy(example.words(), 0, words, rows * shape.words(), shape.words());
    rows++;
  }

  InferRequest request(String idOrNull, List<WantedOutput> outputs) {
    return new InferRequest(idOrNull, rows, features, words, 0, outputs);
  }
}
