package dev.millrace.model.dl4j;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A program's own layers, losses and activations, which its networks may name. Names come from the
 * program alone: by {@link #trust} in its own process, or by the file {@value #FILE} of its jar,
 * one name a line, wherever the jar goes. No option adds to them, so nobody who only hands in a
 * network has a class loaded.
 *
 * <p>Thread-safe.
 */
public final class TrustedClasses {

  /** Names that a jar brings. */
  public static final String FILE = "META-INF/millrace/trusted-classes";

  private static final Set<String> NAMES = ConcurrentHashMap.newKeySet();

  private TrustedClasses() {}

  /** Trusts classes until the process ends. */
  public static void trust(Class<?>... classes) {
    for (Class<?> each : classes) {
      NAMES.add(each.getName());
    }
  }

  static boolean has(String name) {
    return NAMES.contains(name) || OfJars.NAMES.contains(name);
  }

  /** Read when the first such name is asked for. */
  private static final class OfJars {

    private static final Set<String> NAMES = read();

    private static Set<String> read() {
      Set<String> names = ConcurrentHashMap.newKeySet();
      try {
        for (URL file :
            Collections.list(TrustedClasses.class.getClassLoader().getResources(FILE))) {
          try (BufferedReader lines =
              new BufferedReader(
                  new InputStreamReader(file.openStream(), StandardCharsets.UTF_8))) {
            lines.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(names::add);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(FILE + " of a jar on the class path can't be read", e);
      }
      return names;
    }
  }
}
