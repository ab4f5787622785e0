package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.JobEvent.Began;
import dev.millrace.exchange.round.JobEvent.Checkpointed;
import dev.millrace.exchange.round.JobEvent.Noticed;
import dev.millrace.exchange.steering.Notice;
import dev.millrace.model.Ledger;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class JobEventTest {

  @Test
  void anEventIsReadAsItWasWritten() throws IOException {
    Ledger ledger = new Ledger();
    ledger.learned(new Partition("t", 3), 8);
    ModelVersion version = new ModelVersion(2, 9);
    Began began = new Began(version, 5, 4, true, 3);
    Checkpointed checkpointed = new Checkpointed(version, 6, 7, 0, ledger).completed(106);

    assertThat(copy(began)).isEqualTo(began);
    assertThat(copy(checkpointed))
        .usingRecursiveComparison()
        .isEqualTo(new Checkpointed(version, 106, 7, 100, ledger));
  }

  /** More features may move than there is room for in a string of 64 KB. */
  @Test
  void aNoticeMayBeLong() throws IOException {
    Notice notice =
        new Notice("drift", "é".repeat(70_000), "{\"features\":[" + "1,".repeat(70_000));

    Noticed noticed = new Noticed(new ModelVersion(2, 9), 5, notice);

    assertThat(copy(noticed)).isEqualTo(noticed);
  }

  private static JobEvent copy(JobEvent event) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JobEvent.WIRE.write(event, new DataOutputStream(bytes));
    return JobEvent.WIRE.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
  }
}
