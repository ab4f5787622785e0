package dev.millrace.nd4j.vertices;

import java.util.Set;

/** The vertices by the names that a configuration has for them. */
public final class OwnVertices {

  /** Names of classes that anybody's configuration may have. */
  public static final Set<String> NAMES =
      Set.of(WideVertex.class.getName(), DotVertex.class.getName());

  private OwnVertices() {}
}
