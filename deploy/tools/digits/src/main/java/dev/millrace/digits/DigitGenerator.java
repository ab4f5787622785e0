package dev.millrace.digits;

import dev.millrace.file.ImageSize;

/**
 * Draws grey images of handwritten-like digits, 0 for paper to 1 for ink: strokes with jitter,
 * thickness, slant, turn, size and place, and noise over all. From one index on the images arrive
 * turned by a quarter, as if the scanner had been turned, so that a model has to learn anew.
 *
 * <p>An image depends on the seed and its index alone. Nothing is allocated per image. Not
 * thread-safe.
 */
public final class DigitGenerator {

  /** The size of every image. */
  public static final ImageSize IMAGE = new ImageSize(28, 28);

  /** The digits 0 to 9. */
  public static final int CLASSES = 10;

  private static final float CENTRE = 13.5f;

  /** Pixels per unit of the glyphs' square of 100, for a digit 19 pixels high. */
  private static final float UNIT = 0.19f;

  /** How far the writer's hand strays, in units of the glyphs' square. */
  private static final float JITTER = 3.5f;

  /** What makes a sum of two 16-bit numbers have a deviation of 1. */
  private static final float PER_DEVIATION = (float) (Math.sqrt(6) / 0x10000);

  private final long seed;
  private final long driftAt;
  private final DigitRandom random = new DigitRandom();
  private final StrokeCanvas canvas = new StrokeCanvas(IMAGE);
  private final float[] xs = new float[DigitGlyphs.longestStroke()];
  private final float[] ys = new float[DigitGlyphs.longestStroke()];

  // From glyph to image: column = xx x + xy y + x0, row = yx x + yy y + y0.
  private float xx;
  private float xy;
  private float x0;
  private float yx;
  private float yy;
  private float y0;

  /**
   * A generator.
   *
   * @param seed the same images for the same seed
   * @param driftAt index of the first image that is turned; 0 if all are
   */
  public DigitGenerator(long seed, long driftAt) {
    if (driftAt < 0) {
      throw new IllegalArgumentException("The drift must be at index 0 or later, not " + driftAt);
    }
    this.seed = seed;
    this.driftAt = driftAt;
  }

  /**
   * Draws an image.
   *
   * @param index of the image, 0 or more
   * @param pixels {@code IMAGE.pixels()} of them, overwritten row by row
   * @return the digit
   */
  public int draw(long index, float[] pixels) {
    random.reset(seed, index);
    int digit = random.below(CLASSES);
    int variant = random.below(DigitGlyphs.variants(digit));
    place(index >= driftAt);
    canvas.clear();
    for (float[] stroke : DigitGlyphs.strokes(digit, variant)) {
      write(stroke);
    }
    canvas.develop(random.between(0.5f, 1.6f), random.between(0.6f, 1f), pixels);
    addNoise(pixels, random.between(0.03f, 0.16f));
    return digit;
  }

  private void place(boolean turned) {
    double turn = 0.14 * random.gaussian() + (turned ? Math.PI / 2 : 0);
    float sin = (float) Math.sin(turn);
    float cos = (float) Math.cos(turn);
    float slant = 0.12f + 0.2f * random.gaussian();
    float height = UNIT * random.between(0.75f, 1.1f);
    float width = height * random.between(0.65f, 1.05f);
    xx = cos * width;
    xy = -(cos * slant + sin) * height;
    yx = sin * width;
    yy = (cos - sin * slant) * height;
    x0 = CENTRE + random.between(-2.2f, 2.2f) - 50 * (xx + xy);
    y0 = CENTRE + random.between(-2.2f, 2.2f) - 50 * (yx + yy);
  }

  private void write(float[] stroke) {
    int points = stroke.length / 2;
    for (int i = 0; i < points; i++) {
      float x = stroke[2 * i];
      float y = stroke[2 * i + 1];
      if (i > 0 && x == stroke[2 * i - 2] && y == stroke[2 * i - 1]) {
        // A corner stays one: both of its points stray alike.
        xs[i] = xs[i - 1];
        ys[i] = ys[i - 1];
        continue;
      }
      x += JITTER * random.gaussian();
      y += JITTER * random.gaussian();
      xs[i] = xx * x + xy * y + x0;
      ys[i] = yx * x + yy * y + y0;
    }
    canvas.curve(xs, ys, points);
  }

  /** Adds noise, for each pixel the sum of two 16-bit numbers, which is about normal. */
  private void addNoise(float[] pixels, float deviation) {
    float scale = deviation * PER_DEVIATION;
    for (int i = 0; i < pixels.length; i += 2) {
      long bits = random.next();
      pixels[i] = noisy(pixels[i], bits, scale);
      pixels[i + 1] = noisy(pixels[i + 1], bits >>> 32, scale);
    }
  }

  private static float noisy(float pixel, long bits, float scale) {
    long sum = (bits & 0xffff) + (bits >>> 16 & 0xffff) - 0xffff;
    return Math.max(0, Math.min(1, pixel + scale * sum));
  }
}
