package dev.millrace.model;

import java.io.IOException;
import java.io.InputStream;
import java.security.ProtectionDomain;
import java.util.Set;

/**
 * Stands between a job's classes and an engine's libraries, which don't know each other: defines
 * the engine's own classes, the packages below {@code dev.millrace.model} that others don't share,
 * and finds all else in one or the other. Unloaded with the job.
 */
final class EngineClassLoader extends ClassLoader {

  private static final String ENGINES = EngineClassLoader.class.getPackageName() + ".";

  /** Packages below that all engines and the job share. */
  private static final Set<String> SHARED = Set.of("io", "shape", "features", "device");

  static {
    registerAsParallelCapable();
  }

  private final ClassLoader libraries;
  private final ProtectionDomain domain = EngineClassLoader.class.getProtectionDomain();

  /**
   * @param job loads {@code dev.millrace.model}, and has the engine's classes as resources
   */
  EngineClassLoader(ClassLoader job, ClassLoader libraries) {
    super("millrace-engine", job);
    this.libraries = libraries;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!isEngines(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private static boolean isEngines(String name) {
    int end = name.indexOf('.', ENGINES.length());
    return name.startsWith(ENGINES)
        && end > 0
        && !SHARED.contains(name.substring(ENGINES.length(), end));
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length, domain);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /** Finds a class that isn't among the job's. */
  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    return libraries.loadClass(name);
  }
}
