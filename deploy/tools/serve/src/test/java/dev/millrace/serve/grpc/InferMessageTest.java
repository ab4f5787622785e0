package dev.millrace.serve.grpc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.serve.RefusedRequestException;
import java.io.ByteArrayOutputStream;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InferMessageTest {

  /** Each is of two bytes. What stands behind them is no message: whoever reads so far says so. */
  @ParameterizedTest
  @CsvSource({"0x2a, inputs", "0x32, outputs", "0x3a, raw_input_contents"})
  void aPartTooManyEndsTheReading(int tag, String name) {
    byte[] message = new byte[2 * 20_000 + 1];
    for (int i = 0; i < message.length; i += 2) {
      message[i] = (byte) tag;
    }

    assertThatThrownBy(() -> InferMessage.read(message, 1 << 20))
        .isInstanceOfSatisfying(
            RefusedRequestException.class, e -> assertThat(e.status()).isEqualTo(400))
        .hasMessage("%s has more than 10000 parts; send what the model takes", name);
  }

  /** A hundred numbers, of a byte each in the message and eight as they are predicted for. */
  @Test
  void elementsTakeNoMoreThanAMessageMayHave() throws Exception {
    byte[] message = new byte[106];
    System.arraycopy(new byte[] {0x2a, 104, 0x2a, 102, 0x1a, 100}, 0, message, 0, 6);

    assertThat(InferMessage.read(message, 800).request().inputs().get(0).data().remaining())
        .isEqualTo(800);
    assertThatThrownBy(() -> InferMessage.read(message, 799))
        .isInstanceOfSatisfying(
            RefusedRequestException.class, e -> assertThat(e.status()).isEqualTo(413))
        .hasMessageContaining("more than 799 bytes");
  }

  @Test
  void ofTextsOfAParameterTheLastCounts() throws Exception {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    message.writeBytes(new byte[] {0x22, 17, 0x0a, 7});
    message.writeBytes("missing".getBytes(US_ASCII));
    message.writeBytes(new byte[] {0x12, 6, 0x1a, 1, 'a', 0x1a, 1, 'b'});

    assertThat(InferMessage.read(message.toByteArray(), 0).request().missing())
        .isEqualTo(Optional.of("b"));
  }
}
