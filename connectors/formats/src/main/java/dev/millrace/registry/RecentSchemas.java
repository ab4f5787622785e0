package dev.millrace.registry;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was made of the schemas that were used last, as much as memory is meant for.
 *
 * <p>Thread-safe.
 *
 * @param <T> what is made of a schema
 */
final class RecentSchemas<T> {

  static final int MOST = 1000;
  static final long MOST_CHARACTERS = 16_000_000;

  /** The characters of a schema's text stand for the memory that takes what is made of it. */
  private record Kept<T>(T made, long characters) {}

  // Guarded by this. In the order of use.
  private final Map<Integer, Kept<T>> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long characters;

  /** Null of one that isn't kept. */
  synchronized T get(int id) {
    Kept<T> found = kept.get(id);
    return found == null ? null : found.made();
  }

  synchronized void put(int id, T made, long itsCharacters) {
    forget(kept.remove(id));
    kept.put(id, new Kept<>(made, itsCharacters));
    characters += itsCharacters;
    Iterator<Kept<T>> eldest = kept.values().iterator();
    while (kept.size() > 1 && (kept.size() > MOST || characters > MOST_CHARACTERS)) {
      forget(eldest.next());
      eldest.remove();
    }
  }

  private void forget(Kept<T> old) {
    characters -= old == null ? 0 : old.characters();
  }

  /** The id that was used last, other than one; or another number if there is none. */
  synchronized int idBeside(int id, int otherwise) {
    int last = otherwise;
    for (int known : kept.keySet()) {
      last = known == id ? last : known;
    }
    return last;
  }
}
