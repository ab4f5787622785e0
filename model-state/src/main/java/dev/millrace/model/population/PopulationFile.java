package dev.millrace.model.population;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
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
 * @param iteration optimizer steps behind the model
 */
record PopulationFile(
    int format, int best, double[] weights, float[] losses, long iteration, Population population) {

  /** By which archives of populations are known. */
  static final String ENTRY = "millrace/population.json";

  private static final int FORMAT = 1;
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** Of a population's vector, or its parameters alone. */
  static PopulationFile of(Population population, float[] vector, long iteration) {
    MemberLosses losses = new MemberLosses(population);
    int from = population.lossesFrom();
    System.arraycopy(vector, from, losses.means(), 0, losses.means().length);
    return new PopulationFile(
        FORMAT, losses.best(), losses.weights(), losses.means(), iteration, population);
  }

  /**
   * @throws IOException if it isn't of this format, or of no population
   */
  static PopulationFile read(byte[] json) throws IOException {
    PopulationFile file = MAPPER.readValue(json, PopulationFile.class);
    if (file == null || file.population == null) {
      throw new IOException("its %s names no population".formatted(ENTRY));
    }
    if (file.format != FORMAT) {
      throw new IOException(
          "its %s is of format %d, and this release reads %d"
              .formatted(ENTRY, file.format, FORMAT));
    }
    if (file.losses == null || file.losses.length != file.population.members().size()) {
      throw new IOException(
          "its %s has %s as the losses of %d members"
              .formatted(ENTRY, Arrays.toString(file.losses), file.population.members().size()));
    }
    return file;
  }

  byte[] write() throws IOException {
    return MAPPER.writeValueAsBytes(this);
  }

  /** Names of the members' archives within the population's. */
  List<String> entries() {
    return IntStream.range(0, population.members().size())
        .mapToObj("member-%d.zip"::formatted)
        .toList();
  }
}
