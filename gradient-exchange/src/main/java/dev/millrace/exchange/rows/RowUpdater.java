package dev.millrace.exchange.rows;

import java.io.Serializable;
import java.util.List;

/**
 * The rule by which gradients change a row. A row is a slice of an array: first its values, then
 * the updater's slots. All arithmetic is in plain floats and doubles, so that results are bit-equal
 * on each platform. Updaters have no state of their own; any thread may use them.
 */
public interface RowUpdater extends Serializable {

  /** The names that {@link #named} knows, the default first. */
  List<String> NAMES = List.of("adagrad-rowwise", "adagrad", "adam", "ftrl", "sgd");

  /** Returns the name of this rule. */
  String name();

  /** Returns the number of slots of a row with that many values. */
  int slots(int dimension);

  /**
   * Sets the slots to what they are before the first update; the values stay. It is called for new
   * rows, and where what was learned of gradients is to be forgotten.
   *
   * @param at where the row's values begin
   */
  void reset(float[] row, int at, int dimension);

  /**
   * Changes values and slots in place, by one gradient. It allocates nothing. A gradient that isn't
   * finite, or is too large, leaves values or slots that aren't finite; the caller looks for them.
   *
   * @param at where the row's values begin
   * @param gradients the loss's gradients with respect to the values, from {@code from} on
   * @param scale multiplies them
   */
  void update(float[] row, int at, int dimension, float[] gradients, int from, float scale);

  /**
   * Returns the updater of a name, with the usual settings of the others.
   *
   * @param learningRate above 0
   * @param l2 strength of the pull of used rows towards 0; 0 for none
   * @throws IllegalArgumentException if there is none of that name, or a number is out of its range
   */
  static RowUpdater named(String name, float learningRate, float l2) {
    return switch (name) {
      case "adagrad-rowwise" -> new RowwiseAdagrad(learningRate, l2);
      case "adagrad" -> new Adagrad(learningRate, l2);
      case "adam" -> new LazyAdam(learningRate, l2, 0.9f, 0.999f);
      case "ftrl" -> new Ftrl(learningRate, 1, 0, l2);
      case "sgd" -> new Sgd(learningRate, l2);
      default ->
          throw new IllegalArgumentException(
              "There is no row updater '%s'; choose one of %s"
                  .formatted(name, String.join(", ", NAMES)));
    };
  }
}
