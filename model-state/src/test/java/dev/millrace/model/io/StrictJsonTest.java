package dev.millrace.model.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StrictJsonTest {

  private static final JsonMapper MAPPER = StrictJson.mapper().build();

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":1,\"a\":2}", "{} {}", "{", "[1,]", "// x\n{}"})
  void whatIsAmbiguousIsRefused(String json) {
    assertThatThrownBy(() -> MAPPER.readTree(json)).isInstanceOf(JsonProcessingException.class);
  }

  @Test
  void oneHundredLevelsAreReadAndOneMoreIsRefused() throws IOException {
    assertThat(MAPPER.readTree(nested(100)).isArray()).isTrue();
    assertThatThrownBy(() -> MAPPER.readTree(nested(101)))
        .isInstanceOf(JsonProcessingException.class)
        .hasMessageContaining("nesting depth");
  }

  private static String nested(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  /** Three bytes of text are fifty of a tree. */
  @Test
  void aTextThatSaysMoreThanTheHeapHasRoomForIsRefusedBeforeItIsRead() {
    int tokens = (int) Math.min(Runtime.getRuntime().maxMemory() / 96, 50_000_000);
    byte[] json = ("[" + "[],".repeat(tokens / 2) + "0]").getBytes(StandardCharsets.US_ASCII);

    assertThatThrownBy(() -> StrictJson.requireRoom(json))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("What its JSON says", "-Xmx");
  }

  @Test
  void aLongTextThatSaysLittleHasRoom() {
    String json = "[\"" + "x".repeat(5 << 20) + "\"]";

    assertThatCode(() -> StrictJson.requireRoom(json)).doesNotThrowAnyException();
    assertThatCode(() -> StrictJson.requireRoom(json.getBytes(StandardCharsets.US_ASCII)))
        .doesNotThrowAnyException();
  }
}
