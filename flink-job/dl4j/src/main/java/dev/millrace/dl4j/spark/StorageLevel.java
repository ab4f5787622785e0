package dev.millrace.dl4j.spark;

import org.apache.flink.annotation.PublicEvolving;

/**
 * Where Spark keeps a collection. Here it is in memory, or read again, whatever is said. Programs
 * call a level by a method, as {@code StorageLevel.MEMORY_ONLY()}.
 *
 * @param name of the level
 */
@PublicEvolving
public record StorageLevel(String name) {

  /** Returns the level of this name. */
  public static StorageLevel NONE() {
    return new StorageLevel("NONE");
  }

  /** Returns the level of this name. */
  public static StorageLevel DISK_ONLY() {
    return new StorageLevel("DISK_ONLY");
  }

  /** Returns the level of this name. */
  public static StorageLevel DISK_ONLY_2() {
    return new StorageLevel("DISK_ONLY_2");
  }

  /** Returns the level of this name. */
  public static StorageLevel MEMORY_ONLY() {
    return new StorageLevel("MEMORY_ONLY");
  }

  /** Returns the level of this name. */
  public static StorageLevel MEMORY_ONLY_2() {
    return new StorageLevel("MEMORY_ONLY_2");
  }

  /** Returns the level of this name. */
  public static StorageLevel MEMORY_ONLY_SER() {
    return new StorageLevel("MEMORY_ONLY_SER");
  }

  /** Returns the level of this name. */
  public static StorageLevel MEMORY_ONLY_SER_2() {
    return new StorageLevel("MEMORY_ONLY_SER_2");
  }

  /** Returns the level of this name. */
  public static StorageLevel MEMORY_AND_DISK() {
    return new StorageLevel("MEMORY_AND_DISK");
  }

  /** Returns the level of this name. */
  public static StorageLevel MEMORY_AND_DISK_2() {
    return new StorageLevel("MEMORY_AND_DISK_2");
  }

  /** Returns the level of this name. */
  public static StorageLevel MEMORY_AND_DISK_SER() {
    return new StorageLevel("MEMORY_AND_DISK_SER");
  }

  /** Returns the level of this name. */
  public static StorageLevel MEMORY_AND_DISK_SER_2() {
    return new StorageLevel("MEMORY_AND_DISK_SER_2");
  }

  /** Returns the level of this name. */
  public static StorageLevel OFF_HEAP() {
    return new StorageLevel("OFF_HEAP");
  }

  /** Returns the level of a name. */
  public static StorageLevel fromString(String name) {
    return new StorageLevel(name);
  }
}
