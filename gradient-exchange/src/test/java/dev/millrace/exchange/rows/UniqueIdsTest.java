package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.Seeds;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UniqueIdsTest {

  @Test
  void idsAreCountedInTheOrderOfTheirFirstUseMinibatchAfterMinibatch() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    UniqueIds unique = new UniqueIds();
    for (int minibatch = 0; minibatch < 50; minibatch++) {
      unique.clear();
      Map<Long, Integer> expected = new LinkedHashMap<>();
      for (int n = random.nextInt(2_000); n > 0; n--) {
        long id = random.nextInt(500) * 0x9E3779B97F4A7C15L;
        expected.merge(id, 1, Integer::sum);
        int number = unique.add(id);
        assertThat(unique.ids()[number]).as("seed %s", seed).isEqualTo(id);
      }

      int size = unique.size();
      assertThat(Arrays.stream(unique.ids(), 0, size).boxed())
          .as("seed %s", seed)
          .containsExactlyElementsOf(expected.keySet());
      assertThat(Arrays.stream(unique.counts(), 0, size).boxed())
          .as("seed %s", seed)
          .containsExactlyElementsOf(expected.values());
    }
  }
}
