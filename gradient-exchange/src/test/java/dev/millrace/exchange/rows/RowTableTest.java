package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RowTableTest {

  @Test
  void aRowWithDefaultsHasOneSlot() {
    RowTable table = RowTable.of("users", 16);
    assertThat(table.floats()).isEqualTo(17);
    assertThat(table.updater().name()).isEqualTo(RowUpdater.NAMES.get(0));
    assertThat(table.expiry().expires()).isFalse();
    assertThat(table.admission().uses()).isEqualTo(1);
    assertThat(table.hash()).isNotEqualTo(RowTable.of("user", 16).hash());
  }

  @Test
  void comesBackFromAJobsGraph() throws IOException, ClassNotFoundException {
    RowTable table =
        RowTable.of("users", 16)
            .with(new LazyAdam(0.1f, 0, 0.9f, 0.99f))
            .with(new InitialRow(InitialRow.Shape.UNIFORM, 0.2f, 3))
            .with(Admission.after(2))
            .with(Expiry.afterTime(Duration.ofDays(30)))
            .withAtMost(1_000);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(table);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo(table);
    }
  }

  @Test
  void saysWhatIsWrong() {
    assertThatThrownBy(() -> RowTable.of(" ", 1)).hasMessageContaining("A table is called ' '");
    assertThatThrownBy(() -> RowTable.of("a".repeat(201), 1)).hasMessageContaining("200");
    assertThatThrownBy(() -> RowTable.of("users", 0))
        .hasMessage("Table 'users' has a dimension of 0; it must be 1 to 65536");
    assertThatThrownBy(() -> RowTable.of("users", 65_537)).hasMessageContaining("65537");
    assertThatThrownBy(() -> RowTable.of("users", 1).withAtMost(0))
        .hasMessageContaining("'users' may have 0 rows");
    assertThatThrownBy(() -> Expiry.afterExamples(0)).hasMessageContaining("after 0 examples");
    assertThatThrownBy(() -> Expiry.afterTime(Duration.ZERO))
        .hasMessageContaining("after 0 milliseconds");
    assertThatThrownBy(() -> Admission.after(0)).hasMessageContaining("after 0 uses");
    assertThatThrownBy(() -> Admission.after(256)).hasMessageContaining("1 to 255");
    assertThatThrownBy(() -> new Admission(2, 100)).hasMessageContaining("100 cells");
    assertThatThrownBy(() -> new Admission(2, 32)).hasMessageContaining("32 cells");
  }
}
