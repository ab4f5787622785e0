package dev.millrace.job.train.part.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.rows.RowCounts;
import dev.millrace.exchange.rows.RowReport;
import dev.millrace.exchange.rows.RowTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.junit.jupiter.api.Test;

class RowReporterTest {

  private final RowReporter reporter =
      new RowReporter(List.of(RowTable.of("users", 2), RowTable.of("items", 2)));
  private final List<String> records = new ArrayList<>();

  private void report(int shard, int table, double norms, long... hottest) {
    long[] ids = new long[hottest.length];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = 100L * shard + i;
    }
    reporter.flatMap(
        new RowReport(
            shard,
            2,
            table,
            new RowCounts(10 + shard, 12, 2, 0, 0, 5, 1, 40, 4, 0),
            3,
            50,
            norms,
            norms == 0 ? 0 : 4,
            ids,
            hottest),
        new ListCollector<>(records));
  }

  @Test
  void aRecordHasTheSumsOfAllShardsOnceEachHasReported() {
    report(0, 0, 2, 9, 7);
    report(0, 1, 0);
    report(0, 0, 8, 20, 7);
    report(1, 0, 4, 8);
    assertThat(records).isEmpty();

    report(1, 1, 0);

    assertThat(records).hasSize(1);
    assertThat(records.get(0))
        .matches("\\{\"type\":\"rows\",\"time\":[0-9]+,\"tables\":.*")
        .contains(
            "{\"table\":\"users\",\"rows\":21,\"created\":24,\"expired\":4,\"waiting\":10,"
                + "\"refused\":2,\"uses\":100,\"hits\":80,\"misses\":8,\"dirty\":6,\"norm\":1.5,"
                + "\"hottest\":[{\"id\":\"0\",\"uses\":20},{\"id\":\"100\",\"uses\":8},"
                + "{\"id\":\"1\",\"uses\":7}]}")
        .endsWith("\"dirty\":6,\"hottest\":[]}]}");
    report(0, 0, 2, 9);
    assertThat(records).hasSize(1);
  }
}
