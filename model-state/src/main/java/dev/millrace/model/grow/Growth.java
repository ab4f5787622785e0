package dev.millrace.model.grow;

import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.VectorLayout;
import dev.millrace.model.io.InvalidModelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Says where each value of a model's vector lies once the model takes more features and gives more
 * outputs. It holds for every array of the vector's length, or of the parameters' alone: values,
 * updater state, momentum of a server optimizer, residuals. What is new is zero there.
 *
 * @param moves from the old vector to the new one
 * @param newBiases indices in the new vector of the biases of new outputs
 * @param oldParameters parameters of the old vector
 * @param parameters of the new one
 * @param length of the new one, with its updater state
 */
public record Growth(
    List<Move> moves, List<Integer> newBiases, int oldParameters, int parameters, int length) {

  /**
   * The bias of a new class: with it the class is next to impossible at first, and its first
   * examples have nearly the whole gradient.
   */
  static final float BIAS = -5;

  /**
   * Values that follow one another in both vectors.
   *
   * @param from index of the first in the old vector
   * @param to index of the first in the new one
   */
  public record Move(int from, int to, int length) {}

  public Growth {
    moves = List.copyOf(moves);
    newBiases = List.copyOf(newBiases);
  }

  /**
   * Finds it.
   *
   * @param features by number of the new feature, that of the old one; negative where there was
   *     none
   * @param outputs the same of outputs
   * @throws InvalidModelException if the networks differ in more than features and outputs
   */
  public static Growth between(
      VectorLayout old, VectorLayout grown, int[] features, int[] outputs) {
    List<Move> moves = new ArrayList<>();
    List<Integer> biases = new ArrayList<>();
    requireSameNames(old, grown);
    for (int i = 0; i < grown.tensors().size(); i++) {
      VectorLayout.Tensor from = old.tensors().get(i);
      VectorLayout.Tensor to = grown.tensors().get(i);
      add(moves, from, to, features, outputs);
      if (to.bias() && to.givesOutputs()) {
        for (int row = 0; row < to.rows(); row++) {
          if (outputs[row] < 0) {
            biases.add(to.from() + row);
          }
        }
      }
    }
    addState(moves, List.copyOf(moves), old, grown);
    return new Growth(moves, biases, old.parameters(), grown.parameters(), grown.length());
  }

  private static void requireSameNames(VectorLayout old, VectorLayout grown) {
    List<String> before = old.tensors().stream().map(VectorLayout.Tensor::name).toList();
    List<String> now = grown.tensors().stream().map(VectorLayout.Tensor::name).toList();
    if (!before.equals(now)) {
      throw new InvalidModelException(
          "The model can't grow: its network has the tensors %s there, and %s here. Only the first"
                  .formatted(before, now)
              + " layer's inputs and the last layer's outputs grow; leave the layers as they are");
    }
  }

  private static void add(
      List<Move> moves,
      VectorLayout.Tensor from,
      VectorLayout.Tensor to,
      int[] features,
      int[] outputs) {
    int[] rows = to.givesOutputs() ? outputs : same(from, to, from.rows(), to.rows());
    int[] columns = to.takesFeatures() ? features : same(from, to, from.columns(), to.columns());
    requireLength(to, rows, to.rows());
    requireLength(to, columns, to.columns());
    for (int row = 0; row < rows.length; row++) {
      for (int column = 0; column < columns.length && rows[row] >= 0; column++) {
        if (columns[column] >= 0) {
          append(
              moves,
              from.from() + rows[row] * from.columns() + columns[column],
              to.from() + row * to.columns() + column);
        }
      }
    }
  }

  private static int[] same(VectorLayout.Tensor from, VectorLayout.Tensor to, int old, int now) {
    if (old != now) {
      throw new InvalidModelException(
          ("The model can't grow: %s has the size %s x %s there, and %s x %s here. Only the first"
                  + " layer's inputs and the last layer's outputs grow; leave the layers as they"
                  + " are")
              .formatted(to.name(), from.rows(), from.columns(), to.rows(), to.columns()));
    }
    int[] all = new int[now];
    Arrays.setAll(all, i -> i);
    return all;
  }

  private static void requireLength(VectorLayout.Tensor tensor, int[] places, int expected) {
    if (places.length != expected) {
      throw new InvalidModelException(
          "The model can't grow: %s is for %s values, and the examples have %s"
              .formatted(tensor.name(), expected, places.length));
    }
  }

  /** Puts a value behind the last move, where it follows that in both vectors. */
  private static void append(List<Move> moves, int from, int to) {
    Move last = moves.isEmpty() ? null : moves.get(moves.size() - 1);
    if (last != null && last.from + last.length == from && last.to + last.length == to) {
      moves.set(moves.size() - 1, new Move(last.from, last.to, last.length + 1));
    } else {
      moves.add(new Move(from, to, 1));
    }
  }

  /** The state moves as the parameters do that it is of. */
  private static void addState(
      List<Move> moves, List<Move> ofParameters, VectorLayout old, VectorLayout grown) {
    if (old.state().isEmpty()) {
      return;
    }
    boolean alike = old.state().size() == grown.state().size();
    for (int i = 0; alike && i < old.state().size(); i++) {
      alike = old.state().get(i).slots() == grown.state().get(i).slots();
    }
    if (!alike) {
      throw new InvalidModelException(
          "The model can't grow: its updater keeps other values there than here. Leave the updater as"
              + " it is");
    }
    for (int i = 0; i < old.state().size(); i++) {
      VectorLayout.State from = old.state().get(i);
      VectorLayout.State to = grown.state().get(i);
      for (int slot = 0; slot < to.slots(); slot++) {
        for (Move move : ofParameters) {
          addState(moves, move, from, to, slot);
        }
      }
    }
  }

  private static void addState(
      List<Move> moves, Move move, VectorLayout.State from, VectorLayout.State to, int slot) {
    int start = Math.max(move.from, from.from());
    int end = Math.min(move.from + move.length, from.to());
    if (start < end) {
      moves.add(
          new Move(
              from.at() + slot * (from.to() - from.from()) + start - from.from(),
              to.at() + slot * (to.to() - to.from()) + move.to + start - move.from - to.from(),
              end - start));
    }
  }

  /**
   * Moves values of the old vector, or of its parameters alone.
   *
   * @return values of the new one, or of its parameters; zero where they are new
   */
  public float[] apply(float[] old) {
    return begin(old, new float[0]);
  }

  /** Moves values as {@link #apply} does, for a model to begin with: with biases of new classes. */
  public float[] begin(float[] old) {
    float[] values = apply(old);
    newBiases.forEach(index -> values[index] = BIAS);
    return values;
  }

  /**
   * Moves values as {@link #apply} does, for a model to begin with: with what a new network has
   * where nothing is known.
   *
   * @param fresh parameters of that
   */
  public float[] begin(float[] old, float[] fresh) {
    float[] values =
        Arrays.copyOf(
            Arrays.copyOf(fresh, parameters), old.length == oldParameters ? parameters : length);
    for (Move move : moves) {
      if (move.from < old.length) {
        System.arraycopy(old, move.from, values, move.to, move.length);
      }
    }
    return values;
  }

  /** Moves what a server optimizer keeps of the parameters. */
  public ServerOptimizerState apply(ServerOptimizerState old) {
    return new ServerOptimizerState(old.slots().stream().map(this::apply).toList(), old.rounds());
  }
}
