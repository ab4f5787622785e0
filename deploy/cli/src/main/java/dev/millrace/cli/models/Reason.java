package dev.millrace.cli.models;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Puts exceptions of files into words: many have nothing but a path as their message. */
final class Reason {

  private Reason() {}

  static String of(IOException e) {
    if (e instanceof NoSuchFileException || e instanceof FileNotFoundException) {
      return "there is no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "it may not be read";
    }
    if (e instanceof JsonProcessingException json) {
      return "it is not JSON of a description: " + json.getOriginalMessage();
    }
    return String.valueOf(e.getMessage());
  }
}
