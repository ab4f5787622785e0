package dev.millrace.job.setup;

import java.util.LinkedHashMap;
import java.util.Map;

/** Writes ranges of values shorter than messages do. */
final class Notation {

  private static final Map<String, String> SHORTER = new LinkedHashMap<>();

  static {
    SHORTER.put("a whole number from (\\d+) to (\\d+)", "integer $1…$2");
    SHORTER.put("a whole number", "integer");
    SHORTER.put("a list with ; or , between the elements, each (a |an |the )?", "list: ");
    SHORTER.put(", such as 500 ms or 1 min", "");
    SHORTER.put(", such as [^,]*$", "");
    SHORTER.put("(a )?number of at least 0 and below (\\S+)", "[0,$1)");
    SHORTER.put("a number above 0 and at most 1", "(0,1]");
    SHORTER.put("a number above 0 and below 1", "(0,1)");
    SHORTER.put("a size from (\\d+) (\\w+) to (\\d+) (\\w+)", "size $1$2…$3$4");
    SHORTER.put(" of at least (\\d+)( ?)(ms)?", " ≥$1$3");
    SHORTER.put(" above (\\d+)", " >$1");
    SHORTER.put("^(a|an|the|one of) ", "");
    SHORTER.put("0 or (a|an) ", "0 or ");
    SHORTER.put("path of a field.*", "field");
    SHORTER.put("an? http or https URL without user and password", "URL");
    SHORTER.put("http or https URL without user and password", "URL");
    SHORTER.put("(name of an engine) on the class path", "engine");
    SHORTER.put("regular expression of java.util.regex", "regular expression");
    SHORTER.put("milliseconds since 1970", "epoch milliseconds");
    SHORTER.put(" or a class's full name", ", class");
    SHORTER.put("directory's path or URI", "path or URI");
    SHORTER.put("file's path", "file");
    SHORTER.put("topic's name", "topic");
    SHORTER.put("class's name", "name");
    SHORTER.put("column's name", "name");
    SHORTER.put("model's name", "name");
    SHORTER.put("user's name", "name");
    SHORTER.put("message's full name", "name");
    SHORTER.put(",? or (a )?", ", ");
  }

  private Notation() {}

  static String of(String range) {
    String text = range;
    for (Map.Entry<String, String> shorter : SHORTER.entrySet()) {
      text = text.replaceAll(shorter.getKey(), shorter.getValue());
    }
    return text;
  }
}
