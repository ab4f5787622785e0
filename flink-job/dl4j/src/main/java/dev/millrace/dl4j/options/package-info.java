/** What builder methods of DL4J mean as options. */
package dev.millrace.dl4j.options;
