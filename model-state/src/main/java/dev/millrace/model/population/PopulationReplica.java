package dev.millrace.model.population;

import dev.millrace.model.LayerActivations;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import dev.millrace.model.UnusableExamplesException;
import dev.millrace.model.device.DeviceUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Several replicas as one. All of them learn each minibatch, and a prediction is the mean of
 * theirs, weighted by how well they have predicted lately. Replayed rows count in neither: their
 * predictions are whatever was there. A member whose predictions or values are no longer numbers
 * takes the best one's values.
 *
 * <p>After {@link #write} of a vector, {@link #setSteps} and the same minibatches it is bit by bit
 * what it was: weights follow from the losses, and learning rates from the rate shift, which are in
 * the vector.
 */
final class PopulationReplica implements ModelReplica {

  /** Members draw different random numbers: SplitMix64's constant sets their streams apart. */
  private static final long STREAMS_APART = 0x9E3779B97F4A7C15L;

  private static final int CHUNK = 1 << 14;

  private final ModelSpec spec;
  private final Population population;
  private final List<ModelReplica> members;
  private final MemberLosses losses;
  private final RateShift shift;
  private final MemberVectors vectors;
  private final MemberMean mean;
  private final MemberMean meanGradient;
  private final float[][] predictions;
  private final float[][] gradients;
  private final boolean[] lost;

  /** A part of a member's vector, looked at before each contribution. */
  private final float[] chunk;

  /** How many replayed rows each member learns at most. */
  private final int[] replay;

  /**
   * The order of members: those that learn most rows come first, as they see all that others may
   * fail with.
   */
  private final int[] order;

  private boolean closed;

  /**
   * @param members built on this thread; the replica closes them
   */
  PopulationReplica(ModelSpec spec, Population population, List<ModelReplica> members) {
    this.spec = spec;
    this.population = population;
    this.members = List.copyOf(members);
    this.losses = new MemberLosses(population);
    this.shift = new RateShift(population);
    this.vectors = new MemberVectors(population, this.members, losses.means(), shift.values());
    this.mean = new MemberMean(spec.shape().labels());
    this.meanGradient = new MemberMean(spec.shape().features());
    this.predictions = new float[members.size()][0];
    this.gradients = new float[members.size()][0];
    this.lost = new boolean[members.size()];
    this.chunk = new float[Math.min(members.get(0).spec().vectorLength(), CHUNK)];
    this.replay = population.members().stream().mapToInt(Member::mostReplayed).toArray();
    this.order =
        IntStream.range(0, replay.length)
            .boxed()
            .sorted(Comparator.comparingInt(i -> -replay[i]))
            .mapToInt(Integer::intValue)
            .toArray();
  }

  @Override
  public ModelSpec spec() {
    return spec;
  }

  @Override
  public void fit(Minibatch minibatch, float[] target) {
    checkOpen();
    learn(minibatch, target, false);
    learned(minibatch);
  }

  /**
   * Makes a step that also tells the gradient of the mean of the members' losses, weighted as their
   * predictions are: each member's own loss is of the rows that it learns. A lost member has no
   * part in it, as long as any other is there.
   */
  @Override
  public void fit(Minibatch minibatch, float[] target, float[] inputGradients) {
    checkOpen();
    int features = spec.shape().features();
    int values = Math.multiplyExact(minibatch.size(), features);
    if (inputGradients.length < values) {
      throw new IllegalArgumentException(
          "Room for %s gradients of features, where there are %s"
              .formatted(inputGradients.length, values));
    }
    reserveGradients(minibatch, values);
    learn(minibatch, target, true);
    meanGradient.of(gradients, weightsOfFound(), minibatch.size(), inputGradients);
    learned(minibatch);
  }

  /** Makes room, and clears the rows that a member doesn't learn: it has no gradient of them. */
  private void reserveGradients(Minibatch minibatch, int values) {
    for (int i = 0; i < gradients.length; i++) {
      if (gradients[i].length < values) {
        gradients[i] = new float[minibatch.capacity() * spec.shape().features()];
      }
      int own = rows(i, minibatch.fresh(), minibatch.size());
      Arrays.fill(gradients[i], own * spec.shape().features(), values, 0f);
    }
  }

  /** Has each member learn, and puts the mean of what they predicted into {@code target}. */
  private void learn(Minibatch minibatch, float[] target, boolean withGradients) {
    reserve(minibatch.size());
    shift.apply(members);
    for (int member : order) {
      fit(member, minibatch, withGradients);
    }
    mean.of(predictions, losses.weights(), minibatch.fresh(), target);
    findLost(minibatch.fresh());
  }

  /** Enters how the members predicted, and replaces those that are lost. */
  private void learned(Minibatch minibatch) {
    int rows = minibatch.fresh();
    boolean perStep = spec.shape().structure().labelPerStep();
    for (int row = 0; row < rows; row++) {
      int steps = perStep ? minibatch.steps(row) : 1;
      losses.add(spec.shape(), predictions, minibatch.labels(), row, steps);
      shift.follow(losses.weights());
    }
    replaceLost();
  }

  /** Returns what members count, but that lost ones count nothing, unless all are. */
  private double[] weightsOfFound() {
    double[] weights = losses.weights().clone();
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += lost[i] ? 0 : weights[i];
    }
    for (int i = 0; i < weights.length && sum > 0; i++) {
      weights[i] = lost[i] ? 0 : weights[i];
    }
    return weights;
  }

  /** Writes the gradient of each member, of the rows that it would learn; 0 for what is of none. */
  @Override
  public void gradient(Minibatch minibatch, float[] target) {
    checkOpen();
    int each = members.get(0).spec().parameters();
    float[] own = new float[each];
    int all = minibatch.size();
    try {
      for (int i = 0; i < members.size(); i++) {
        minibatch.show(rows(i, minibatch.fresh(), all));
        members.get(i).gradient(minibatch, own);
        System.arraycopy(own, 0, target, i * each, each);
      }
    } finally {
      minibatch.show(all);
    }
    Arrays.fill(target, members.size() * each, spec.parameters(), 0f);
  }

  @Override
  public List<LayerActivations> activations(Minibatch minibatch) {
    checkOpen();
    List<LayerActivations> together = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      for (LayerActivations one : members.get(i).activations(minibatch)) {
        together.add(
            new LayerActivations(
                PopulationEngine.name(i, one.layer()), one.rows(), one.units(), one.values()));
      }
    }
    return together;
  }

  /** Returns how many of a minibatch's rows a member learns. */
  private int rows(int member, int fresh, int all) {
    return fresh + Math.min(replay[member], all - fresh);
  }

  private void fit(int member, Minibatch minibatch, boolean withGradients) {
    int all = minibatch.size();
    try {
      minibatch.show(rows(member, minibatch.fresh(), all));
      if (withGradients) {
        members.get(member).fit(minibatch, predictions[member], gradients[member]);
      } else {
        members.get(member).fit(minibatch, predictions[member]);
      }
    } catch (UnsupportedOperationException e) {
      // The first one says it, so none has made a step.
      throw new UnsupportedOperationException(
          "A population can't give what its models can't: " + e.getMessage(), e);
    } catch (UnusableExamplesException e) {
      if (member == order[0]) {
        throw e;
      }
      // The networks are the same but for how they learn, and the first has seen all rows.
      throw new IllegalStateException(
          "Member %s can't compute with examples that others learned from".formatted(member), e);
    } finally {
      minibatch.show(all);
    }
  }

  private void findLost(int rows) {
    for (int i = 0; i < lost.length; i++) {
      lost[i] = false;
      for (int row = 0; row < rows && !lost[i]; row++) {
        lost[i] = !mean.isFinite(predictions[i], row);
      }
    }
  }

  /** Also one that has predicted numbers up to the step that led it astray. */
  @Override
  public void replaceLost(float most) {
    checkOpen();
    for (int i = 0; i < lost.length; i++) {
      lost[i] = !isWithin(members.get(i), most);
    }
    replaceLost();
  }

  private boolean isWithin(ModelReplica member, float most) {
    int length = member.spec().vectorLength();
    for (int from = 0; from < length; from += chunk.length) {
      int size = Math.min(chunk.length, length - from);
      member.read(from, chunk, 0, size);
      for (int i = 0; i < size; i++) {
        // Not "above": NaN is neither.
        if (!(Math.abs(chunk[i]) <= most)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Replaces members that lost their values by those of the best; where all lost them, as infinite
   * examples do it, none can mend the others.
   */
  private void replaceLost() {
    int count = 0;
    int best = -1;
    for (int i = 0; i < lost.length; i++) {
      count += lost[i] ? 1 : 0;
      if (!lost[i] && (best < 0 || losses.means()[i] < losses.means()[best])) {
        best = i;
      }
    }
    if (count == 0 || best < 0) {
      return;
    }
    ModelSpec one = members.get(best).spec();
    float[] values = new float[one.vectorLength()];
    members.get(best).read(0, values, 0, values.length);
    for (int i = 0; i < lost.length; i++) {
      if (lost[i]) {
        members.get(i).write(0, values, 0, values.length);
        losses.means()[i] = losses.means()[best];
      }
    }
  }

  @Override
  public void predict(float[] features, int rows, float[] target) {
    checkOpen();
    reserve(rows);
    for (int i = 0; i < predictions.length; i++) {
      members.get(i).predict(features, rows, predictions[i]);
    }
    mean.of(predictions, losses.weights(), rows, target);
  }

  @Override
  public void predict(float[] features, int[] stepsOrNull, int rows, float[] target) {
    checkOpen();
    reserve(rows);
    for (int i = 0; i < predictions.length; i++) {
      members.get(i).predict(features, stepsOrNull, rows, predictions[i]);
    }
    mean.of(predictions, losses.weights(), rows, target);
  }

  private void reserve(int rows) {
    int needed = Math.multiplyExact(rows, spec.shape().labels());
    if (predictions[0].length < needed) {
      for (int i = 0; i < predictions.length; i++) {
        predictions[i] = new float[needed];
      }
    }
  }

  @Override
  public void read(int from, float[] target, int offset, int length) {
    checkOpen();
    vectors.read(from, target, offset, length);
  }

  @Override
  public void write(int from, float[] source, int offset, int length) {
    checkOpen();
    vectors.write(from, source, offset, length);
  }

  @Override
  public Steps steps() {
    return members.get(0).steps();
  }

  @Override
  public void setSteps(Steps steps) {
    members.forEach(member -> member.setSteps(steps));
  }

  @Override
  public void scaleLearningRates(double proportional, double adaptive) {
    shift.scale(proportional, adaptive);
  }

  @Override
  public void setRandomStream(long stream) {
    for (int i = 0; i < members.size(); i++) {
      members.get(i).setRandomStream(stream + i * STREAMS_APART);
    }
  }

  @Override
  public double[] memberWeights() {
    return losses.weights().clone();
  }

  @Override
  public double[] memberLearningRates() {
    return shift.rates();
  }

  @Override
  public ModelReplica replaceEach(UnaryOperator<ModelReplica> other) {
    return new PopulationReplica(spec, population, members.stream().map(other).toList());
  }

  /** Returns the use of all members together. */
  @Override
  public DeviceUse deviceUse() {
    long compute = 0;
    long copy = 0;
    long bytes = 0;
    for (ModelReplica member : members) {
      DeviceUse use = member.deviceUse();
      compute += use.computeNanos();
      copy += use.copyNanos();
      bytes += use.memoryBytes();
    }
    return new DeviceUse(members.get(0).deviceUse().device(), compute, copy, bytes);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Members.close(members);
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("The replica is closed");
    }
  }
}
