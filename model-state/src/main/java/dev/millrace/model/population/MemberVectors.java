package dev.millrace.model.population;

import dev.millrace.model.ModelReplica;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The vectors of a population's members as one, see {@link Population}.
 *
 * <p>Belongs to the thread of the members.
 */
final class MemberVectors {

  /**
   * What lies in a range of the vector.
   *
   * @param member whose; null for what is of none
   * @param ofNone the array that has it; null for a member's
   * @param start of it in the member's vector
   */
  private record Part(ModelReplica member, float[] ofNone, int from, int to, int start) {}

  private final List<Part> parts = new ArrayList<>();
  private final int length;

  /**
   * @param losses live
   * @param rateShift live; empty if there is none
   */
  MemberVectors(
      Population population, List<ModelReplica> members, float[] losses, float[] rateShift) {
    int parameters = population.members().get(0).parameters();
    int state = population.members().get(0).updaterState();
    for (int i = 0; i < members.size(); i++) {
      add(members.get(i), null, population.parametersFrom(i), parameters, 0);
    }
    add(null, losses, population.lossesFrom(), losses.length, 0);
    add(null, rateShift, population.lossesTo(), rateShift.length, 0);
    for (int i = 0; i < members.size(); i++) {
      add(members.get(i), null, population.stateFrom(i), state, parameters);
    }
    this.length = parts.get(parts.size() - 1).to();
  }

  private void add(ModelReplica member, float[] ofNone, int from, int size, int start) {
    parts.add(new Part(member, ofNone, from, from + size, start));
  }

  /**
   * Reads a part of the population's vector out of its members, as {@link ModelReplica#read} does.
   */
  void read(int from, float[] target, int offset, int count) {
    check(from, count, target, offset);
    for (Part part : parts) {
      int begin = Math.max(from, part.from());
      int size = Math.min(from + count, part.to()) - begin;
      if (size > 0) {
        int inPart = part.start() + begin - part.from();
        int at = offset + begin - from;
        if (part.member() == null) {
          System.arraycopy(part.ofNone(), inPart, target, at, size);
        } else {
          part.member().read(inPart, target, at, size);
        }
      }
    }
  }

  /**
   * Writes a part of the population's vector into its members, as {@link ModelReplica#write} does.
   */
  void write(int from, float[] source, int offset, int count) {
    check(from, count, source, offset);
    for (Part part : parts) {
      int begin = Math.max(from, part.from());
      int size = Math.min(from + count, part.to()) - begin;
      if (size > 0) {
        int inPart = part.start() + begin - part.from();
        int at = offset + begin - from;
        if (part.member() == null) {
          System.arraycopy(source, at, part.ofNone(), inPart, size);
        } else {
          part.member().write(inPart, source, at, size);
        }
      }
    }
  }

  /** Checks a range before anything is changed. */
  private void check(int from, int count, float[] array, int offset) {
    Objects.checkFromIndexSize(from, count, length);
    Objects.checkFromIndexSize(offset, count, array.length);
  }
}
