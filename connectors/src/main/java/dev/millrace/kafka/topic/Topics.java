package dev.millrace.kafka.topic;

import java.io.Serializable;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;

/** Which topics a source reads. */
public sealed interface Topics extends Serializable {

  /** Topics by name, at least one; each has to exist. */
  static Topics named(List<String> names) {
    return new Named(names);
  }

  /**
   * All topics whose whole name matches, also those that are made later; at least one has to exist.
   */
  static Topics matching(Pattern pattern) {
    return new Matching(pattern);
  }

  /** The topics to read, of those that exist; named ones are there whether they exist or not. */
  SortedSet<String> select(Collection<String> existing);

  /** Whether a topic of this name would be read. */
  boolean includes(String topic);

  /** Finds the topics to read: it asks brokers for those of a pattern, and takes named ones. */
  SortedSet<String> find(Admin admin) throws ExecutionException, InterruptedException;

  record Named(List<String> names) implements Topics {

    public Named {
      names = List.copyOf(names);
      if (names.isEmpty() || names.stream().anyMatch(String::isBlank)) {
        throw new IllegalArgumentException("A source needs the names of its topics, not " + names);
      }
    }

    @Override
    public SortedSet<String> select(Collection<String> existing) {
      return new TreeSet<>(names);
    }

    @Override
    public boolean includes(String topic) {
      return names.contains(topic);
    }

    @Override
    public SortedSet<String> find(Admin admin) {
      return select(List.of());
    }

    @Override
    public String toString() {
      return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
    }
  }

  record Matching(Pattern pattern) implements Topics {

    @Override
    public SortedSet<String> select(Collection<String> existing) {
      return existing.stream()
          .filter(this::includes)
          .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public boolean includes(String topic) {
      return pattern.matcher(topic).matches();
    }

    @Override
    public SortedSet<String> find(Admin admin) throws ExecutionException, InterruptedException {
      return select(admin.listTopics().names().get());
    }

    @Override
    public String toString() {
      return "like '" + pattern + "'";
    }
  }
}
