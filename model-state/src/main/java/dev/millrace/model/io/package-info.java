/** Reads and writes what is on the wire, in archives and in files, none of which is trusted. */
package dev.millrace.model.io;
