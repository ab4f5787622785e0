package dev.millrace.model.population;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How a member of a population learns, and what it counts in predictions.
 *
 * @param learningRate in force, the factors of courses and warm-ups left aside
 * @param replay how many replayed examples it takes in a step at most; null for all
 * @param weight those of all members add up to 1
 * @param loss discounted mean of its losses
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MemberReport(double learningRate, Integer replay, double weight, double loss) {

  /**
   * Reports on each member, in their order; null for a model that is no population.
   *
   * @param engine that the model is of
   * @param configuration of the model
   * @param vector of the model, or its parameters alone
   */
  public static List<MemberReport> ofOrNull(String engine, String configuration, float[] vector) {
    if (!engine.equals(PopulationEngine.NAME)) {
      return null;
    }
    Population population = Population.fromJson(configuration);
    MemberLosses losses = new MemberLosses(population);
    RateShift shift = new RateShift(population);
    System.arraycopy(vector, population.lossesFrom(), losses.means(), 0, losses.means().length);
    System.arraycopy(vector, population.lossesTo(), shift.values(), 0, shift.values().length);
    double[] rates = shift.rates();
    double[] weights = losses.weights();
    return IntStream.range(0, rates.length)
        .mapToObj(
            i -> {
              Member member = population.members().get(i);
              return new MemberReport(rates[i], member.replay(), weights[i], losses.means()[i]);
            })
        .toList();
  }
}
