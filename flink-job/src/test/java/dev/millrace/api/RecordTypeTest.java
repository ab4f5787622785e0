package dev.millrace.api;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import org.apache.flink.api.connector.source.Source;
import org.junit.jupiter.api.Test;

class RecordTypeTest {

  @Test
  void aSourceThatGivesItsSplitsToOtherReadersIsRefused() throws Exception {
    Class<?> reassigned =
        Class.forName("org.apache.flink.api.connector.source.SupportsSplitReassignmentOnRecovery");
    Source<?, ?, ?> source =
        (Source<?, ?, ?>)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Source.class, reassigned},
                (proxy, method, arguments) -> null);

    assertThatThrownBy(() -> RecordType.of(source))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("gives its splits to other readers");
  }
}
