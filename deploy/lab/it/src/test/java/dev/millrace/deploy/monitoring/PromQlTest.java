package dev.millrace.deploy.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PromQlTest {

  @Test
  void findsTheMetricsOfAQuery() {
    assertThat(
            PromQl.metrics(
                """
                sum by (job_id) (rate(flink_a_b{job=~"$job", x!="y_z"}[$__rate_interval])) / 1000
                > on (job_id) group_left (job_name) max(flnk_c offset 1h) and up{job="flink"} == +Inf
                or avg_over_time(d:e[10m] offset 1h) != d:e
                """))
        .containsExactly("d:e", "flink_a_b", "flnk_c", "up");
  }
}
