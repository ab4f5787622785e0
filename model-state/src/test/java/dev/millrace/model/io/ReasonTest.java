package dev.millrace.model.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReasonTest {

  static Stream<Arguments> failures() {
    return Stream.of(
        arguments(new NoSuchFileException("/a"), "there is no such file"),
        arguments(new FileNotFoundException("/a (No such file)"), "there is no such file"),
        arguments(new AccessDeniedException("/a"), "this user may not"),
        arguments(new NotDirectoryException("/a"), "it is no directory"),
        arguments(
            new FileSystemException("/a", null, "No space left on device"),
            "the system says 'No space left on device'"),
        arguments(new EOFException(), "it ends early"),
        arguments(catchThrowable(() -> Files.readString(Path.of("."))), "it is a directory"),
        arguments(new MalformedInputException(1), "it is not UTF-8 text"),
        arguments(new ZipException("bad"), "it is no zip file, or not a whole one (bad)"),
        arguments(new UnknownHostException("b: Name unknown"), "the host b isn't known"),
        arguments(
            new ConnectException("Connection refused"),
            "nobody listens there, or a firewall is between"),
        arguments(new HttpConnectTimeoutException("t"), "there is no answer in time"),
        arguments(
            new CompletionException(new UncheckedIOException(new NoSuchFileException("/a"))),
            "there is no such file"),
        arguments(new IOException(null, new EOFException()), "it ends early"),
        arguments(
            new ClosedChannelException(), "an error without a message (ClosedChannelException)"),
        arguments(new IllegalStateException("A library's own"), "A library's own"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void failuresOfLibrariesAreWords(Throwable failure, String words) {
    assertThat(Reason.of(failure)).isEqualTo(words);
  }

  @Test
  void ownMessagesStay() {
    assertThat(Reason.of(new InvalidModelException("It has no layer")))
        .isEqualTo("It has no layer");
    assertThat(Reason.of(new IOException("it is a directory"))).isEqualTo("it is a directory");
  }

  @Test
  void whatCannotBeParsedNamesItsPlace() {
    assertThat(Reason.of(parsing("{\n  \"a\": x}")))
        .startsWith("line 2, column 8: what is written there can't be parsed (");
    assertThat(Reason.of(parsing("{\"a\":"))).isEqualTo("it ends early");
    assertThat(Reason.of(parsing("{\"a\":1,\n\"a\":2}")))
        .isEqualTo("line 2, column 4: 'a' is there twice");
    assertThat(Reason.of(catchThrowable(() -> new ObjectMapper().readValue("[1]", int.class))))
        .startsWith("line 1, column 1: a member is missing, unknown, or not of its kind (");
  }

  @Test
  void aPathThatIsNoneIsWords() {
    assertThat(Reason.of(catchThrowable(() -> Path.of("a\0b"))))
        .startsWith("'a?b' is no path on this machine; ");
  }

  private static Throwable parsing(String json) {
    return catchThrowable(
        () ->
            new ObjectMapper()
                .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                .readTree(json));
  }
}
