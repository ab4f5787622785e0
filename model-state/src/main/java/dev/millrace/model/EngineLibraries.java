package dev.millrace.model;

import dev.millrace.model.io.Reason;
import dev.millrace.model.io.TemporaryFiles;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where engines find the libraries that they are made on, in this order:
 *
 * <ol>
 *   <li>on the class path, as in Flink's {@code lib/}.
 *   <li>in the job's jar, in the engine's folder below {@value #FOLDER}.
 *   <li>in the engine's folder below the one that the property {@value #PROPERTY} or the variable
 *       {@value #VARIABLE} names.
 * </ol>
 *
 * <p>Flink loads a job's classes again for each submission, and native code loaded again leaks
 * (measured with ND4J: 37 MB and three threads each time). So libraries that aren't on the class
 * path are loaded once in the process, by a class loader that outlives the job, and the next job
 * with the same jars finds it. Each engine has a class loader of its own: none sees another's jars.
 */
final class EngineLibraries {

  /** The folder of the engines in the job's jar. */
  static final String FOLDER = "engine/";

  static final String PROPERTY = "millrace.engines";
  static final String VARIABLE = "MILLRACE_ENGINES";

  /** The file beside an engine's jars in a job jar. */
  private static final String MARKER = "libraries";

  /**
   * All engines' natives are loaded by JavaCPP, whose class loader they belong to. Where it is on
   * the class path, classes from elsewhere couldn't use it.
   */
  private static final String ON_CLASS_PATH = "org/bytedeco/javacpp/Loader.class";

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]*");
  private static final String SHARED = "dev.millrace.engine.";
  private static final ClassLoader OWN = EngineLibraries.class.getClassLoader();
  private static final Map<String, ClassLoader> FOUND = new ConcurrentHashMap<>();

  private EngineLibraries() {}

  /** The class loader to look for an engine with. */
  static ClassLoader loader(String engine) {
    ClassLoader known = FOUND.get(engine);
    if (known != null) {
      return known;
    }
    Optional<ClassLoader> libraries = libraries(engine);
    // What isn't there yet may be later.
    return libraries.isEmpty()
        ? OWN
        : FOUND.computeIfAbsent(engine, any -> new EngineClassLoader(OWN, libraries.get()));
  }

  static boolean areThere(String engine) {
    return OWN.getResource(ON_CLASS_PATH) != null || loader(engine) != OWN;
  }

  private static Optional<ClassLoader> libraries(String engine) {
    if (!NAME.matcher(engine).matches() || OWN.getResource(ON_CLASS_PATH) != null) {
      return Optional.empty();
    }
    String folder = FOLDER + engine + "/";
    try {
      if (OWN.getResource(folder + MARKER) != null) {
        return Optional.of(ofJob(folder));
      }
      List<Path> jars = jars(engine);
      return jars.isEmpty()
          ? Optional.empty()
          : Optional.of(shared(engine, identity(jars), () -> urls(jars)));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The libraries of the engine %s can't be read: %s".formatted(engine, Reason.of(e)), e);
    }
  }

  private static List<Path> jars(String engine) throws IOException {
    String place = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    Path folder = place == null ? null : Path.of(place).toAbsolutePath().resolve(engine);
    if (folder == null || !Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  /** Another where a file has been replaced. */
  private static String identity(List<Path> jars) throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path jar : jars) {
      all.append(jar).append(Files.size(jar)).append(Files.getLastModifiedTime(jar));
    }
    return all.toString();
  }

  private static URL[] urls(List<Path> jars) throws MalformedURLException {
    URL[] urls = new URL[jars.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = jars.get(i).toUri().toURL();
    }
    return urls;
  }

  private static ClassLoader ofJob(String folder) throws IOException {
    try (JarFile job = new JarFile(codeSource())) {
      List<JarEntry> jars =
          job.stream()
              .filter(entry -> entry.getName().startsWith(folder))
              .filter(entry -> entry.getName().endsWith(".jar"))
              .toList();
      String identity = jars.stream().map(jar -> jar.getName() + jar.getCrc()).toList().toString();
      return shared(folder, identity, () -> unpack(job, folder, jars));
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

  private interface Jars {
    URL[] urls() throws IOException;
  }

  /**
   * The class loaders of different jobs have nothing in common but the JVM's properties. No class
   * of a job's may be in what is kept there.
   */
  private static ClassLoader shared(String engine, String identity, Jars jars) throws IOException {
    String name = SHARED + engine + "." + Integer.toHexString(identity.hashCode());
    Properties process = System.getProperties();
    synchronized (process) {
      if (process.get(name) instanceof ClassLoader loaded) {
        return loaded;
      }
      // What a job's class loader is a child of outlives the job.
      ClassLoader parent = OWN == ClassLoader.getSystemClassLoader() ? OWN : OWN.getParent();
      ClassLoader loader = new URLClassLoader(name, jars.urls(), parent);
      process.put(name, loader);
      return loader;
    }
  }

  private static URL[] unpack(JarFile job, String folder, List<JarEntry> jars) throws IOException {
    Path directory = TemporaryFiles.directory("millrace-engine-");
    directory.toFile().deleteOnExit();
    List<Path> files = new ArrayList<>();
    for (JarEntry jar : jars) {
      Path file = directory.resolve(jar.getName().substring(folder.length()));
      try (InputStream in = job.getInputStream(jar)) {
        Files.copy(in, file);
      }
      file.toFile().deleteOnExit();
      files.add(file);
    }
    return urls(files);
  }
}
