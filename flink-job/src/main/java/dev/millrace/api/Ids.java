package dev.millrace.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.fields.FieldPath;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.annotation.PublicEvolving;

/**
 * A field of ids that examples have beside their features: each id names a row of an embedding
 * table, whose values are learned. Never changes.
 */
@PublicEvolving
public final class Ids {

  private static final String DIMENSION = "dimension";

  private final String name;
  private final boolean isList;
  private final Map<String, JsonNode> keys;

  private Ids(String name, boolean isList, Map<String, JsonNode> keys) {
    this.name = name;
    this.isList = isList;
    this.keys = keys;
  }

  /**
   * Makes a field of one id, such as a user.
   *
   * @param name of the field, by which a mapper gives the id; of its table, too
   * @param dimension values of a row
   */
  public static Ids one(String name, int dimension) {
    return new Ids(name, false, Map.of(DIMENSION, IntNode.valueOf(dimension)));
  }

  /**
   * Makes a field of a list of ids, such as the items seen. Features are the mean of their rows,
   * zeros where there are none.
   *
   * @param name of the field, by which a mapper gives the ids; of its table, too
   * @param dimension values of a row
   */
  public static Ids list(String name, int dimension) {
    return new Ids(name, true, Map.of(DIMENSION, IntNode.valueOf(dimension)));
  }

  /** Returns the field with rows of this table, which fields of the same dimension may share. */
  public Ids table(String table) {
    return with("table", TextNode.valueOf(table));
  }

  /** Returns the list with the sum of its rows in place of their mean. */
  public Ids sum() {
    return with("pooling", TextNode.valueOf("sum"));
  }

  /**
   * Returns the list with this limit: a record with more ids is rejected. It is 1,000 if absent.
   */
  public Ids most(int ids) {
    return with("most", IntNode.valueOf(ids));
  }

  private Ids with(String key, JsonNode value) {
    Map<String, JsonNode> more = new TreeMap<>(keys);
    more.put(key, value);
    return new Ids(name, isList, more);
  }

  int dimension() {
    return keys.get(DIMENSION).intValue();
  }

  /** Writes the field as a description of fields has it. */
  void describe(ObjectNode field) {
    field.put("path", new FieldPath(List.of(name)).toString());
    field.put("name", name);
    field.put("kind", isList ? "ids" : "id");
    field.setAll(keys);
  }
}
