package dev.millrace.onnx.torch;

import dev.millrace.model.io.ArchiveEntries;
import dev.millrace.model.io.TemporaryFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * The code of a TorchScript archive: classes in a language that looks like Python, which libtorch
 * writes in one way only, a statement a line.
 */
final class ScriptCode {

  /**
   * A class of modules.
   *
   * @param attributes types of its attributes
   */
  record Type(String name, Map<String, String> attributes, Map<String, Method> methods) {}

  /**
   * A method.
   *
   * @param arguments names, without the module itself
   * @param statements one a line, blocks and all
   */
  record Method(List<String> arguments, List<String> statements) {}

  /** A module's code; memory is taken for no more, whatever a savepoint says. */
  private static final int MOST_BYTES = 256 << 20;

  /** The archive's folder in a module's text, see the engine's own writer. */
  private static final String ROOT = "model/";

  /** How the pickle of a module begins: protocol 2, and the name of the outermost class. */
  private static final Pattern OUTERMOST = Pattern.compile("^\\x80\\x02c([\\w.]+)\n(\\w+)\n");

  private static final Pattern CLASS = Pattern.compile("^class (\\w+)\\(Module\\):$");

  /** An attribute's line. A name that is none in Python, such as 0, is written in another way. */
  private static final Pattern ATTRIBUTE =
      Pattern.compile("^ {2}(?:(\\w+) : |__annotations__\\[\"(\\w+)\"] = )(.+)$");

  private static final Pattern METHOD = Pattern.compile("^ {2}def (\\w+)\\(self: [\\w.]+(.*)$");
  private static final Pattern ARGUMENT = Pattern.compile("(\\w+): ");
  private static final String STATEMENT = "    ";

  private final ArchiveEntries archive;
  private final Map<String, Type> types = new HashMap<>();
  private final String outermost;

  private ScriptCode(ArchiveEntries archive) throws IOException {
    this.archive = archive;
    String pickle = new String(archive.require(ROOT + "data.pkl"), StandardCharsets.ISO_8859_1);
    Matcher matcher = OUTERMOST.matcher(pickle);
    if (!matcher.find()) {
      throw new IOException("its data.pkl doesn't begin with the name of a class");
    }
    this.outermost = matcher.group(1) + "." + matcher.group(2);
    readType(outermost);
  }

  /**
   * @param text of a module in a configuration: an archive, zipped, in base 64
   * @throws IOException if it can't be read
   */
  static ScriptCode read(String text) throws IOException {
    Path file = TemporaryFiles.file("millrace-module-", ".pt");
    try {
      try (InputStream in =
          new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
        Files.write(file, in.readNBytes(MOST_BYTES));
      }
      try (ArchiveEntries archive = ArchiveEntries.open(file)) {
        return new ScriptCode(archive);
      }
    } finally {
      Files.delete(file);
    }
  }

  /** The class of the whole module. */
  Type outermost() {
    return types.get(outermost);
  }

  Optional<Type> type(String name) {
    return Optional.ofNullable(types.get(name));
  }

  /** Reads a class, and those of its attributes. */
  private void readType(String name) throws IOException {
    int point = name.lastIndexOf('.');
    String file = ROOT + "code/" + name.substring(0, Math.max(0, point)).replace('.', '/') + ".py";
    Optional<byte[]> code = archive.bytes(file);
    if (code.isEmpty()) {
      throw new IOException("it has no code of " + name);
    }
    parse(
        name.substring(0, point + 1),
        new String(code.get(), StandardCharsets.UTF_8).lines().toList());
    if (!types.containsKey(name)) {
      throw new IOException("it has no class " + name);
    }
    for (String type : types.get(name).attributes().values()) {
      if (type.startsWith("__torch__.") && !types.containsKey(type)) {
        readType(type);
      }
    }
  }

  private void parse(String prefix, List<String> lines) {
    Type type = null;
    List<String> statements = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      Matcher start = CLASS.matcher(line);
      Matcher attribute = ATTRIBUTE.matcher(line);
      Matcher method = METHOD.matcher(line);
      if (start.matches()) {
        type = new Type(prefix + start.group(1), new HashMap<>(), new HashMap<>());
        types.put(type.name(), type);
      } else if (type != null && attribute.matches()) {
        String name = attribute.group(1) == null ? attribute.group(2) : attribute.group(1);
        type.attributes().put(name, attribute.group(3));
      } else if (type != null && method.matches()) {
        StringBuilder header = new StringBuilder(method.group(2));
        while (!lines.get(i).endsWith(":") && i + 1 < lines.size()) {
          header.append(lines.get(++i));
        }
        List<String> arguments =
            ARGUMENT.matcher(header).results().map(found -> found.group(1)).toList();
        statements = new ArrayList<>();
        type.methods().put(method.group(1), new Method(arguments, statements));
      } else if (line.startsWith(STATEMENT)) {
        statements.add(line.substring(STATEMENT.length()));
      }
    }
  }
}
