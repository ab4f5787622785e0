package dev.millrace.file;

/**
 * The size of grey images whose pixels are an example's features, row by row.
 *
 * @param rows height in pixels, at least 1
 * @param columns width in pixels, at least 1
 */
public record ImageSize(int rows, int columns) {

  public ImageSize {
    if (rows < 1 || columns < 1) {
      throw new IllegalArgumentException(
          "An image needs at least one row and one column, not %s and %s".formatted(rows, columns));
    }
  }

  /** Features of one example. */
  public int pixels() {
    return Math.multiplyExact(rows, columns);
  }
}
