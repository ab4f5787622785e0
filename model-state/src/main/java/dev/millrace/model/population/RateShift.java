package dev.millrace.model.population;

import dev.millrace.model.ModelReplica;
import java.util.List;

/**
 * Has the learning rates of all members follow the members that predict better.
 *
 * <p>All rates are multiplied by one factor, {@code exp(s)}, so their ratios stay. With each
 * example {@code s} grows by {@code follow * Σ w_i (log r_i − mean of log r)}, of the members'
 * weights {@code w} and given rates {@code r}: where members of higher rates weigh more, all rates
 * rise, until both sides weigh alike. Nothing is decided at once, so replicas need not decide
 * alike: their mean is what they average to.
 *
 * <p>Not thread-safe.
 */
final class RateShift {

  /** Rates are never further from those given than by this factor. */
  private static final double MOST = StrictMath.log(1000);

  /**
   * Members hear of a new factor where it is another by a hundredth: an engine may do much then.
   */
  private static final double STEP = 0.01;

  private final double follow;
  private final double[] rates;
  private final double[] distances;
  private final float[] values;

  private double proportional = 1;
  private double adaptive = 1;

  /** What members have been told. */
  private double factor = 1;

  private boolean isTold = true;

  RateShift(Population population) {
    this.follow = population.follow();
    this.rates = population.members().stream().mapToDouble(Member::learningRate).toArray();
    this.distances = new double[rates.length];
    this.values = new float[population.rateShifts()];
    double mean = 0;
    for (double rate : rates) {
      mean += StrictMath.log(rate) / rates.length;
    }
    for (int i = 0; i < rates.length; i++) {
      distances[i] = StrictMath.log(rates[i]) - mean;
    }
  }

  /** The natural logarithm of the factor, live: it is part of the vector. Empty if rates stay. */
  float[] values() {
    return values;
  }

  /** Takes one example into account, after which members weigh so much. */
  void follow(double[] weights) {
    if (values.length == 0) {
      return;
    }
    double lean = 0;
    for (int i = 0; i < weights.length; i++) {
      lean += weights[i] * distances[i];
    }
    values[0] = (float) Math.max(-MOST, Math.min(MOST, values[0] + follow * lean));
  }

  /**
   * Sets what rates are multiplied by beside the factor, as {@link ModelReplica#scaleLearningRates}
   * does.
   */
  void scale(double ofProportional, double ofAdaptive) {
    isTold = isTold && proportional == ofProportional && adaptive == ofAdaptive;
    proportional = ofProportional;
    adaptive = ofAdaptive;
  }

  /** Has members make their next step at the rates that follow from the value as it is now. */
  void apply(List<ModelReplica> members) {
    double now = factor();
    if (isTold && now == factor) {
      return;
    }
    members.forEach(member -> member.scaleLearningRates(proportional * now, adaptive * now));
    factor = now;
    isTold = true;
  }

  /** The members' rates in force, schedules left aside. */
  double[] rates() {
    double now = factor();
    double[] inForce = rates.clone();
    for (int i = 0; i < inForce.length; i++) {
      inForce[i] *= now;
    }
    return inForce;
  }

  private double factor() {
    return values.length == 0 ? 1 : StrictMath.exp(STEP * Math.round(values[0] / STEP));
  }
}
