package dev.millrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.Vocabularies;
import dev.millrace.model.features.WordCounts;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is learned of fields, over random orders of delivery, failures and rescales. */
class LearnedFeaturesProtocolTest {

  private static final long RECORDS = 300;
  private static final int RUNS = 25;

  /** More than there are words, so that every word's count is kept. */
  private static final int ROOM = 50;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyWordAndNumberIsCountedExactlyOnceWhateverFails(boolean sync) throws IOException {
    Map<String, Long> expected = words();
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      int replicas = 1 + (int) Math.floorMod(seed, 4L);
      Simulation simulation =
          new Simulation(
                  seed,
                  replicas,
                  sync ? Schedule.every(3, true).afterWarmUp(5) : Schedule.every(2, false),
                  Aggregator.sum(),
                  SimulatedInput.ofFields(RECORDS, ROOM))
              .pausing();

      simulation.run(0.01, 0.005, 0.003);

      LearnedFeatures learned = simulation.coordinator().totals().learned();
      assertWords(learned.vocabularies(), expected, seed);
      assertNumbers(learned.statistics(), seed);
    }
  }

  private static void assertWords(
      Vocabularies vocabularies, Map<String, Long> expected, long seed) {
    WordCounts counts = vocabularies.counts();
    assertThat(counts.words(0)).as("seed %d", seed).isEqualTo(expected.size() - 1);
    expected.forEach(
        (word, count) ->
            assertThat(word.isEmpty() ? counts.missing(0) : counts.count(0, word))
                .as("word '%s', seed %d", word, seed)
                .isEqualTo(count));
    assertThat(vocabularies.of(0).size()).as("seed %d", seed).isEqualTo(expected.size() - 1);
  }

  private static void assertNumbers(FeatureStatistics statistics, long seed) {
    long all = 0;
    long present = 0;
    double sum = 0;
    for (int partition = 0; partition < 4; partition++) {
      for (long offset = 0; offset < RECORDS; offset++) {
        if (!SimulatedInput.isRejected(offset)) {
          all++;
          if (offset % 7 != 2) {
            present++;
            sum += SimulatedInput.value(partition, offset);
          }
        }
      }
    }
    assertThat(statistics.count()).as("seed %d", seed).isEqualTo(all);
    assertThat(statistics.count(0)).as("seed %d", seed).isEqualTo(present);
    assertThat(statistics.mean(0)).as("seed %d", seed).isCloseTo(sum / present, within(1e-9));
  }

  /** How often each is there; the missing ones under the empty word. */
  private static Map<String, Long> words() {
    Map<String, Long> words = new HashMap<>();
    for (int partition = 0; partition < 4; partition++) {
      for (long offset = 0; offset < RECORDS; offset++) {
        if (!SimulatedInput.isRejected(offset)) {
          String word = SimulatedInput.word(partition, offset);
          words.merge(word == null ? "" : word, 1L, Long::sum);
        }
      }
    }
    return words;
  }

  /**
   * Which number a word has decides the first feature, and so the model: the sum of the numbers.
   * There is room for few of the words, so that who comes first is decided round by round.
   */
  @Test
  void inStepFailuresChangeNoBitOfItNorOfTheModel() throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      // As many partitions for each, so that all end together.
      int replicas = 1 << Math.floorMod(seed, 3);
      Simulation undisturbed = inStep(seed, replicas);
      undisturbed.run(0, 0, 0);
      Simulation disturbed = inStep(seed, replicas);
      disturbed.run(0.02, 0.003, 0);

      assertThat(bytes(disturbed.coordinator().totals().learned()))
          .as("seed %d", seed)
          .isEqualTo(bytes(undisturbed.coordinator().totals().learned()));
      assertThat(disturbed.globalVector())
          .as("seed %d", seed)
          .containsExactly(undisturbed.globalVector());
      assertThat(undisturbed.globalVector()[1]).as("numbers of words").isGreaterThan(100);
    }
  }

  private static Simulation inStep(long seed, int replicas) {
    return new Simulation(
            seed,
            replicas,
            Schedule.every(3, true),
            Aggregator.sum(),
            SimulatedInput.ofFields(RECORDS, 12))
        .inStep();
  }

  private static byte[] bytes(LearnedFeatures learned) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    LearnedFeatures.WIRE.write(learned, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }
}
