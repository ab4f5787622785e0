package dev.millrace.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
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

  /** Returns the options of Flink that a service's command has: what follows each -D. */
  static Map<String, String> flinkOptions(JsonNode service) {
    Map<String, String> options = new LinkedHashMap<>();
    List<String> words = service.get("command").valueStream().map(JsonNode::asText).toList();
    for (int i = 1; i < words.size(); i++) {
      if (words.get(i - 1).equals("-D")) {
        String[] parts = words.get(i).split("=", 2);
        options.put(parts[0], parts[1]);
      }
    }
    return options;
  }
}
