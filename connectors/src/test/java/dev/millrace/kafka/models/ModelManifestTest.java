package dev.millrace.kafka.models;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.testing.Fuzz;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ModelManifestTest {

  private static final String MANIFEST =
      "{\"format\":1,\"version\":\"%s\",\"slot\":\"0\",\"blocks\":1,\"bytes\":1,\"sha256\":\"0\"}";

  @Test
  void namesAVersionAndNoOtherFile() throws IOException {
    assertThat(ModelManifest.read(MANIFEST.formatted("2.15").getBytes(UTF_8)).version())
        .isEqualTo("2.15");

    assertThatThrownBy(() -> ModelManifest.read(MANIFEST.formatted("/../../2.15").getBytes(UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'/../../2.15' is no model version");
  }

  @Test
  void whateverItSaysItIsReadOrRefused() {
    assertThat(fuzzed(3_000)).isGreaterThan(500);
  }

  static int fuzzed(int count) {
    String whole = MANIFEST.formatted("2.15");
    return new Fuzz(IOException.class)
        .run(
            count,
            mutations -> {
              ModelManifest read = ModelManifest.read(mutations.json(whole).getBytes(UTF_8));
              new ModelSlots().archive(read);
            });
  }
}
