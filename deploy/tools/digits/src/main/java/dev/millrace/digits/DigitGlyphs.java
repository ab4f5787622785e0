package dev.millrace.digits;

import java.util.Arrays;

/**
 * How people write the ten digits: a few ways each, each way a list of strokes, each stroke a list
 * of points that a smooth curve goes through, in a square from (0, 0) top left to (100, 100) bottom
 * right. A point given twice in a row is a corner.
 */
final class DigitGlyphs {

  private static final String[][] STROKES = {
    {
      "60,6 30,16 16,50 28,86 54,95 80,80 86,48 74,14 54,5",
      "50,4 28,20 22,52 32,88 52,96 70,84 78,50 70,16 48,5 40,10",
      "72,14 50,4 26,22 18,56 36,92 62,92 82,62 80,28 62,8",
    },
    {
      "52,4 52,4 50,96", "32,26 54,5 54,5 52,96", "30,28 54,6 54,6 53,94 53,94 | 30,95 30,95 76,94",
    },
    {
      "22,26 38,6 66,8 74,32 54,62 20,94 20,94 82,92",
      "20,22 46,4 72,18 68,44 44,68 22,86 24,96 38,86 58,88 84,96",
      "26,14 26,14 60,6 76,26 58,58 24,92 24,92 24,92 78,96",
    },
    {
      "22,12 50,4 72,20 62,42 40,48 40,48 68,54 78,76 54,96 20,86",
      "24,8 24,8 76,8 76,8 46,42 46,42 74,54 76,80 50,96 22,86",
      "26,18 52,5 70,22 58,42 44,46 62,48 76,68 62,92 38,94 22,80",
    },
    {
      "34,6 34,6 18,60 18,60 84,58 | 66,32 66,32 62,96",
      "64,4 64,4 16,66 16,66 86,66 | 64,4 64,4 64,96",
      "28,8 24,40 40,52 72,44 | 74,8 74,8 70,50 66,96",
    },
    {
      "76,6 76,6 32,8 32,8 26,44 26,44 56,38 78,60 66,90 40,96 20,84",
      "34,8 34,8 28,44 28,44 60,42 76,66 60,92 24,92 | 34,8 34,8 80,5",
      "80,8 52,8 34,12 28,40 48,42 72,56 74,80 52,95 22,90",
    },
    {
      "66,4 38,26 20,62 32,92 60,96 78,76 66,54 42,54 24,72",
      "50,3 28,40 22,76 44,97 70,88 74,66 54,54 32,66 26,78",
      "76,12 54,6 30,28 20,64 36,94 64,92 76,70 58,52 34,58 22,72",
    },
    {
      "18,8 18,8 80,8 80,8 56,48 42,96",
      "16,20 18,8 18,8 80,6 80,6 46,96 46,96",
      "20,10 20,10 80,8 80,8 44,96 44,96 | 34,50 34,50 74,48",
    },
    {
      "70,18 46,5 28,20 40,42 66,58 74,80 50,96 26,82 34,60 62,40 72,20 66,12",
      "50,5 30,14 30,34 50,46 70,34 70,14 50,5 | 50,46 26,60 26,86 50,96 76,86 74,60 50,46",
      "76,10 48,6 30,22 48,44 68,62 66,88 40,95 28,78 48,50 70,28 78,8",
    },
    {
      "74,22 52,6 28,20 26,46 50,56 72,38 74,20 74,20 72,60 62,96",
      "72,16 46,5 26,28 40,52 64,44 76,18 76,50 66,84 44,96 26,88",
      "70,28 60,8 36,10 26,34 42,50 64,42 72,14 72,14 60,96 60,96",
    },
  };

  private static final float[][][][] GLYPHS = parse();

  private DigitGlyphs() {}

  /** Returns in how many ways a digit is written. */
  static int variants(int digit) {
    return GLYPHS[digit].length;
  }

  /** The strokes, each x0, y0, x1, y1 and so on; shared, not to be changed. */
  static float[][] strokes(int digit, int variant) {
    return GLYPHS[digit][variant];
  }

  /** Points of the longest stroke. */
  static int longestStroke() {
    return Arrays.stream(GLYPHS)
        .flatMap(Arrays::stream)
        .flatMap(Arrays::stream)
        .mapToInt(stroke -> stroke.length / 2)
        .max()
        .orElseThrow();
  }

  private static float[][][][] parse() {
    return Arrays.stream(STROKES)
        .map(
            variants ->
                Arrays.stream(variants)
                    .map(
                        text ->
                            Arrays.stream(text.split(" \\| ", -1))
                                .map(DigitGlyphs::stroke)
                                .toArray(float[][]::new))
                    .toArray(float[][][]::new))
        .toArray(float[][][][]::new);
  }

  private static float[] stroke(String text) {
    String[] numbers = text.split("[ ,]", -1);
    float[] points = new float[numbers.length];
    for (int i = 0; i < points.length; i++) {
      points[i] = Float.parseFloat(numbers[i]);
    }
    return points;
  }
}
