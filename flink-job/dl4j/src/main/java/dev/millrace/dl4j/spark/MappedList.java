package dev.millrace.dl4j.spark;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.Function;

/** A list whose elements are made of another's, each time they are asked for. */
final class MappedList<A, B> extends AbstractList<B> implements RandomAccess {

  private final List<A> elements;
  private final Function<A, B> function;

  MappedList(List<A> elements, Function<A, B> function) {
    this.elements = elements;
    this.function = function;
  }

  @Override
  public B get(int index) {
    return function.apply(elements.get(index));
  }

  @Override
  public int size() {
    return elements.size();
  }
}
