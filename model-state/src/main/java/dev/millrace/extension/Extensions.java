package dev.millrace.extension;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The extensions that there are. */
public final class Extensions {

  private Extensions() {}

  /** Names of all of a kind, in alphabetical order. */
  public static <E extends Extension<?>> List<String> names(Class<E> kind) {
    return all(kind).map(Extension::name).sorted().toList();
  }

  /** Whether there is one of the name. */
  public static <E extends Extension<?>> boolean has(Class<E> kind, String name) {
    return find(kind, name).isPresent();
  }

  /**
   * Makes what one is for.
   *
   * @param name its own, or the full name of its class
   * @throws IllegalArgumentException if there is none of the name, or an option is wrong
   */
  public static <T, E extends Extension<T>> T create(
      Class<E> kind, String name, Map<String, String> options) {
    E extension =
        find(kind, name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there is no extension of this name; found are %s. Put its jar beside the job's, at the client and in the cluster (docs/guides/in-your-program.md)"
                            .formatted(name.contains(".") ? classes(kind) : names(kind))));
    return extension.create(options);
  }

  private static <E extends Extension<?>> Optional<E> find(Class<E> kind, String name) {
    return all(kind)
        .filter(
            extension ->
                extension.name().equals(name) || extension.getClass().getName().equals(name))
        .findFirst();
  }

  private static <E extends Extension<?>> List<String> classes(Class<E> kind) {
    return all(kind).map(extension -> extension.getClass().getName()).sorted().toList();
  }

  /**
   * Finds extensions by the loader of the kind, which is the job's: the same interface has to be
   * theirs.
   */
  private static <E extends Extension<?>> Stream<E> all(Class<E> kind) {
    return ServiceLoader.load(kind, kind.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get);
  }
}
