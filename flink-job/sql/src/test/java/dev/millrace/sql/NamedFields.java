package dev.millrace.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.model.shape.ExampleShape;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.configuration.Configuration;

/** A model of named fields, and its answers to records of JSON, as a scoring job has them. */
public record NamedFields(PublishedNetwork network, Configuration options) {

  private static final Map<String, String> OPTIONS =
      Map.of(
          "input.format",
          "json",
          "input.fields",
          """
          [{"path": "amount", "kind": "number", "indicator": true},
           {"path": "n", "kind": "number", "scale": "none"},
           {"path": "color", "kind": "category", "values": ["red", "blue"]},
           {"path": "urgent", "kind": "boolean"},
           {"path": "at", "kind": "time", "parts": ["hour-of-day"]},
           {"path": "day", "kind": "time", "parts": ["day-of-week"]},
           {"path": "kind", "role": "label"}]
          """,
          "input.classes",
          "normal;fraud",
          "input.topics",
          "t");

  public static NamedFields publish(Path directory) throws Exception {
    Configuration options = OptionReader.configuration(OPTIONS);
    PublishedNetwork network = PublishedNetwork.of(InputOptions.shape(options));
    return new NamedFields(network.publish(directory, Map.of()), options);
  }

  public float[] predict(String record) throws Exception {
    ExampleShape shape = InputOptions.shape(options);
    ExampleFormat format = InputOptions.unlabelledFormat(options, shape);
    Example example = new Example(shape);
    format.read(record.getBytes(UTF_8), example);
    return network.predict(example.features());
  }
}
