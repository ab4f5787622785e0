package dev.millrace.job.setup;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Options as a YAML file has them: keys nested, dotted, or both. Values are the text that is
 * written: YAML's own idea of it would make 8 of 010 and 1.1 of 1.10, also where these are a
 * class's name or a password.
 */
final class YamlOptions {

  /** A description of tens of thousands of fields has some megabytes. */
  private static final int MOST_CHARACTERS = 64 << 20;

  private static final YAMLFactory YAML = factory();

  /** Its value is a tree, not a list of values. */
  private static final String FIELDS = InputOptions.FIELDS.key();

  private final Path file;
  private final YAMLParser parser;
  private final Map<String, String> options = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();

  private static YAMLFactory factory() {
    LoaderOptions limits = new LoaderOptions();
    limits.setCodePointLimit(MOST_CHARACTERS);
    return YAMLFactory.builder()
        .loaderOptions(limits)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .build();
  }

  private YamlOptions(Path file, YAMLParser parser) {
    this.file = file;
    this.parser = parser;
  }

  /**
   * @throws InvalidOptionsException if the file can't be read, or has a key without a value or
   *     twice
   */
  static Map<String, String> read(Path file) {
    try {
      return parse(file, Files.readString(file));
    } catch (NoSuchFileException e) {
      throw failure(file, "there is no such file");
    } catch (IOException e) {
      throw failure(file, Reason.of(e));
    }
  }

  /**
   * Reads options from a text.
   *
   * @param file that messages name
   */
  static Map<String, String> parse(Path file, String text) {
    try (YAMLParser parser = YAML.createParser(text)) {
      return new YamlOptions(file, parser).read();
    } catch (IOException e) {
      throw failure(file, Reason.of(e));
    }
  }

  /**
   * A list of fields as a command line has it: a list itself, or the path of a YAML file which is
   * one, or has one among its options.
   *
   * @throws InvalidOptionsException if there is none
   */
  static String fields(String value) {
    boolean list = value.stripLeading().startsWith("[");
    Path file = Path.of(list ? "--" + FIELDS : value);
    try (YAMLParser parser = YAML.createParser(list ? value : Files.readString(file))) {
      if (parser.nextToken() == JsonToken.START_ARRAY) {
        return FieldsTree.copy(parser);
      }
    } catch (NoSuchFileException e) {
      throw failure(file, "there is no such file");
    } catch (IOException e) {
      throw failure(file, Reason.of(e));
    }
    String fields = read(file).get(FIELDS);
    if (fields == null) {
      throw failure(file, "it has no " + FIELDS);
    }
    return fields;
  }

  private static InvalidOptionsException failure(Path file, String reason) {
    return new InvalidOptionsException(
        List.of("The options in %s can't be read: %s".formatted(file, reason)));
  }

  private Map<String, String> read() throws IOException {
    JsonToken first = parser.nextToken();
    if (first == JsonToken.START_OBJECT) {
      keys("");
    } else if (first != null && first != JsonToken.VALUE_NULL) {
      throw failure(file, "it must hold keys and values, such as batch.size: 32");
    }
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
    return options;
  }

  /** All that follows in an object that was begun. */
  private void keys(String prefix) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = prefix + parser.currentName();
      switch (parser.nextToken()) {
        case START_OBJECT -> keys(key + ".");
        case START_ARRAY -> put(key, key.equals(FIELDS) ? FieldsTree.copy(parser) : list(key));
        case VALUE_NULL -> problems.add("%s has no value in %s".formatted(key, file));
        default -> put(key, parser.getText());
      }
    }
  }

  private void put(String key, String value) {
    if (value.isEmpty()) {
      problems.add("%s has no value in %s".formatted(key, file));
    } else if (options.put(key, value) != null) {
      problems.add("%s is set twice in %s".formatted(key, file));
    }
  }

  private String list(String key) throws IOException {
    List<String> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (!parser.currentToken().isScalarValue() || parser.currentToken() == JsonToken.VALUE_NULL) {
        problems.add("%s has an element without a value in %s".formatted(key, file));
        parser.skipChildren();
      } else {
        elements.add(quoted(parser.getText()));
      }
    }
    return String.join(";", elements);
  }

  /**
   * Writes an element of a list as Flink reads it: quoted where it holds Flink's separator or a
   * quote, or what Flink, or a command line, takes for a list in itself.
   */
  private static String quoted(String element) {
    return element.matches("(?s)([\\[-]|.*[;,'\"]).*")
        ? "'" + element.replace("'", "''") + "'"
        : element;
  }
}
