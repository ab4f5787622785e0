package dev.millrace.model;

import dev.millrace.model.shape.IndexRange;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How the values of a network lie in its vector, as far as growing has to know.
 *
 * @param tensors one behind the other, which are all parameters
 * @param state what updaters keep of them, behind the parameters
 */
public record VectorLayout(List<Tensor> tensors, List<State> state) {

  /**
   * One tensor, as rows of one length.
   *
   * @param name by which two networks' tensors are the same
   * @param from index of its first value
   * @param rows how many: units of a layer
   * @param columns values of each
   * @param takesFeatures whether each column is of a feature of the examples
   * @param givesOutputs whether each row is of an output
   * @param bias whether it is what a layer adds to its outputs
   */
  public record Tensor(
      String name,
      int from,
      int rows,
      int columns,
      boolean takesFeatures,
      boolean givesOutputs,
      boolean bias) {

    int length() {
      return rows * columns;
    }
  }

  /**
   * What an updater keeps of parameters that follow one another.
   *
   * @param from index of the first of these parameters
   * @param to index behind their last
   * @param at index of the state
   * @param slots how many values it keeps of each: the first of all of them, then the second
   */
  public record State(int from, int to, int at, int slots) {

    int length() {
      return (to - from) * slots;
    }

    /** Returns where that of some parameters is, by slot; nothing if it is of none of them. */
    public List<IndexRange> of(IndexRange parameters) {
      IndexRange known = parameters.intersect(new IndexRange(from, to));
      return IntStream.range(0, known.length() > 0 ? slots : 0)
          .map(slot -> at + slot * (to - from) - from)
          .mapToObj(start -> new IndexRange(start + known.from(), start + known.to()))
          .toList();
    }
  }

  public VectorLayout {
    tensors = List.copyOf(tensors);
    state = List.copyOf(state);
  }

  /** Returns how many values the parameters have. */
  public int parameters() {
    return tensors.stream().mapToInt(Tensor::length).sum();
  }

  /** Returns how many values there are, with the updaters' state. */
  public int length() {
    return parameters() + state.stream().mapToInt(State::length).sum();
  }
}
