package dev.millrace.dl4j.spark;

import java.io.Serializable;
import java.util.Objects;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Two things, named as Scala names them.
 *
 * @param <A> the first
 * @param <B> the second
 */
@PublicEvolving
public final class Tuple2<A, B> implements Serializable {

  private static final long serialVersionUID = 1;

  private final A first;
  private final B second;

  public Tuple2(A first, B second) {
    this.first = first;
    this.second = second;
  }

  /** Returns the first. */
  public A _1() {
    return first;
  }

  /** Returns the second. */
  public B _2() {
    return second;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tuple2<?, ?> tuple
        && Objects.equals(first, tuple.first)
        && Objects.equals(second, tuple.second);
  }

  @Override
  public int hashCode() {
    return Objects.hash(first, second);
  }

  @Override
  public String toString() {
    return "(" + first + "," + second + ")";
  }
}
