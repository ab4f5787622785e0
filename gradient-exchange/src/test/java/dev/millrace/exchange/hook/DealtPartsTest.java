package dev.millrace.exchange.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.log.PartRun;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class DealtPartsTest {

  @Test
  void partsThatFollowEachOtherAreOneRun() {
    DealtParts dealt =
        new DealtParts(
            "replay",
            List.of(origin(0, 3), origin(0, 4), origin(1, 5), origin(1, 0), origin(1, 1)));

    assertThat(dealt.runs())
        .containsExactly(new PartRun(0, 3, 2), new PartRun(1, 5, 1), new PartRun(1, 0, 2));
    assertThat(new DealtParts("replay", List.of()).runs()).isEmpty();
  }

  @Test
  void anOriginStandsInFrontOfItsPart() throws IOException {
    HookOrigin origin = new HookOrigin(2, 7, "@clicks 0:192+32");
    byte[] saved = origin.before(new byte[] {4, 5});

    assertThat(HookOrigin.read(new DataInputStream(new ByteArrayInputStream(saved))))
        .isEqualTo(origin);
    assertThat(HookOrigin.part(saved)).containsExactly(4, 5);
  }

  private static HookOrigin origin(int replica, int part) {
    return new HookOrigin(replica, part, "");
  }
}
