package dev.millrace.model.population;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.MemberReport;
import dev.millrace.model.WeightedMember;
import dev.millrace.model.io.StrictJson;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What an archive says of its population: JSON, for programs outside, too.
 *
 * @param best number of the member that counts most
 * @param weights what each member counts in predictions
 * @param losses of the members, as they are in the vector
 * @param rateShift as it is in the vector: the natural logarithm of what learning rates are
 *     multiplied by; null where they stay
 * @param learningRates of the members, that are in force; null where they stay
 * @param iteration optimizer steps behind the model
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record PopulationFile(
    int format,
    int best,
    double[] weights,
    float[] losses,
    Float rateShift,
    double[] learningRates,
    long iteration,
    Population population) {

  /** The entry by which archives of populations are known. */
  static final String ENTRY = "millrace/population.json";

  private static final int FORMAT = 1;
  private static final JsonMapper MAPPER =
      StrictJson.mapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** Describes a population's vector, or its parameters alone. */
  static PopulationFile of(Population population, float[] vector, long iteration) {
    MemberLosses losses = new MemberLosses(population);
    int from = population.lossesFrom();
    System.arraycopy(vector, from, losses.means(), 0, losses.means().length);
    RateShift shift = new RateShift(population);
    boolean follows = shift.values().length > 0;
    System.arraycopy(vector, population.lossesTo(), shift.values(), 0, shift.values().length);
    return new PopulationFile(
        FORMAT,
        losses.best(),
        losses.weights(),
        losses.means(),
        follows ? shift.values()[0] : null,
        follows ? shift.rates() : null,
        iteration,
        population);
  }

  /**
   * @throws IOException if it isn't of this format, or of no population
   */
  static PopulationFile read(byte[] json) throws IOException {
    StrictJson.requireRoom(json);
    PopulationFile file = MAPPER.readValue(json, PopulationFile.class);
    if (file == null || file.population == null) {
      throw new IOException("its %s names no population".formatted(ENTRY));
    }
    if (file.format != FORMAT) {
      throw new IOException(
          "its %s is of format %s, and this release reads %s"
              .formatted(ENTRY, file.format, FORMAT));
    }
    if (file.losses == null || file.losses.length != file.population.members().size()) {
      throw new IOException(
          "its %s has %s as the losses of %s members"
              .formatted(ENTRY, Arrays.toString(file.losses), file.population.members().size()));
    }
    if (file.rateShift == null && file.population.follow() > 0) {
      throw new IOException("its %s has no rateShift, which its rates follow".formatted(ENTRY));
    }
    return file;
  }

  /**
   * Returns what the population's vector has beside the members' own: losses, and the rate shift.
   */
  float[] statistics() {
    float[] all = Arrays.copyOf(losses, losses.length + population.rateShifts());
    if (population.rateShifts() > 0) {
      all[losses.length] = rateShift;
    }
    return all;
  }

  /** Tells how a member learns, and what it counts. */
  MemberReport report(int number) {
    Member member = population.members().get(number);
    double rate = learningRates == null ? member.learningRate() : learningRates[number];
    return new MemberReport(rate, member.replay(), weights[number], losses[number]);
  }

  /**
   * Returns a member as a model of its own, with a copy of its part of the vector.
   *
   * @param vector that this describes
   */
  WeightedMember member(int number, ExampleShape shape, float[] vector) {
    return new WeightedMember(
        population.members().get(number).spec(shape),
        population.part(number, vector),
        weights[number]);
  }

  byte[] write() throws IOException {
    return MAPPER.writeValueAsBytes(this);
  }

  /** Names of the members' archives within the population's. */
  List<String> entries() {
    return IntStream.range(0, population.members().size())
        .mapToObj(number -> "member-%s.zip".formatted(number))
        .toList();
  }
}
