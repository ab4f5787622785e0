package dev.millrace.job.train.part.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.RowsOptions;
import dev.millrace.job.options.RowsOptions.Order;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.train.options.ExchangeOptions;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

class RowsPartTest {

  private final Configuration options = new Configuration();

  private List<String> problems() {
    OptionRules rules = new OptionRules(options);
    new RowsPart().check(rules, false);
    return rules.problems();
  }

  @Test
  void replicaOrderTakesRoundsThatAreWaitedForAndNothingAhead() {
    options.set(RowsOptions.ORDER, Order.REPLICA);
    options.set(ExchangeOptions.SCHEDULE, "overlap");

    assertThat(problems())
        .containsExactly(
            "rows.order is 'replica', and exchange.schedule is 'overlap': it takes rounds that"
                + " replicas wait for; use sync",
            "rows.order is 'replica', and rows.prefetch is '1': what is fetched ahead differs each"
                + " time; set it to 0");

    options.set(ExchangeOptions.SCHEDULE, "sync");
    options.set(RowsOptions.PREFETCH, 0);
    assertThat(problems()).isEmpty();
  }

  @Test
  void orderOfArrivalTakesAnything() {
    options.set(ExchangeOptions.SCHEDULE, "overlap");
    options.set(RowsOptions.PREFETCH, 3);

    assertThat(problems()).isEmpty();
  }

  /** A table may be more than the heap has room for. */
  @Test
  void ofIdsStateIsOnDisk() {
    assertThat(
            needsDisk(
                "[{\"path\": \"user\", \"kind\": \"id\"}, {\"path\": \"y\", \"role\": \"label\"}]"))
        .isTrue();
    assertThat(
            needsDisk(
                "[{\"path\": \"x\", \"kind\": \"number\"}, {\"path\": \"y\", \"role\": \"label\"}]"))
        .isFalse();
    assertThat(new RowsPart().needsDisk(options)).isFalse();
  }

  private static boolean needsDisk(String fields) {
    return new RowsPart()
        .needsDisk(
            OptionReader.configuration(Map.of("input.format", "json", "input.fields", fields)));
  }
}
