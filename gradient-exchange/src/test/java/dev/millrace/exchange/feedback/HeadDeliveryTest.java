package dev.millrace.exchange.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.model.features.FeatureStatistics;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class HeadDeliveryTest {

  private static final RoundHead HEAD =
      new RoundHead(3, JobProgress.NONE, 0, new FeatureStatistics(0), 1, false);

  /** Immutable maps of Java have an order that differs from one JVM to the next. */
  @Test
  void standingsGoInTheOrderOfHomes() throws IOException {
    Map<String, Standing> standings = new HashMap<>();
    for (int home = 0; home < 100; home++) {
      standings.put("home-" + home, new Standing(home, 0, 0));
    }

    HeadDelivery sent = new HeadDelivery(0, HEAD, Map.copyOf(standings));

    assertThat(sent.standings().keySet())
        .containsExactlyElementsOf(new TreeSet<>(standings.keySet()));
    assertThat(write(sent)).isEqualTo(write(new HeadDelivery(0, HEAD, new TreeMap<>(standings))));
    assertThat(read(write(sent)).standings().toString()).isEqualTo(sent.standings().toString());
  }

  private static byte[] write(HeadDelivery delivery) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    HeadDelivery.WIRE.write(delivery, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static HeadDelivery read(byte[] bytes) throws IOException {
    return HeadDelivery.WIRE.read(new DataInputStream(new ByteArrayInputStream(bytes)));
  }
}
