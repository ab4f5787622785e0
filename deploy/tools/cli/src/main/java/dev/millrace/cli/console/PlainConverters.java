package dev.millrace.cli.console;

import dev.millrace.model.io.Reason;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads arguments; picocli's own converters say what is wrong by the names of Java's types. */
public final class PlainConverters {

  private PlainConverters() {}

  public static CommandLine register(CommandLine command) {
    return command
        .registerConverter(Path.class, PlainConverters::path)
        .registerConverter(int.class, whole(Integer::valueOf))
        .registerConverter(Integer.class, whole(Integer::valueOf))
        .registerConverter(long.class, whole(Long::valueOf))
        .registerConverter(Long.class, whole(Long::valueOf))
        .registerConverter(double.class, number(Double::valueOf, "a number"))
        .registerConverter(Double.class, number(Double::valueOf, "a number"));
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException(Reason.of(e));
    }
  }

  private static <T> ITypeConverter<T> whole(Function<String, T> parser) {
    return number(parser, "a whole number, or it is too large");
  }

  private static <T> ITypeConverter<T> number(Function<String, T> parser, String what) {
    return text -> {
      try {
        return parser.apply(text);
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'%s' is not %s".formatted(text, what));
      }
    };
  }
}
