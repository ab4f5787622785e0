package dev.millrace.job.models;

import java.io.FileNotFoundException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.util.Locale;

/**
 * Says what to do about a failure of a file system. The clients of object stores are behind class
 * loaders of their own, so it goes by what their messages say.
 */
public final class StorageAdvice {

  private static final int MOST_CAUSES = 20;

  private StorageAdvice() {}

  /** Says what to do, as the end of a sentence. */
  public static String on(Throwable failure) {
    String told = "";
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MOST_CAUSES; i++, cause = cause.getCause()) {
      told += " " + cause.getMessage();
      if (cause instanceof UnknownHostException || cause instanceof ConnectException) {
        return "the server can't be reached: check the address, such as s3.endpoint in Flink's"
            + " configuration";
      }
    }
    String text = told.toLowerCase(Locale.ROOT);
    if (has(
        text,
        "unable to load aws credentials",
        "unable to load credentials",
        "no aws credentials")) {
      return "there are no credentials: set s3.access-key and s3.secret-key in Flink's"
          + " configuration, or give the machine a role";
    }
    if (has(text, "slowdown", "status code: 503", "status code: 429")) {
      return "the store asks for fewer requests: publish less often, or raise its limit;"
          + " docs/operate/storage.md says how long Flink's plugin tries again";
    }
    if (has(text, "nosuchbucket", "bucket does not exist", "bucket is not accessible")) {
      return "create the bucket, or name another";
    }
    if (failure instanceof AccessDeniedException
        || has(text, "status code: 403", "accessdenied", "status code: 401")) {
      return "the credentials are wrong, or may not do this: check s3.access-key and s3.secret-key"
          + " in Flink's configuration, or the role, and what they are allowed";
    }
    if (has(text, "status code: 5", "unable to execute http request")) {
      return "the store failed, or can't be reached: look whether it runs, and check s3.endpoint in"
          + " Flink's configuration";
    }
    return failure instanceof FileNotFoundException
        ? "check its name"
        : "check its permissions, or name another directory";
  }

  private static boolean has(String text, String... any) {
    for (String part : any) {
      if (text.contains(part)) {
        return true;
      }
    }
    return false;
  }
}
