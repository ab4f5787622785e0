package dev.millrace.kafka.source;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.nio.charset.StandardCharsets;

/** A format for tests: two features and a class, with spaces between, and maybe a time. */
public final class TextFormat implements ExampleFormat {

  public static final ExampleShape SHAPE = new ExampleShape(2, 3, Target.CLASSIFICATION);

  @Override
  public void read(byte[] value, Example into) throws InvalidExampleException {
    if (new String(value, StandardCharsets.UTF_8).equals("deep")) {
      throw new StackOverflowError();
    }
    String[] parts = new String(value, StandardCharsets.UTF_8).split(" ", -1);
    if (parts.length < 3) {
      throw new InvalidExampleException(parts.length + " parts, where 3 belong");
    }
    into.features()[0] = Float.parseFloat(parts[0]);
    into.features()[1] = Float.parseFloat(parts[1]);
    into.setClass(Integer.parseInt(parts[2]));
    if (parts.length > 3) {
      into.setTimestamp(Long.parseLong(parts[3]));
    }
  }

  @Override
  public byte[] write(Example example) {
    int label = 0;
    while (example.labels()[label] == 0) {
      label++;
    }
    return (example.features()[0] + " " + example.features()[1] + " " + label)
        .getBytes(StandardCharsets.UTF_8);
  }
}
