package dev.millrace.model;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Where engines find the libraries that they are made on.
 *
 * <p>Usually these are on the class path. A job jar that brings them along has them as jars in its
 * folder {@value #FOLDER}: Flink loads a job's classes anew for each submission, and native code
 * loaded anew leaks (measured with ND4J: 37 MB and three threads each time). So they are loaded
 * once in the process, by a class loader that outlives the job, and the next job with the same jars
 * finds it.
 */
final class EngineLibraries {

  /** In the job jar. */
  static final String FOLDER = "engine/";

  private static final String PROPERTY = "dev.millrace.engine.";

  private static final ClassLoader LOADER = find();

  private EngineLibraries() {}

  /** The class loader to look for engines with. */
  static ClassLoader loader() {
    return LOADER;
  }

  private static ClassLoader find() {
    ClassLoader own = EngineLibraries.class.getClassLoader();
    if (own.getResource(FOLDER + "libraries") == null) {
      return own;
    }
    try (JarFile job = new JarFile(codeSource())) {
      return new EngineClassLoader(own, shared(job, own.getParent()));
    } catch (IOException e) {
      throw new UncheckedIOException("The engine in the job's jar can't be unpacked", e);
    }
  }

  private static File codeSource() {
    CodeSource source = EngineLibraries.class.getProtectionDomain().getCodeSource();
    try {
      return new File(source.getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("The job's jar is no file: " + source.getLocation(), e);
    }
  }

  /** The class loaders of different jobs have nothing in common but the JVM's properties. */
  private static ClassLoader shared(JarFile job, ClassLoader parent) throws IOException {
    List<JarEntry> jars =
        job.stream()
            .filter(entry -> entry.getName().startsWith(FOLDER))
            .filter(entry -> entry.getName().endsWith(".jar"))
            .toList();
    String name = PROPERTY + Integer.toHexString(contentHash(jars));
    Properties process = System.getProperties();
    synchronized (process) {
      if (process.get(name) instanceof ClassLoader loaded) {
        return loaded;
      }
      ClassLoader loader = new URLClassLoader(name, unpack(job, jars), parent);
      process.put(name, loader);
      return loader;
    }
  }

  private static int contentHash(List<JarEntry> jars) {
    return jars.stream().map(jar -> jar.getName() + jar.getCrc()).toList().hashCode();
  }

  private static URL[] unpack(JarFile job, List<JarEntry> jars) throws IOException {
    Path directory = Files.createTempDirectory("millrace-engine-");
    directory.toFile().deleteOnExit();
    List<URL> urls = new ArrayList<>();
    for (JarEntry jar : jars) {
      Path file = directory.resolve(jar.getName().substring(FOLDER.length()));
      try (InputStream in = job.getInputStream(jar)) {
        Files.copy(in, file);
      }
      file.toFile().deleteOnExit();
      urls.add(file.toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }
}
