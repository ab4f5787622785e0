package dev.millrace.exchange.savepoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.Fuzz;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
class FuzzedBlocksIT {

  @Test
  void aMillionBlocksAreTakenOrRefused() throws IOException {
    assertThat(FuzzedBlocksTest.blocks(Fuzz.nightly())).isPositive();
  }
}
