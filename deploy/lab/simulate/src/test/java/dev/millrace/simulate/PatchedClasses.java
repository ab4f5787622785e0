package dev.millrace.simulate;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;

/**
 * Millrace's classes once more, a few of them from other sources: so what production code did wrong
 * once can be planted in it, and nothing in it knows of that.
 */
final class PatchedClasses extends URLClassLoader {

  private static final String OWN = "dev.millrace.";

  private PatchedClasses(URL[] places) {
    super(places, PatchedClasses.class.getClassLoader());
  }

  /**
   * Compiles sources, and has them take the place of those that are there.
   *
   * @param into an empty directory
   */
  static PatchedClasses of(List<Path> sources, Path into) throws IOException {
    String classPath = System.getProperty("java.class.path");
    List<String> arguments =
        new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", into.toString(), "-cp", classPath));
    sources.forEach(source -> arguments.add(source.toString()));
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    if (failed != 0) {
      throw new IOException("These can't be compiled: " + sources);
    }
    List<URL> places = new ArrayList<>(List.of(url(into)));
    for (String place : classPath.split(File.pathSeparator, -1)) {
      places.add(url(Path.of(place)));
    }
    return new PatchedClasses(places.toArray(URL[]::new));
  }

  private static URL url(Path place) throws MalformedURLException {
    return place.toAbsolutePath().toUri().toURL();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OWN)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? findClass(name) : known;
    }
  }
}
