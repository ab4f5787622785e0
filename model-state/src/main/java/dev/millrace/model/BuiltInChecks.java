package dev.millrace.model;

import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.IdColumn;
import java.util.List;

/** What is refused of a built-in network, whichever engine makes it. */
public final class BuiltInChecks {

  /** What two rounds of convolution and pooling leave one pixel of. */
  private static final int LEAST_IMAGE_SIDE = 16;

  private BuiltInChecks() {}

  /**
   * Height, width and channels, as given or as the square that the features make.
   *
   * @throws InvalidModelException if the features are no such image, or it is too small
   */
  public static List<Integer> imageOf(BuiltIn definition) {
    int features = definition.shape().features();
    List<Integer> image = definition.image();
    if (image.isEmpty()) {
      int side = (int) Math.round(Math.sqrt(features));
      if (side * side != features) {
        throw new InvalidModelException(
            ("The network lenet takes images, and %s features are no square one; give the image as"
                    + " height,width,channels, or take 'mlp'")
                .formatted(features));
      }
      image = List.of(side, side, 1);
    }
    if (image.size() != 3
        || image.get(0) < LEAST_IMAGE_SIDE
        || image.get(1) < LEAST_IMAGE_SIDE
        || image.get(2) < 1
        || (long) image.get(0) * image.get(1) * image.get(2) != features) {
      throw new InvalidModelException(
          ("The network lenet can't take %s features as an image %s; give height,width,channels"
                  + " whose product is %s, with at least %s pixels each way, or take 'mlp'")
              .formatted(features, image, features, LEAST_IMAGE_SIDE));
    }
    return image;
  }

  /**
   * Checks the sizes of hidden layers.
   *
   * @param without what to do to have none, as the end of a sentence
   * @throws InvalidModelException if there are none, or one is below 1
   */
  public static void requireHidden(BuiltIn definition, String without) {
    if (definition.hidden().isEmpty() || definition.hidden().stream().anyMatch(size -> size < 1)) {
      throw new InvalidModelException(
          ("The network %s has hidden layers of the sizes %s; give one or more sizes above 0, such"
                  + " as 64,32, or %s")
              .formatted(definition.name(), definition.hidden(), without));
    }
  }

  /**
   * Checks that examples have rows of embedding tables, one at least, and of as many values as a
   * network makes use of.
   *
   * @param values of each row, at least
   * @throws InvalidModelException if not, saying what to do
   */
  public static void requireRows(BuiltIn definition, int values) {
    List<IdColumn> ids = definition.shape().columns().ids();
    if (ids.isEmpty()) {
      throw new InvalidModelException(
          ("The network %s is made for rows of embedding tables, and no field has the kind id or"
                  + " ids; give such a field, or take 'mlp'")
              .formatted(definition.name()));
    }
    for (IdColumn column : ids) {
      if (column.features().length() < values) {
        throw new InvalidModelException(
            ("The network %s takes rows of at least %s values, and those of the field \"%s\" have"
                    + " %s; give the field a larger dimension, or take 'wide-deep'")
                .formatted(definition.name(), values, column.name(), column.features().length()));
      }
    }
  }

  /**
   * Checks that examples are for the two inputs of {@code two-tower}.
   *
   * @throws InvalidModelException if not, saying what to do
   */
  public static void requireTowers(BuiltIn definition) {
    List<String> inputs =
        definition.shape().structure().inputs().stream().map(Input::name).toList();
    if (inputs.size() != 2) {
      throw new InvalidModelException(
          ("The network %s has a tower for each of two inputs, and the fields are for %s; give"
                  + " each field one, such as 'input: user' and 'input: item'")
              .formatted(definition.name(), inputs.isEmpty() ? "none" : inputs));
    }
  }

  /**
   * Refuses values of an option that the network doesn't have.
   *
   * @param what they are, in words
   * @throws InvalidModelException if there are any
   */
  public static void refuse(BuiltIn definition, String what, List<Integer> values) {
    if (!values.isEmpty()) {
      throw new InvalidModelException(
          "The network %s has no use for %s, and was given %s; leave it out"
              .formatted(definition.name(), what, values));
    }
  }
}
