package dev.millrace.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads compose files: with anchors and merge keys, which Jackson doesn't resolve. */
final class Compose {

  private Compose() {}

  static JsonNode read(Path file) {
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false);
    try {
      return new ObjectMapper()
          .valueToTree(new Yaml(new SafeConstructor(strict)).load(Files.readString(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the image's entrypoint makes of FLINK_PROPERTIES, a key and a value a line. */
  static Map<String, String> flinkProperties(JsonNode service) {
    Map<String, String> options = new LinkedHashMap<>();
    service
        .at("/environment/FLINK_PROPERTIES")
        .asText()
        .lines()
        .forEach(
            line -> {
              String[] parts = line.split(":", 2);
              options.put(parts[0].strip(), parts[1].strip());
            });
    return options;
  }
}
