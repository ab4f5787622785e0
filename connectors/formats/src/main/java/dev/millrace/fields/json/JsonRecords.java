package dev.millrace.fields.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.millrace.example.Excerpt;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.JsonObjects;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFormat;
import java.io.IOException;

/**
 * The format {@code json} of named fields: one object in UTF-8. What isn't planned is passed over,
 * but has to be JSON. A name that a path needs is in its object once.
 */
final class JsonRecords implements RecordFormat {

  private final FieldPlan plan;
  private transient JsonPlace root;

  /** How many objects were read, so that each has a number of its own. */
  private transient long objects;

  JsonRecords(FieldPlan plan) {
    this.plan = plan;
  }

  @Override
  public void read(byte[] value, FieldValues into) throws InvalidExampleException {
    if (root == null) {
      root = JsonPlace.of(plan);
    }
    JsonObjects.read(value, parser -> object(parser, root, into, into));
  }

  /**
   * All that follows in an object that was begun.
   *
   * @param record takes the steps of a sequence
   * @param into of the record, or of one of its steps
   */
  private void object(JsonParser parser, JsonPlace place, FieldValues record, FieldValues into)
      throws IOException, InvalidExampleException {
    long number = ++objects;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      JsonPlace member = place.member(name);
      if (member == null) {
        parser.skipChildren();
        continue;
      }
      if (!member.isFirstIn(number)) {
        throw new InvalidExampleException("%s is there twice".formatted(Excerpt.of(name)));
      }
      value(parser, token, member, record, into);
    }
  }

  private void value(
      JsonParser parser, JsonToken token, JsonPlace place, FieldValues record, FieldValues into)
      throws IOException, InvalidExampleException {
    if (place.isList() && token == JsonToken.START_ARRAY) {
      list(parser, into.setList(place.field()));
      return;
    }
    if (place.field() != JsonPlace.NONE) {
      set(parser, token, place.field(), into);
    }
    switch (token) {
      case START_OBJECT -> {
        if (place.hasMembers()) {
          object(parser, place, record, into);
        } else {
          parser.skipChildren();
        }
      }
      case START_ARRAY -> array(parser, place, record, into);
      default -> {}
    }
    if (place.sequenceElement() != null
        && token != JsonToken.START_ARRAY
        && token != JsonToken.VALUE_NULL) {
      throw new InvalidExampleException(
          "sequence \"%s\": an array expected, %s found"
              .formatted(plan.sequence().orElseThrow(), JsonObjects.describe(token)));
    }
  }

  private void array(JsonParser parser, JsonPlace place, FieldValues record, FieldValues into)
      throws IOException, InvalidExampleException {
    JsonPlace step = place.sequenceElement();
    if (step == null && !place.hasElements()) {
      parser.skipChildren();
      return;
    }
    int number = 0;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      JsonPlace element = step == null ? place.element(number) : step;
      if (element == null) {
        parser.skipChildren();
      } else {
        value(parser, token, element, record, step == null ? into : record.addStep());
      }
      number++;
    }
  }

  /** Reads an array that is wanted whole: no path leads into it. */
  private static void list(JsonParser parser, FieldValues list) throws IOException {
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      set(parser, token, 0, list.addStep());
      parser.skipChildren();
    }
  }

  private static void set(JsonParser parser, JsonToken token, int field, FieldValues into)
      throws IOException {
    switch (token) {
      case VALUE_NUMBER_INT -> {
        if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
          into.setWhole(field, parser.getBigIntegerValue());
        } else {
          into.setLong(field, parser.getLongValue());
        }
      }
      case VALUE_NUMBER_FLOAT -> into.setDouble(field, parser.getDoubleValue());
      case VALUE_STRING -> into.setText(field, parser.getText());
      case VALUE_TRUE -> into.setBoolean(field, true);
      case VALUE_FALSE -> into.setBoolean(field, false);
      case VALUE_NULL -> {}
      default -> into.setOther(field, JsonObjects.describe(token));
    }
  }
}
