package dev.millrace.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.millrace.example.Example;
import dev.millrace.example.FormatSettings;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxExamplesTest {

  private static final String IMAGES = "train-images-idx3-ubyte";
  private static final String LABELS = "train-labels-idx1-ubyte";

  @TempDir private Path directory;

  @BeforeEach
  void writeThreeImagesAndAHoldOutOfOne() throws IOException {
    write(IMAGES, idx(0x803, new int[] {3, 2, 2}, 0, 51, 102, 255, 1, 2, 3, 4, 5, 6, 7, 8));
    write(LABELS, idx(0x801, new int[] {3}, 2, 0, 1));
    write("t10k-images-idx3-ubyte", idx(0x803, new int[] {1, 2, 2}, 255, 0, 0, 0));
    write("t10k-labels-idx1-ubyte", idx(0x801, new int[] {1}, 3));
  }

  @Test
  void pixelsBecomeFeaturesUpToOneAndLabelsOneHot() throws IOException {
    ExampleSet set = open();

    assertThat(set.shape()).isEqualTo(new ExampleShape(4, 4, Target.CLASSIFICATION));
    assertThat(set.image()).hasValue(new ImageSize(2, 2));
    assertThat(set.classes()).containsExactly("0", "1", "2", "3");
    List<Example> training = Sequences.read(set.training());
    assertThat(training).extracting(Sequences::label).containsExactly(2, 0, 1);
    assertThat(training.get(0).features()).containsExactly(0f, 0.2f, 0.4f, 1f);
    assertThat(training.get(1).features()[3]).isEqualTo(4 / 255f);
    List<Example> holdOut = Sequences.read(set.holdOut());
    assertThat(holdOut).extracting(Sequences::label).containsExactly(3);
    assertThat(holdOut.get(0).features()).containsExactly(1f, 0f, 0f, 0f);
  }

  @Test
  void skippedImagesArePassedOver() throws IOException {
    assertThat(Sequences.everySecondLabel(open().training())).containsExactly(0);
  }

  @Test
  void aModelMayHaveMoreClassesThanTheFiles() throws IOException {
    ExampleShape model = new ExampleShape(4, 7, Target.CLASSIFICATION);

    assertThat(new DataSpec.Idx(directory).openFor(model, FormatSettings.defaults()).shape())
        .isEqualTo(model);
  }

  @Test
  void compressedFilesReadLikePlainOnes() throws IOException {
    compress(IMAGES);
    compress(LABELS);

    assertThat(Sequences.read(open().training()))
        .extracting(Sequences::label)
        .containsExactly(2, 0, 1);
  }

  @Test
  void factoriesReadTrainingAndHoldOut() throws IOException {
    DataSpec spec = DataSpec.parse("idx:" + directory);

    assertThat(Sequences.read(spec.open().training())).hasSize(3);
    assertThat(Sequences.read(spec.open().holdOut())).hasSize(1);
  }

  @Test
  void aMissingFileIsNamed() throws IOException {
    Files.delete(directory.resolve(LABELS));

    assertThatIOException()
        .isThrownBy(this::open)
        .withMessageContainingAll(LABELS, LABELS + ".gz", directory.toString());
  }

  @Test
  void truncatedImagesAreReportedWithTheImage() throws IOException {
    truncate(IMAGES, 3);

    assertThatIOException()
        .isThrownBy(() -> Sequences.read(open().training()))
        .withMessageContainingAll(IMAGES, "item 2", "3 items", "truncated");
  }

  @Test
  void truncatedCompressedImagesAreReportedToo() throws IOException {
    compress(IMAGES);
    truncate(IMAGES + ".gz", 10);

    assertThatIOException()
        .isThrownBy(() -> Sequences.read(open().training()))
        .withMessageContainingAll(IMAGES + ".gz", "truncated");
  }

  @Test
  void truncatedLabelsAreReportedAtOnce() throws IOException {
    truncate(LABELS, 1);

    assertThatIOException()
        .isThrownBy(this::open)
        .withMessageContainingAll(LABELS, "item 2", "truncated");
  }

  @Test
  void anEmptyFileIsNoIdxFile() throws IOException {
    write(IMAGES);

    assertThatIOException().isThrownBy(this::open).withMessageContainingAll(IMAGES, "0x00000803");
  }

  @Test
  void aWrongMagicNumberIsReported() throws IOException {
    write(IMAGES, idx(0xd03, new int[] {3, 2, 2}, 0));

    assertThatIOException()
        .isThrownBy(this::open)
        .withMessageContainingAll(IMAGES, "0x00000d03", "expected 0x00000803");
  }

  @Test
  void imagesOfNoSizeAreReported() throws IOException {
    write(IMAGES, idx(0x803, new int[] {3, -2, 2}, 0));

    assertThatIOException()
        .isThrownBy(this::open)
        .withMessageContainingAll(IMAGES, "dimension 2", "-2");
  }

  @Test
  void differentCountsOfImagesAndLabelsAreReported() throws IOException {
    write(LABELS, idx(0x801, new int[] {2}, 2, 0));

    assertThatIOException()
        .isThrownBy(() -> open().training())
        .withMessageContainingAll(IMAGES, "3 images", LABELS, "2 labels");
  }

  @Test
  void moreImagesThanPromisedAreReported() throws IOException {
    write(IMAGES, idx(0x803, new int[] {3, 2, 2}, new int[13]));

    assertThatIOException()
        .isThrownBy(() -> Sequences.read(open().training()))
        .withMessageContainingAll(IMAGES, "has more than the 3 items");
  }

  @Test
  void imagesOfTwoSizesAreReported() throws IOException {
    write("t10k-images-idx3-ubyte", idx(0x803, new int[] {1, 2, 3}, new int[6]));

    assertThatIOException().isThrownBy(this::open).withMessageContainingAll("2x2", "2x3");
  }

  private ExampleSet open() throws IOException {
    return DataSpec.parse("idx:" + directory).open();
  }

  private void write(String name, byte... bytes) throws IOException {
    Files.write(directory.resolve(name), bytes);
  }

  private void truncate(String name, int missing) throws IOException {
    byte[] bytes = Files.readAllBytes(directory.resolve(name));
    write(name, Arrays.copyOf(bytes, bytes.length - missing));
  }

  private void compress(String name) throws IOException {
    Path plain = directory.resolve(name);
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(directory.resolve(name + ".gz")))) {
      Files.copy(plain, out);
    }
    Files.delete(plain);
  }

  private static byte[] idx(int magic, int[] sizes, int... content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(magic);
      for (int size : sizes) {
        out.writeInt(size);
      }
      for (int value : content) {
        out.writeByte(value);
      }
    }
    return bytes.toByteArray();
  }
}
