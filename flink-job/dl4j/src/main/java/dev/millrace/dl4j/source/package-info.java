/** DL4J's iterators and saved minibatches as a source of examples. */
package dev.millrace.dl4j.source;
