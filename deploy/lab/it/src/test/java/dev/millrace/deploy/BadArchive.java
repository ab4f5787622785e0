package dev.millrace.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Archives that are published with a right pointer and a right description, and are no good. */
enum BadArchive {
  GARBAGE {
    @Override
    void spoil(Path archive) throws IOException {
      Files.writeString(archive, "no model at all");
    }
  },
  TRUNCATED {
    @Override
    void spoil(Path archive) throws IOException {
      byte[] whole = Files.readAllBytes(archive);
      Files.write(archive, Arrays.copyOf(whole, whole.length - 30));
    }
  },
  MISSING {
    @Override
    void spoil(Path archive) throws IOException {
      Files.delete(archive);
    }
  },
  CONFIGURATION_IS_NO_JSON {
    @Override
    void spoil(Path archive) throws IOException {
      rewrite(archive, "configuration.json", text -> text.substring(1));
    }
  },
  FOREIGN_CLASS {
    @Override
    void spoil(Path archive) throws IOException {
      rewrite(
          archive,
          "configuration.json",
          text ->
              text.replaceFirst(
                  "org\\.deeplearning4j\\.nn\\.conf\\.layers\\.\\w+", "java.net.URL"));
    }
  },
  NO_PARAMETERS {
    @Override
    void spoil(Path archive) throws IOException {
      rewrite(archive, "coefficients.bin", text -> "");
    }
  },
  /**
   * A layer in a layer in a layer: a reader that follows them takes a kilobyte of stack for each.
   */
  DEEP {
    @Override
    void spoil(Path archive) throws IOException {
      String frozen =
          "{\"@class\":\"org.deeplearning4j.nn.conf.layers.misc.FrozenLayer\",\"layer\":";
      rewrite(
          archive,
          "configuration.json",
          text -> {
            int from = text.indexOf('{', text.indexOf("\"layer\""));
            int to = end(text, from);
            return text.substring(0, from)
                + frozen.repeat(980)
                + text.substring(from, to)
                + "}".repeat(980)
                + text.substring(to);
          });
    }
  },
  /** 66 KB that are 60 MB of text, and a gigabyte as a tree. */
  BOMB {
    @Override
    void spoil(Path archive) throws IOException {
      rewrite(
          archive, "configuration.json", text -> "{\"confs\":[" + "[],".repeat(20 << 20) + "0]}");
    }
  };

  abstract void spoil(Path archive) throws IOException;

  /** Publishes one of this kind. */
  void publish(Path models, ModelVersion version) throws IOException {
    Path staged = Files.createTempDirectory(models.getParent(), "staged");
    ServeIT.publish(staged, version);
    String name = "model-" + version;
    spoil(staged.resolve(name + ".zip"));
    for (String file : new String[] {name + ".zip", name + ".json", "latest.json"}) {
      if (Files.exists(staged.resolve(file))) {
        Files.move(staged.resolve(file), models.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /** Behind the object that begins here; its texts have no braces. */
  private static int end(String text, int from) {
    int depth = 0;
    int at = from;
    do {
      depth += text.charAt(at) == '{' ? 1 : text.charAt(at) == '}' ? -1 : 0;
      at++;
    } while (depth > 0);
    return at;
  }

  private static void rewrite(Path archive, String entry, UnaryOperator<String> change)
      throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry one : Collections.list(zip.entries())) {
        entries.put(one.getName(), zip.getInputStream(one).readAllBytes());
      }
    }
    entries.computeIfPresent(
        entry, (name, bytes) -> change.apply(new String(bytes, UTF_8)).getBytes(UTF_8));
    try (OutputStream file = Files.newOutputStream(archive);
        ZipOutputStream zip = new ZipOutputStream(file)) {
      for (Map.Entry<String, byte[]> one : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(one.getKey()));
        zip.write(one.getValue());
        zip.closeEntry();
      }
    }
  }
}
