package dev.millrace.model.testing;

import dev.millrace.model.LayerDescription;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What built-in networks for rows of embedding tables compute, in plain loops over one example. */
final class RowFormulas {

  private final ExampleShape shape;
  private final List<LayerDescription> layers;
  private final float[] vector;
  private final int hidden;

  RowFormulas(ExampleShape shape, List<LayerDescription> layers, float[] vector, int hidden) {
    this.shape = shape;
    this.layers = layers;
    this.vector = vector;
    this.hidden = hidden;
  }

  /** Returns what the network of that name predicts. */
  double[] predict(String name, float[] features) {
    double[] x = new double[features.length];
    for (int i = 0; i < x.length; i++) {
      x[i] = features[i];
    }
    if (name.equals("two-tower")) {
      return activated(linear("output", score(x)));
    }
    List<Double> all = new ArrayList<>();
    double[] deep = x;
    for (int layer = 0; layer < hidden; layer++) {
      deep = linear("deep" + layer, deep);
      for (int i = 0; i < deep.length; i++) {
        deep[i] = Math.max(0, deep[i]);
      }
    }
    add(all, deep);
    switch (name) {
      case "deepfm" -> {
        wide(all, x);
        all.add(interactions(x));
      }
      case "wide-deep" -> wide(all, x);
      case "dcn" -> {
        double[] crossed = x.clone();
        for (int layer = 0; layer < 2; layer++) {
          double[] weighed = linear("cross" + layer, crossed);
          for (int i = 0; i < x.length; i++) {
            crossed[i] += x[i] * weighed[i];
          }
        }
        add(all, crossed);
      }
      default -> throw new IllegalArgumentException(name);
    }
    return activated(linear("output", all.stream().mapToDouble(value -> value).toArray()));
  }

  /** The dot product of what both towers give. */
  private double score(double... x) {
    double[] first = tower("first", shape.structure().inputs().get(0).features(), x);
    double[] second = tower("second", shape.structure().inputs().get(1).features(), x);
    double sum = 0;
    for (int i = 0; i < first.length; i++) {
      sum += first[i] * second[i];
    }
    return sum;
  }

  private double[] tower(String name, IndexRange features, double... x) {
    double[] values = Arrays.copyOfRange(x, features.from(), features.to());
    for (int layer = 0; layer < hidden; layer++) {
      values = linear(name + layer, values);
      for (int i = 0; i < values.length && layer < hidden - 1; i++) {
        values[i] = Math.max(0, values[i]);
      }
    }
    return values;
  }

  /** Features of no row, and the sum of the rows' first values. */
  private void wide(List<Double> all, double... x) {
    double first = 0;
    for (int i = 0; i < x.length; i++) {
      int feature = i;
      if (shape.columns().ids().stream().noneMatch(id -> contains(id.features(), feature))) {
        all.add(x[i]);
      }
    }
    for (IdColumn id : shape.columns().ids()) {
      first += x[id.features().from()];
    }
    all.add(first);
  }

  private static boolean contains(IndexRange range, int index) {
    return index >= range.from() && index < range.to();
  }

  /** Dot products of all pairs. */
  private double interactions(double... x) {
    List<IdColumn> ids = shape.columns().ids();
    int shortest = ids.stream().mapToInt(id -> id.features().length()).min().orElseThrow();
    double sum = 0;
    for (int a = 0; a < ids.size(); a++) {
      for (int b = a + 1; b < ids.size(); b++) {
        for (int value = 1; value < shortest; value++) {
          sum += x[ids.get(a).features().from() + value] * x[ids.get(b).features().from() + value];
        }
      }
    }
    return sum;
  }

  /** Weights of an output stand one behind the other, biases behind all of them. */
  private double[] linear(String name, double... inputs) {
    IndexRange range =
        layers.stream()
            .filter(layer -> layer.name().equals(name))
            .findFirst()
            .orElseThrow()
            .parameters();
    int outputs = range.length() / (inputs.length + 1);
    double[] sums = new double[outputs];
    for (int output = 0; output < outputs; output++) {
      sums[output] = vector[range.from() + outputs * inputs.length + output];
      for (int i = 0; i < inputs.length; i++) {
        sums[output] += inputs[i] * vector[range.from() + output * inputs.length + i];
      }
    }
    return sums;
  }

  private double[] activated(double... logits) {
    double sum = 0;
    for (int i = 0; i < logits.length; i++) {
      if (shape.target() == Target.CLASSIFICATION) {
        logits[i] = Math.exp(logits[i]);
      } else if (shape.target() == Target.MULTI_LABEL) {
        logits[i] = 1 / (1 + Math.exp(-logits[i]));
      }
      sum += logits[i];
    }
    for (int i = 0; i < logits.length && shape.target() == Target.CLASSIFICATION; i++) {
      logits[i] /= sum;
    }
    return logits;
  }

  private static void add(List<Double> all, double... values) {
    for (double value : values) {
      all.add(value);
    }
  }
}
