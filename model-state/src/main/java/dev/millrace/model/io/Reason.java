package dev.millrace.model.io;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.zip.ZipException;
import javax.net.ssl.SSLException;

/**
 * Puts a failure into words that may follow a colon. Exceptions of files, networks and parsers
 * often have a path, a class's name or nothing as their message, and parsers quote what they read.
 */
public final class Reason {

  private static final String OWN = "dev.millrace.";

  /** Jackson's, before a key in quotes. */
  private static final String TWICE = "Duplicate field ";

  private Reason() {}

  /** The words of a failure that Millrace wrote itself, or words for what it stands for. */
  public static String of(Throwable failure) {
    if (isOwn(failure)) {
      return failure.getMessage();
    }
    if (isWrapper(failure)) {
      return of(failure.getCause());
    }
    if (failure instanceof JsonProcessingException json) {
      return ofParser(json);
    }
    String words = failure instanceof IOException ? ofFile(failure) : ofPath(failure);
    if (words == null) {
      words = ofNetwork(failure);
    }
    if (words != null) {
      return words;
    }
    String message = failure.getMessage();
    return message == null || message.isBlank()
        ? "an error without a message (%s)".formatted(failure.getClass().getSimpleName())
        : message;
  }

  /** The words of {@link #of}, behind the name of the file that failed where that is known. */
  public static String naming(Throwable failure) {
    String file = isOwn(failure) ? null : fileOf(failure);
    return file == null ? of(failure) : "%s: %s".formatted(file, of(failure));
  }

  private static String fileOf(Throwable failure) {
    if (failure instanceof FileSystemException file) {
      return file.getFile();
    }
    // Behind the path stands what the system says.
    return failure instanceof FileNotFoundException && failure.getMessage() != null
        ? failure.getMessage().replaceFirst(" \\([^()]*\\)$", "")
        : null;
  }

  /**
   * Whether Millrace wrote the message: in an exception of its own, or in a plain one of Java's.
   */
  public static boolean isOwn(Throwable failure) {
    StackTraceElement[] frames = failure.getStackTrace();
    boolean wroteIt =
        failure.getClass().getName().startsWith(OWN)
            || (failure.getClass() == IOException.class
                && frames.length > 0
                && frames[0].getClassName().startsWith(OWN));
    return wroteIt && failure.getMessage() != null;
  }

  private static boolean isWrapper(Throwable failure) {
    return failure.getCause() != null
        && (failure instanceof UncheckedIOException
            || failure instanceof ExecutionException
            || failure instanceof CompletionException
            || failure.getMessage() == null);
  }

  private static String ofParser(JsonProcessingException e) {
    if (e instanceof JsonEOFException) {
      return "it ends early";
    }
    if (e instanceof StreamConstraintsException) {
      return "it is nested too deeply, or one of its names, numbers or texts is too long";
    }
    String where =
        e.getLocation() == null || e.getLocation().getLineNr() < 1
            ? ""
            : "line %s, column %s: "
                .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
    String told = e.getOriginalMessage().lines().findFirst().orElse("");
    if (told.startsWith(TWICE)) {
      return where + told.substring(TWICE.length()) + " is there twice";
    }
    String what =
        e instanceof JsonMappingException
            ? "a member is missing, unknown, or not of its kind"
            : "what is written there can't be parsed";
    return "%s%s (%s)".formatted(where, what, told);
  }

  private static String ofFile(Throwable e) {
    if (e instanceof NoSuchFileException || e instanceof FileNotFoundException) {
      return "there is no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "this user may not";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "there is such a file already";
    }
    if (e instanceof NotDirectoryException) {
      return "it is no directory";
    }
    if (e instanceof FileSystemException file) {
      return file.getReason() == null
          ? "its file system refuses that"
          : "the system says '%s'".formatted(file.getReason());
    }
    if ("Is a directory".equals(e.getMessage())) {
      return "it is a directory";
    }
    if (e instanceof EOFException) {
      return "it ends early";
    }
    if (e instanceof CharacterCodingException) {
      return "it is not UTF-8 text";
    }
    return e instanceof ZipException
        ? "it is no zip file, or not a whole one (%s)".formatted(e.getMessage())
        : null;
  }

  private static String ofPath(Throwable e) {
    return e instanceof InvalidPathException path
        ? "'%s' is no path on this machine; letters that aren't ASCII need a locale with UTF-8, such as LC_ALL=C.UTF-8"
            .formatted(path.getInput().replaceAll("\\p{Cntrl}", "?"))
        : null;
  }

  private static String ofNetwork(Throwable e) {
    if (e instanceof UnknownHostException || e instanceof UnresolvedAddressException) {
      return e.getMessage() == null
          ? "its host isn't known"
          : "the host %s isn't known".formatted(e.getMessage().replaceFirst(":.*", ""));
    }
    if (e instanceof HttpTimeoutException || e instanceof SocketTimeoutException) {
      return "there is no answer in time";
    }
    if (e instanceof ConnectException || e instanceof NoRouteToHostException) {
      return "nobody listens there, or a firewall is between";
    }
    return e instanceof SSLException
        ? "TLS can't be agreed on (%s)".formatted(e.getMessage())
        : null;
  }
}
