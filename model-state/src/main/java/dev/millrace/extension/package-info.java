/** What others add to Millrace by a jar: codecs, aggregators and the like, found by name. */
package dev.millrace.extension;
