package dev.millrace.model.negatives;

import dev.millrace.model.Minibatch;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure.Input;
import java.util.Arrays;
import java.util.List;

/**
 * Chooses the pairs that a minibatch's positive examples bring: the first side of each, and the
 * second side of others.
 *
 * <p>The different second sides are dealt out in turn, in an order that a hash of the minibatch
 * decides. So each is as often a negative as any other, however often it comes in the minibatch,
 * and the same minibatch has the same pairs. A pair that the minibatch has itself, such as another
 * click of the same user, is left out.
 *
 * <p>What comes often is among the second sides of more minibatches. So a pair has a weight: the
 * share of its second side's uses so far that this minibatch has. That makes up for it: what comes
 * n times as often has n times the uses, and is as often a negative, by weight, as all others. The
 * mean of the weights is 1, but that none is above {@link #MOST}.
 *
 * <p>It allocates nothing once it is as large as it needs. Not thread-safe.
 */
final class AddedPairs {

  /** The greatest weight: what is new would be learned from alone. */
  private static final float MOST = 10;

  private final int each;
  private final int labels;
  private final int positive;
  private final SideKeys firsts;
  private final SideKeys seconds;
  private final NumberedKeys different = new NumberedKeys();
  private final NumberedKeys known = new NumberedKeys();

  /** The first side of each row. */
  private long[] firstOf = new long[0];

  /** The row that each of the different second sides is taken from. */
  private int[] rowOf = new int[0];

  /** Numbers of the different second sides, in the order in which they are dealt out. */
  private int[] order = new int[0];

  /** How often the minibatch has each of the different second sides. */
  private int[] times = new int[0];

  private int[] firstRows = new int[0];
  private int[] secondSides = new int[0];
  private int size;

  /** What a share of uses is multiplied by for the mean of the weights to be 1. */
  private double scale;

  private int[] uses;

  /**
   * @param each how many a positive example brings at most
   */
  AddedPairs(ExampleShape shape, int each) {
    List<Input> inputs = shape.structure().inputs();
    this.each = each;
    this.labels = shape.labels();
    this.positive = shape.positiveOutput();
    this.firsts = new SideKeys(shape, inputs.get(0).features());
    this.seconds = new SideKeys(shape, inputs.get(1).features());
  }

  /** Chooses those of a minibatch, in place of any before. */
  void choose(Minibatch minibatch) {
    size = 0;
    uses = minibatch.usesOfSecond();
    reserve(minibatch.size());
    shuffle(look(minibatch));
    int next = 0;
    int sides = different.size();
    for (int row = 0; row < minibatch.size(); row++) {
      int most = isPositive(minibatch, row) ? size + each : size;
      for (int tried = 0; tried < sides && size < most; tried++) {
        int side = order[next];
        next = next + 1 < sides ? next + 1 : 0;
        if (!known.contains(SideKeys.pair(firstOf[row], different.key(side)))) {
          add(row, side);
        }
      }
    }
    double sum = 0;
    for (int pair = 0; pair < size; pair++) {
      sum += share(secondSides[pair]);
    }
    scale = size / sum;
  }

  /** Returns the share of a side's uses so far that the minibatch has. */
  private double share(int side) {
    return (double) times[side] / ((double) uses[rowOf[side]] + times[side]);
  }

  /** A replayed label may be softened by what the model predicted before. */
  private boolean isPositive(Minibatch minibatch, int row) {
    return minibatch.labels()[row * labels + positive] >= 0.5f;
  }

  private void reserve(int rows) {
    if (firstOf.length < rows) {
      firstOf = new long[rows];
      rowOf = new int[rows];
      order = new int[rows];
      times = new int[rows];
    }
  }

  /** Looks at the sides of all rows, and returns a hash of them. */
  private long look(Minibatch minibatch) {
    different.clear();
    known.clear();
    long hash = 0;
    for (int row = 0; row < minibatch.size(); row++) {
      firstOf[row] = firsts.key(minibatch, row);
      long second = seconds.key(minibatch, row);
      int sides = different.size();
      int side = different.add(second);
      if (side == sides) {
        rowOf[side] = row;
        times[side] = 0;
      }
      times[side]++;
      long pair = SideKeys.pair(firstOf[row], second);
      known.add(pair);
      hash = SideKeys.mix(hash ^ pair);
    }
    return hash;
  }

  /** Puts the different second sides into an order that each seed has for itself. */
  private void shuffle(long seed) {
    for (int side = 0; side < different.size(); side++) {
      int other = (int) Long.remainderUnsigned(SideKeys.mix(seed + side), side + 1L);
      order[side] = order[other];
      order[other] = side;
    }
  }

  private void add(int firstRow, int secondSide) {
    if (size == firstRows.length) {
      firstRows = Arrays.copyOf(firstRows, Math.max(16, 2 * size));
      secondSides = Arrays.copyOf(secondSides, firstRows.length);
    }
    firstRows[size] = firstRow;
    secondSides[size] = secondSide;
    size++;
  }

  /** Returns how many were chosen. */
  int size() {
    return size;
  }

  /** Returns the row of the positive example that a pair has its first side of. */
  int firstRow(int pair) {
    return firstRows[pair];
  }

  /** Returns the row that a pair has its second side of. */
  int secondRow(int pair) {
    return rowOf[secondSides[pair]];
  }

  /** Returns the weight of a pair among all pairs. */
  float weight(int pair) {
    return (float) Math.min(MOST, scale * share(secondSides[pair]));
  }
}
