package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.IdLists;
import dev.millrace.model.testing.Seeds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UniqueIdsTest {

  /** Of minibatches of any size, one after another. */
  @Test
  void numbersIdsInTheOrderInWhichTheyComeAndCountsThem() {
    long seed = Seeds.next();
    System.out.printf("Unique ids: seed %s%n", seed);
    Random random = new Random(seed);
    UniqueIds unique = new UniqueIds();
    for (int minibatch = 0; minibatch < 300; minibatch++) {
      unique.clear();
      Map<Long, Integer> counts = new LinkedHashMap<>();
      List<Long> order = new ArrayList<>();
      int different = 1 + random.nextInt(400);
      for (int n = random.nextInt(800); n > 0; n--) {
        long id = (random.nextInt(different) - 5) * (1L << 33);
        if (counts.merge(id, 1, Integer::sum) == 1) {
          order.add(id);
        }
        assertThat(unique.add(id, 1)).as("seed %s", seed).isEqualTo(order.indexOf(id));
      }
      assertThat(unique.size()).isEqualTo(order.size());
      for (int i = 0; i < order.size(); i++) {
        assertThat(unique.ids()[i]).as("seed %s", seed).isEqualTo(order.get(i));
        assertThat(unique.counts()[i]).as("seed %s", seed).isEqualTo(counts.get(order.get(i)));
      }
    }
  }

  @Test
  void fieldsShareTables() {
    TableIds ids = new TableIds(3, 0, 2, 0);
    IdLists lists = Lists.of(new long[] {7, 8, 7, 8, 7, 9}, new int[] {2, 3, 3, 4, 4, 6}, 3);

    ids.take(lists);

    assertThat(ids.tables()).isEqualTo(3);
    assertThat(ids.numbers()).startsWith(0, 1, 0, 1, 0, 2);
    assertThat(ids.unique(0).size()).isEqualTo(3);
    assertThat(ids.unique(0).ids()).startsWith(7, 8, 9);
    assertThat(ids.unique(0).counts()).startsWith(2, 2, 1);
    assertThat(ids.unique(1).size()).isZero();
    assertThat(ids.unique(2).ids()).startsWith(7);

    ids.take(Lists.of(new long[] {9}, new int[] {0, 0, 1}, 3));
    assertThat(ids.unique(0).size()).isOne();
    assertThat(ids.unique(2).size()).isZero();
    assertThat(ids.numbers()[0]).isZero();
  }

  @Test
  void listsMustFitTogether() {
    IdLists lists = Lists.of(new long[] {7, 8, 7}, new int[] {2, 3, 3, 3}, 2);
    assertThatThrownBy(() -> new TableIds(1, 0, 1)).hasMessageContaining("Field 1 has table 1");
    assertThatThrownBy(() -> new TableIds(1, 0).take(lists))
        .hasMessageContaining("ids of 2 fields, and 1 have a table");
  }
}
