package dev.millrace.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.TensorDescription;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SafetensorsTest {

  @TempDir private Path directory;

  /** Byte by byte as its specification has it. */
  @Test
  void aFileIsALengthAHeaderAndValues() throws IOException {
    Path file = directory.resolve("model.safetensors");

    Safetensors.write(
        List.of(
            new TensorDescription("layer.weight", List.of(2L, 2L), 1),
            new TensorDescription("scale", List.of(), 5)),
        new float[] {9, 1, 2, 3, 4, 5, 9},
        Map.of("engine", "torch"),
        file);

    String header =
        "{\"__metadata__\":{\"engine\":\"torch\"},"
            + "\"layer.weight\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]},"
            + "\"scale\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[16,20]}}";
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    byte[] written = new byte[Math.toIntExact(bytes.getLong())];
    bytes.get(written);
    assertThat(written.length % 8).isZero();
    assertThat(new String(written, UTF_8))
        .isEqualTo(header + " ".repeat(written.length - header.length()));
    for (float value = 1; value <= 5; value++) {
      assertThat(bytes.getFloat()).isEqualTo(value);
    }
    assertThat(bytes.hasRemaining()).isFalse();
  }

  @Test
  void twoTensorsOfOneNameAreRefused() {
    TensorDescription tensor = new TensorDescription("same", List.of(1L), 0);

    assertThatThrownBy(
            () ->
                Safetensors.write(
                    List.of(tensor, tensor), new float[1], Map.of(), directory.resolve("file")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("one name");
  }
}
