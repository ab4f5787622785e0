package dev.millrace.cli.forget;

import dev.millrace.cli.console.Sha256;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.RecordFormats;
import dev.millrace.fields.RecordObjects;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Says which records are meant: those for which any of the choices is right. */
final class RecordChoice {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(names = "--key", paramLabel = "KEY", description = "Records of this key.")
  private List<String> keys = List.of();

  @Option(
      names = "--where",
      paramLabel = "FIELD=VALUE",
      description = "Records in which a field has this value, an input field or not.")
  private List<String> fields = List.of();

  @Option(
      names = "--offsets",
      paramLabel = "FILE",
      description =
          "Records of these places, a line for each: 'clicks 0:1200' or 'clicks 0:1200+32'.")
  private List<Path> offsets = List.of();

  /** Returns the records that are named by their places. */
  RecordSet named() throws IOException {
    RecordSet named = new RecordSet();
    for (Path file : offsets) {
      named.addAll(OffsetsFile.read(file));
    }
    return named;
  }

  /**
   * Returns the choices.
   *
   * @param options of the job, which say how records are written
   * @param named see {@link #named}
   * @throws ParameterException if there are none, or one is wrong
   */
  List<RecordCondition> conditions(Configuration options, RecordSet named) {
    List<RecordCondition> conditions = new ArrayList<>();
    keys.forEach(key -> conditions.add(RecordCondition.key(key)));
    if (!fields.isEmpty()) {
      RecordObjects objects = objects(options);
      fields.forEach(field -> conditions.add(condition(field, options, objects)));
    }
    if (!named.isEmpty()) {
      conditions.add(RecordCondition.among(named));
    }
    if (conditions.isEmpty()) {
      throw wrong("Which records are meant? Give --key, --where or --offsets");
    }
    return conditions;
  }

  private RecordObjects objects(Configuration options) {
    try {
      return RecordFormats.objects(options.get(InputOptions.FORMAT), InputFields.input(options));
    } catch (IllegalArgumentException e) {
      throw wrong("--where can't look into records: " + e.getMessage());
    }
  }

  private RecordCondition condition(String given, Configuration options, RecordObjects objects) {
    int equals = given.indexOf('=');
    if (equals < 1) {
      throw wrong(
          "--where is '%s'; give a field and its value, such as customer=17".formatted(given));
    }
    try {
      FieldPath field = FieldPath.of(given.substring(0, equals));
      return new FieldCondition(
          options.get(InputOptions.ENVELOPE).row().append(field),
          given.substring(equals + 1),
          objects);
    } catch (IllegalArgumentException e) {
      throw wrong("--where: " + e.getMessage());
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  /**
   * Returns what a certificate has of the choices: it doesn't tell who is meant, and can be checked
   * against who it is.
   */
  List<String> selectors(String salt) throws IOException {
    List<String> selectors = new ArrayList<>();
    keys.forEach(key -> selectors.add(selector(salt, "key:" + key)));
    fields.forEach(field -> selectors.add(selector(salt, "field:" + field)));
    for (Path file : offsets) {
      selectors.add(selector(salt, Files.readString(file)));
    }
    return selectors;
  }

  private static String selector(String salt, String text) {
    return Sha256.of((salt + text).getBytes(StandardCharsets.UTF_8));
  }
}
