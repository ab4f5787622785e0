package dev.millrace.digits;

import dev.millrace.file.ImageSize;
import java.util.Arrays;

/**
 * Keeps for every pixel how far it is from the nearest stroke, and turns that into ink with smooth
 * edges.
 */
final class StrokeCanvas {

  /** Farther from a stroke than this, in pixels, there is never ink. */
  private static final float REACH = 3;

  private static final int PIECES = 5;

  private final int rows;
  private final int columns;
  private final float[] squares;

  StrokeCanvas(ImageSize size) {
    this.rows = size.rows();
    this.columns = size.columns();
    this.squares = new float[size.pixels()];
  }

  void clear() {
    Arrays.fill(squares, REACH * REACH);
  }

  /**
   * Draws a Catmull-Rom curve through points in pixels; what lies beyond the image is cut off.
   *
   * @param count how many points, at least 2
   */
  void curve(float[] xs, float[] ys, int count) {
    for (int i = 0; i + 1 < count; i++) {
      int before = Math.max(i - 1, 0);
      int after = Math.min(i + 2, count - 1);
      float x = xs[i];
      float y = ys[i];
      for (int piece = 1; piece <= PIECES; piece++) {
        float t = (float) piece / PIECES;
        float nextX = spline(xs[before], xs[i], xs[i + 1], xs[after], t);
        float nextY = spline(ys[before], ys[i], ys[i + 1], ys[after], t);
        segment(x, y, nextX, nextY);
        x = nextX;
        y = nextY;
      }
    }
  }

  private static float spline(float before, float from, float to, float after, float t) {
    float linear = to - before;
    float square = 2 * before - 5 * from + 4 * to - after;
    float cube = 3 * (from - to) + after - before;
    return from + 0.5f * t * (linear + t * (square + t * cube));
  }

  private void segment(float x1, float y1, float x2, float y2) {
    float dx = x2 - x1;
    float dy = y2 - y1;
    float length = dx * dx + dy * dy;
    float inverse = length > 1e-9f ? 1 / length : 0;
    int left = (int) Math.max(0, Math.min(x1, x2) - REACH + 1);
    int right = (int) Math.min(columns - 1f, Math.max(x1, x2) + REACH);
    int top = (int) Math.max(0, Math.min(y1, y2) - REACH + 1);
    int bottom = (int) Math.min(rows - 1f, Math.max(y1, y2) + REACH);
    for (int row = top; row <= bottom; row++) {
      float py = row - y1;
      for (int column = left; column <= right; column++) {
        float px = column - x1;
        float along = Math.max(0, Math.min(1, (px * dx + py * dy) * inverse));
        float ex = px - along * dx;
        float ey = py - along * dy;
        int pixel = row * columns + column;
        squares[pixel] = Math.min(squares[pixel], ex * ex + ey * ey);
      }
    }
  }

  /**
   * Writes the image: full ink within half the thickness of a stroke, none a pixel farther out.
   *
   * @param radius half the thickness, in pixels, at most 2
   * @param ink the darkest pixel, up to 1
   */
  void develop(float radius, float ink, float[] pixels) {
    for (int i = 0; i < squares.length; i++) {
      float edge = radius + 0.5f - (float) Math.sqrt(squares[i]);
      pixels[i] = ink * Math.max(0, Math.min(1, edge));
    }
  }
}
