package dev.millrace.model.grow;

import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IdRows;
import dev.millrace.model.shape.NumberColumns;
import dev.millrace.model.shape.WordColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says which of a smaller model's features and outputs are where in a larger one: by number of the
 * new one that of the old one, negative where there was none.
 *
 * @param features of a record or a step, labels of records before included
 * @param outputs of the label
 * @param oldShape of the smaller model's examples
 * @param shape of the larger one's
 */
public record Places(int[] features, int[] outputs, ExampleShape oldShape, ExampleShape shape) {

  /**
   * Finds them by name.
   *
   * @param oldFeatures names of the features of a record, or of each step
   * @param oldOutputs names of the outputs
   * @throws InvalidModelException if examples have ids
   */
  public static Places byName(
      ExampleShape oldShape,
      List<String> oldFeatures,
      List<String> oldOutputs,
      ExampleShape shape,
      List<String> features,
      List<String> outputs) {
    IdRows.requireNone(oldShape, "A model that grows");
    IdRows.requireNone(shape, "A model that grows");
    int[] ofOutputs = find(oldOutputs, outputs);
    int[] ofRecord = find(oldFeatures, features);
    int[] all = Arrays.copyOf(ofRecord, shape.width());
    for (int lag = 0, at = ofRecord.length; lag < shape.labelLags(); lag++) {
      for (int output : ofOutputs) {
        boolean known = output >= 0 && lag < oldShape.labelLags();
        all[at++] = known ? oldFeatures.size() + lag * oldOutputs.size() + output : -1;
      }
    }
    return new Places(all, ofOutputs, oldShape, shape);
  }

  private static int[] find(List<String> old, List<String> names) {
    Map<String, Integer> known = new HashMap<>();
    for (int i = 0; i < old.size(); i++) {
      known.put(old.get(i), i);
    }
    return names.stream().mapToInt(name -> known.getOrDefault(name, -1)).toArray();
  }

  /** Whether nothing is known of any output: the last layer is a new one. */
  public boolean replaces() {
    return Arrays.stream(outputs).allMatch(output -> output < 0);
  }

  /** Returns what is known of the features, each in its new place; of new ones nothing. */
  public LearnedFeatures apply(LearnedFeatures old) {
    return new LearnedFeatures(
        apply(old.statistics()), old.vocabularies().rearranged(shape.columns().words(), words()));
  }

  /** Moves statistics of numbers; those of none stay so. */
  public FeatureStatistics apply(FeatureStatistics old) {
    return old.features() > 0 ? old.rearranged(numbers()) : old.copy();
  }

  /** Returns the places of numbers that are standardized. */
  public int[] numbers() {
    Map<Integer, Integer> old = new HashMap<>();
    for (int i = 0; i < NumberColumns.count(oldShape); i++) {
      old.put(NumberColumns.feature(oldShape, i), i);
    }
    int[] places = new int[NumberColumns.count(shape)];
    Arrays.setAll(places, i -> old.getOrDefault(features[NumberColumns.feature(shape, i)], -1));
    return places;
  }

  /** Returns the places of columns of words. */
  public int[] words() {
    List<String> old = oldShape.columns().words().stream().map(WordColumn::name).toList();
    return find(old, shape.columns().words().stream().map(WordColumn::name).toList());
  }

  /**
   * Moves features of examples. Of new ones a number is missing, and all else is 0.
   *
   * @param old rows of the old shape, steps of sequences included
   */
  public float[] features(float[] old, int rows) {
    float[] moved = move(old, rows * shape.rows(), oldShape.width(), features);
    List<Integer> missing = new ArrayList<>();
    for (int i = 0; i < NumberColumns.count(shape) && !shape.columns().isPlain(); i++) {
      int feature = NumberColumns.feature(shape, i);
      if (features[feature] < 0) {
        missing.add(feature);
      }
    }
    for (int row = 0; row < rows * shape.rows(); row++) {
      for (int feature : missing) {
        moved[row * shape.width() + feature] = Float.NaN;
      }
    }
    return moved;
  }

  /** Moves words of examples; new ones are missing. */
  public String[] words(String[] old, int rows) {
    int[] places = words();
    int width = oldShape.columns().words().size();
    String[] moved = new String[rows * shape.rows() * places.length];
    Arrays.setAll(
        moved,
        i -> {
          int place = places[i % places.length];
          return place < 0 ? null : old[i / places.length * width + place];
        });
    return moved;
  }

  /** Moves labels of examples. */
  public float[] labels(float[] old, int rows) {
    return move(old, rows * (shape.labels() / shape.outputs()), oldShape.outputs(), outputs);
  }

  private static float[] move(float[] old, int rows, int width, int[] places) {
    float[] moved = new float[rows * places.length];
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < places.length; i++) {
        if (places[i] >= 0) {
          moved[row * places.length + i] = old[row * width + places[i]];
        }
      }
    }
    return moved;
  }
}
