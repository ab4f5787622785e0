package dev.millrace.snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The release of Millrace that is running. */
public final class Release {

  private static final String VERSION = read();

  private Release() {}

  public static String version() {
    return VERSION;
  }

  private static String read() {
    try (InputStream in = Release.class.getResourceAsStream("release.properties")) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
