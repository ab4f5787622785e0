package dev.millrace.deploy;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The string constants of a class file, as chapter 4.4 of the JVM's specification lays them out;
 * among them the recipes of concatenations, and constants of other classes that the compiler
 * copied.
 */
final class StringConstants {

  private static final int MAGIC = 0xCAFEBABE;

  private StringConstants() {}

  /**
   * Reads a class file up to the end of its constants.
   *
   * @throws IOException if it can't be read, or is no class file that is known here
   */
  static List<String> of(InputStream classFile) throws IOException {
    DataInputStream in = new DataInputStream(new BufferedInputStream(classFile));
    if (in.readInt() != MAGIC) {
      throw new IOException("It is no class file");
    }
    in.readInt(); // Versions of the format.
    String[] texts = new String[in.readUnsignedShort()];
    List<Integer> strings = new ArrayList<>();
    for (int i = 1; i < texts.length; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> texts[i] = in.readUTF();
        case 8 -> strings.add(in.readUnsignedShort());
        case 7, 16, 19, 20 -> in.skipNBytes(2);
        case 15 -> in.skipNBytes(3);
        case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
        case 5, 6 -> {
          in.skipNBytes(8);
          i++; // Long and double take two places.
        }
        default -> throw new IOException("Constant %s has an unknown tag, %s".formatted(i, tag));
      }
    }
    Stream<String> found = strings.stream().map(text -> texts[text]);
    return found.map(Objects::requireNonNull).toList();
  }
}
