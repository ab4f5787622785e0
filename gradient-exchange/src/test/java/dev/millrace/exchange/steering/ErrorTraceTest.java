package dev.millrace.exchange.steering;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorTraceTest {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keepsTheOrderThroughItsFormatAndWhatFollows(boolean ofBits) throws IOException {
    ErrorTrace trace = new ErrorTrace(ofBits);
    for (int i = 0; i < 100; i++) {
      trace.add(error(i));
    }
    ErrorTrace rest = new ErrorTrace(ofBits);
    for (int i = 100; i < 300; i++) {
      rest.add(error(i));
    }

    ErrorTrace copy = copy(trace);
    copy.addAll(copy(rest));

    assertThat(copy.size()).isEqualTo(300);
    assertThat(copy.isOfBits()).isEqualTo(ofBits);
    for (int i = 0; i < 300; i++) {
      assertThat(copy.get(i)).as("example %d", i).isEqualTo(error(i));
    }
  }

  private static float error(int example) {
    return example % 3 == 0 || example % 7 == 2 ? 1 : 0;
  }

  private static ErrorTrace copy(ErrorTrace trace) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ErrorTrace.WIRE.write(trace, new DataOutputStream(bytes));
    return ErrorTrace.WIRE.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
  }
}
